import type { SearchIndex } from '../../integration/search/index.ts';
import { beginning, embeddedText, openVectors, quantized, withVectors } from '../../integration/search/vectors.ts';
import { createEmbed } from '../../server/platform/embed.ts';

/** An OpenAI-compatible server and its model. */
export interface EmbeddingOptions {
  url: string;
  model: string;
}

/** The index with vectors of all its sections, as servers search it. */
export async function byMeaning(index: SearchIndex, embeddings: EmbeddingOptions): Promise<SearchIndex> {
  const embed = createEmbed(embeddings);
  const texts = (await index.sections(Array.from({ length: index.sectionCount }, (_, section) => section))).map(embeddedText);
  const vectors: Int8Array[] = [];
  for (let from = 0; from < texts.length; from += 64)
    for (const vector of await embed(texts.slice(from, from + 64), { timeout: 600_000 })) vectors.push(quantized(vector));
  const dimension = vectors[0]?.length ?? 1;
  const opened = openVectors(Int8Array.from(vectors.flatMap((vector) => [...vector])), { dimension, count: vectors.length });
  return withVectors(index, async (query, limit) => {
    const [vector] = await embed([beginning(query)], { timeout: 60_000 });
    return opened.nearest(vector!, limit);
  });
}
