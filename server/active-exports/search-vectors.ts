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

export function createQueryEmbedder(model: EmbeddingModel, { log, clock }: EmbedderParts) {
  const known = new LRUCache<string, Promise<Float32Array>>({ max: 500 });
  const embed = createEmbed(model);
  let restsUntil = -Infinity;

  const failed = (error: unknown) => {
    if (clock() >= restsUntil)
      log.warn({ model: model.model, detail: errorMessage(error) }, 'the embedding model failed; search is by words');
    restsUntil = clock() + restMilliseconds;
  };

  return {
    model: model.model,
    /** Called with what makes a vector of no use, such as another dimension. */
    failed,
    /** The vector of a query; undefined when the model fails, and for half a minute after that. */
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
  let opened: Promise<Vectors> | undefined;
  const open = async (): Promise<Vectors> => {
    const file = await site.file(`${folder}/${name}.bin`);
    const bytes = file ? await new Response(await file.read(0, file.size - 1)).bytes() : new Uint8Array();
    return openVectors(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), { dimension, count: index.sectionCount });
  };
  return withVectors(index, async (query, limit) => {
    const [vector, all] = await Promise.all([embedder.vectorOf(query), (opened ??= open())]);
    if (vector && vector.length !== dimension) {
      embedder.failed(
        new Error(`its vectors have the dimension ${vector.length}, those of the export ${dimension}; export again`),
      );
      return [];
    }
    return vector ? all.nearest(vector, limit) : [];
  });
}
