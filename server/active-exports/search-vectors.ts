// Search by meaning: the vectors in an export, compared with that of the query.
import { LRUCache } from 'lru-cache';
import { errorMessage } from '../../integration/errors.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { EmbeddingsFailed, type EmbeddingModel } from '../../integration/remote/embeddings.ts';
import type { SearchIndex } from '../../integration/search/index.ts';
import { beginning, openVectors, withVectors, type Vectors } from '../../integration/search/vectors.ts';
import { createEmbed } from '../platform/embed.ts';
import type { Logger } from '../platform/log.ts';
import type { OpenedSite } from './open-site.ts';

/** Vectors of queries, by an embedding model that the operator chose. */
export type QueryEmbedder = ReturnType<typeof createQueryEmbedder>;

export interface EmbedderParts {
  log: Pick<Logger, 'warn'>;
  /** Milliseconds, of a clock that only moves forward. */
  clock: () => number;
}

// A question must not wait longer for what it can do without.
const milliseconds = 3000;
const restMilliseconds = 30_000;
// All of it is in memory.
const largestFile = 512 * 1024 * 1024;

export function createQueryEmbedder(model: EmbeddingModel, { log, clock }: EmbedderParts) {
  const known = new LRUCache<string, Promise<Float32Array>>({ max: 500 });
  const embed = createEmbed(model);
  let restsUntil = -Infinity;
  let quietUntil = -Infinity;

  const failed = (error: EmbeddingsFailed) => {
    const until = clock() + restMilliseconds;
    if (clock() >= quietUntil) {
      log.warn({ model: model.model, detail: errorMessage(error) }, 'the embedding model failed; search is by words');
      quietUntil = until;
    }
    // One reader's query must not end the search by meaning of all others.
    if (!error.isAboutTexts) restsUntil = until;
  };

  return {
    model: model.model,
    log,
    /** The vector of a query; undefined when the model fails, and for half a minute after that unless it only refused a query. */
    async vectorOf(query: string): Promise<Float32Array | undefined> {
      const text = beginning(query);
      let vector = known.get(text);
      if (!vector) {
        if (clock() < restsUntil) return undefined;
        vector = embed([text], { timeout: milliseconds }).then(([first]) => first!);
        known.set(text, vector);
      }
      try {
        return await vector;
      } catch (error) {
        known.delete(text);
        if (!(error instanceof EmbeddingsFailed)) throw error;
        failed(error);
        return undefined;
      }
    },
  };
}

/** The index with the vectors that the export has for it. Problems are logged, and results then are those of the words. */
export function searchByMeaning(
  index: SearchIndex,
  {
    site,
    vectors,
    name,
    embedder,
  }: { site: OpenedSite; vectors: NonNullable<Manifest['vectors']>; name: string; embedder: QueryEmbedder },
): SearchIndex {
  const { dimension, folder } = vectors;
  const path = `${folder}/${name}.bin`;
  let opened: Promise<Vectors | undefined> | undefined;
  let wasReported = false;

  const report = (detail: string) => {
    if (!wasReported)
      embedder.log.warn({ site: site.name, detail }, 'the vectors of an export cannot be used; search is by words');
    wasReported = true;
  };

  /** Undefined if the file is not what the manifest says; the bundle may be a stranger's. */
  async function open(): Promise<Vectors | undefined> {
    const file = await site.file(path);
    const count = index.sectionCount;
    if (file?.size !== count * dimension || file.size > largestFile) {
      report(`"${path}" has ${file?.size ?? 0} bytes, not ${count} vectors of dimension ${dimension}; export again`);
      return undefined;
    }
    const bytes = await new Response(await file.read(0, file.size - 1)).bytes();
    return openVectors(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), { dimension, count });
  }

  function openOnce(): Promise<Vectors | undefined> {
    if (!opened) {
      opened = open();
      // The next search tries again.
      opened.catch(() => (opened = undefined));
    }
    return opened;
  }

  return withVectors(index, async (query, limit) => {
    const all = await openOnce();
    const vector = all && (await embedder.vectorOf(query));
    if (!all || !vector) return [];
    if (vector.length === dimension) return all.nearest(vector, limit);
    report(`the model's vectors have the dimension ${vector.length}, those of the export ${dimension}; export again`);
    return [];
  });
}
