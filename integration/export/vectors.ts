// Vectors of all sections, for search by meaning on a server. They are part of the export, so the server asks the model about questions only.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createProblem, type Problem } from '../diagnostics.ts';
import type { Manifest } from '../manifest.ts';
import type { ExportCache } from '../output/export-cache.ts';
import type { IndexFolder } from '../output/export-state.ts';
import { type Embed, EmbeddingsFailed, type EmbeddingModel } from '../remote/embeddings.ts';
import { openIndex } from '../search/index.ts';
import { shardText } from '../search/shards.ts';
import { embeddedText, quantized } from '../search/vectors.ts';

/** An embedding model, and where the vectors of unchanged texts are stored. */
export interface Embeddings {
  model: EmbeddingModel;
  embed: Embed;
  cache?: ExportCache;
}

interface VectorContext {
  folder: { staging: string; write(path: string, contents: Uint8Array): unknown };
  embeddings: Embeddings;
  signal?: AbortSignal;
}

interface WrittenVectors {
  /** For the manifest; absent when the model failed. */
  vectors?: Manifest['vectors'];
  problems: Problem[];
}

const vectorFolder = '_carrel/vectors';
const textsPerRequest = 64;
const milliseconds = 120_000;
const attempts = 4;

/**
 * Writes a file of vectors for each index, `en.bin` for the index in `_carrel/search/…/en`. Vectors of unchanged texts come from the cache.
 * A model that fails costs the export its vectors, which is reported, and nothing else. Throws the reason of the signal.
 */
export async function writeVectors(indexes: IndexFolder[], context: VectorContext): Promise<WrittenVectors> {
  const { folder, embeddings } = context;
  const { model, cache } = embeddings;
  try {
    const made = new Map<string, Int8Array[]>();
    for (const index of indexes) made.set(basename(index.folder), await vectorsOf(await textsIn(index, folder), context));
    const dimensions = new Set([...made.values()].flatMap((vectors) => vectors.map(({ length }) => length)));
    // The model had another dimension when the cached vectors were made.
    if (dimensions.size > 1 && cache?.get !== nothing)
      return await writeVectors(indexes, {
        ...context,
        embeddings: { ...embeddings, cache: cache && { ...cache, get: nothing } },
      });
    const [dimension] = dimensions;
    if (dimension === undefined) return { problems: [] };
    if (dimensions.size > 1) throw new EmbeddingsFailed('its vectors have different dimensions');
    for (const [name, vectors] of made) folder.write(`${vectorFolder}/${name}.bin`, joined(vectors, dimension));
    return { vectors: { model: model.model, dimension, folder: vectorFolder }, problems: [] };
  } catch (error) {
    if (!(error instanceof EmbeddingsFailed)) throw error;
    const message = `The embedding model "${model.model}" at ${model.url} failed: ${error.message}.`;
    const hint = 'The export is complete, but has no vectors: servers search it by words. Check the URL, the model and the key.';
    return { problems: [createProblem({ kind: 'embeddings-failed', message, hint })] };
  }
}

/** The texts of all sections of an index, in their order. */
async function textsIn({ folder }: IndexFolder, { staging }: VectorContext['folder']): Promise<string[]> {
  const load = async (name: string) => shardText(readFileSync(join(staging, folder, `${name}.js`), 'utf8'));
  const index = await openIndex({ load });
  const sections = await index.sections(Array.from({ length: index.sectionCount }, (_, section) => section));
  return sections.map(embeddedText);
}

async function vectorsOf(texts: string[], { embeddings: { model, embed, cache }, signal }: VectorContext): Promise<Int8Array[]> {
  const keyOf = (text: string) => `vector/${hash('sha256', JSON.stringify([model.url, model.model, text]))}`;
  const known = new Map<string, Int8Array>();
  for (const text of texts) {
    const cached = known.has(text) ? undefined : cache?.get(keyOf(text));
    if (cached !== undefined) known.set(text, new Int8Array(Buffer.from(cached, 'base64')));
  }
  const missing = [...new Set(texts)].filter((text) => !known.has(text));
  for (let from = 0; from < missing.length; from += textsPerRequest) {
    const batch = missing.slice(from, from + textsPerRequest);
    const vectors = await embed(batch, { signal, timeout: milliseconds, attempts });
    for (const [i, text] of batch.entries()) {
      const vector = quantized(vectors[i]!);
      known.set(text, vector);
      cache?.set(keyOf(text), Buffer.from(vector).toString('base64'));
    }
  }
  return texts.map((text) => known.get(text)!);
}

const nothing = () => undefined;

function joined(vectors: Int8Array[], dimension: number): Uint8Array {
  const bytes = new Uint8Array(vectors.length * dimension);
  for (const [i, vector] of vectors.entries())
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, dimension), i * dimension);
  return bytes;
}
