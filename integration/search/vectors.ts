/**
 * Vectors of sections, made by an embedding model during the export: one of `dimension` bytes for each section, in the order of the index.
 * Sections with near vectors mean something similar, in other words or another language.
 */
import type { SearchIndex, SearchResult } from './index.ts';
import { spread } from './rank.ts';
import type { SectionText } from './shards.ts';

/** Whole numbers from -127 to 127 in the direction of a vector: of its angle to others, this loses less than a hundredth. */
export function quantized(vector: ArrayLike<number>): Int8Array {
  let most = 0;
  for (let i = 0; i < vector.length; i++) most = Math.max(most, Math.abs(vector[i]!));
  const factor = most === 0 ? 0 : 127 / most;
  return Int8Array.from({ length: vector.length }, (_, i) => Math.round(vector[i]! * factor));
}

export interface NearSection {
  section: number;
  /** Cosine of the angle, at most 1. */
  similarity: number;
}

export type Vectors = ReturnType<typeof openVectors>;

/** Throws if the file does not hold one vector for each of `count` sections. */
export function openVectors(bytes: Int8Array, { dimension, count }: { dimension: number; count: number }) {
  if (bytes.length !== count * dimension)
    throw new Error(`A file of ${bytes.length} bytes does not hold ${count} vectors of dimension ${dimension}.`);
  const lengths = new Float32Array(count);
  for (let section = 0; section < count; section++) {
    let sum = 0;
    for (let at = section * dimension, end = at + dimension; at < end; at++) sum += bytes[at]! ** 2;
    lengths[section] = Math.sqrt(sum) || 1;
  }

  return {
    dimension,
    /** The nearest sections, nearest first. The time grows with the number of sections. */
    nearest(vector: Float32Array, limit: number): NearSection[] {
      const length = Math.hypot(...vector) || 1;
      const similarities = new Float32Array(count);
      for (let section = 0; section < count; section++) {
        let product = 0;
        const from = section * dimension;
        for (let i = 0; i < dimension; i++) product += vector[i]! * bytes[from + i]!;
        similarities[section] = product / (length * lengths[section]!);
      }
      const least = Float32Array.from(similarities).sort().at(-Math.min(limit, count)) ?? 0;
      const near: NearSection[] = [];
      similarities.forEach((similarity, section) => {
        if (similarity >= least) near.push({ section, similarity });
      });
      return near.sort((a, b) => b.similarity - a.similarity || a.section - b.section).slice(0, limit);
    },
  };
}

const leastMerged = 50;
// With equal weight, and by ranks alone, vectors put neighbors before the section that names the query. Measured with questions, titles, names
// and lines of code of several documentation sites, and with vectors of several strengths.
const similarityWeight = 0.7;

/**
 * An index that also finds what is near the query. `nearest` gives nothing where there are no vectors to compare; results then are those
 * of the words alone.
 */
export function withVectors(index: SearchIndex, nearest: (query: string, limit: number) => Promise<NearSection[]>): SearchIndex {
  return {
    ...index,
    async search(query, { limit = 10, perPage, ...scope } = {}) {
      const most = Math.min(100, Math.max(limit, leastMerged));
      const [found, near] = await Promise.all([index.search(query, { limit: most, ...scope }), nearest(query, most)]);
      if (near.length === 0) return index.search(query, { limit, perPage, ...scope });
      const known = new Map(found.map((result) => [result.section, result]));
      const others = await index.sections(near.flatMap(({ section }) => (known.has(section) ? [] : [section])));
      for (const { text: _, code: _code, marked: _marked, ...citation } of others)
        known.set(citation.section, { ...citation, score: 0, terms: [], matches: 1 });
      const merged = byBothScores(found, near).map(({ section, score }): SearchResult => ({
        ...known.get(section)!,
        score,
      }));
      return (perPage === undefined ? merged : spread(merged, perPage, ({ page }) => page)).slice(0, limit);
    },
  };
}

/** Sections of both lists, by their scores relative to the best. Each model has its own range of similarities, which is scaled to 0 to 1. */
function byBothScores(found: SearchResult[], near: NearSection[]): { section: number; score: number }[] {
  const best = found[0]?.score || 1;
  const scores = new Map(found.map(({ section, score }) => [section, score / best]));
  const [most, least] = [near[0]?.similarity ?? 0, near.at(-1)?.similarity ?? 0];
  for (const { section, similarity } of near)
    scores.set(section, (scores.get(section) ?? 0) + (similarityWeight * (similarity - least)) / (most - least || 1));
  return [...scores].map(([section, score]) => ({ section, score })).sort((a, b) => b.score - a.score || a.section - b.section);
}

// Small embedding models read about 500 tokens. Characters of scripts without spaces take most of a token each.
const mostWeight = 2000;
const denseWeight = 3;
const dense = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

/** What an embedding model reads of a section: its headings, and the beginning of its text. */
export function embeddedText({
  title,
  headings,
  text,
  code,
}: { title: string; headings: string[] } & Pick<SectionText, 'text' | 'code'>): string {
  const names = [...new Set([title, ...headings])].filter((name) => name !== '').join(' › ');
  return beginning([names, text, code].filter((part) => part !== '').join('\n'));
}

/** At most as much of a text as a small embedding model reads. */
export function beginning(text: string): string {
  let weight = 0;
  let end = 0;
  for (const character of text) {
    weight += dense.test(character) ? denseWeight : character.length;
    if (weight > mostWeight) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
