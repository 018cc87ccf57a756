// The terms of the glossary in the prose of a page: which words are terms, and which of them get a tooltip.
import type { ElementContent } from 'hast';
import { isUnspaced, unspacedScripts } from '../../integration/search/tokenize.ts';
import { withTip } from './components/inline.ts';
import type { RenderContext } from './context.ts';

/** Gives the HTML of a text of a page: each term that is not in `found` yet, which gets it, has a tooltip. */
export type TermMarker = (text: string, found: Map<string, string>, context: RenderContext) => ElementContent[];

export function createTermMarker(glossary: ReadonlyMap<string, string>): TermMarker {
  const find = createTermFinder(glossary.keys());
  return (text, found, context) => {
    const nodes: ElementContent[] = [];
    let last = 0;
    const textUntil = (end: number): ElementContent[] => (last < end ? [{ type: 'text', value: text.slice(last, end) }] : []);
    for (const { term, start, end } of find(text)) {
      if (found.has(term)) continue;
      const definition = glossary.get(term)!;
      found.set(term, definition);
      nodes.push(...textUntil(start));
      last = start;
      // Search would find the definition on every page that has the term.
      nodes.push(withTip(textUntil(end), context.inlineMarkdown(definition), context, { 'data-carrel-skip': '' }));
      last = end;
    }
    return [...nodes, ...textUntil(text.length)];
  };
}

interface Spelling {
  term: string;
  text: string;
}

interface FoundTerm {
  term: string;
  start: number;
  end: number;
}

const letter = `[[\\p{L}\\p{M}\\p{N}_]--[${unspacedScripts}]]`;
const wordOrSign = new RegExp(`${letter}+|\\S`, 'gv');
// Twice as fast as the other pattern.
const asciiWordOrSign = /\w+|[^\s\w]/g;
const beyondAscii = /[\u0080-\uffff]/;
const letterFirst = new RegExp(`^${letter}`, 'v');
const endsWithLetter = new RegExp(`${letter}$`, 'v');
const koreanFirst = /^\p{scx=Hangul}/u;
const sentenceStart = /(?:^|[.!?:…]["'”’)\]]*\s)\s*["'“‘(¿¡[]*$/u;
// Search can't use it, since browsers have other dictionaries; this runs in the build alone.
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** One table for all terms, by how they begin: the time for a text does not grow with their number. */
function createTermFinder(terms: Iterable<string>): (text: string) => FoundTerm[] {
  const spellings = [...terms].flatMap((term): Spelling[] => {
    const capital = term.replace(/^./u, (first) => first.toUpperCase());
    return term === term.toLowerCase() && capital !== term
      ? [
          { term, text: term },
          { term, text: capital },
        ]
      : [{ term, text: term }];
  });
  const longestFirst = spellings.toSorted((a, b) => b.text.length - a.text.length);
  const byStart = Map.groupBy(longestFirst, ({ text }) => text.match(wordOrSign)?.[0]);
  return (written) => {
    const text = written.replace(/[^\S ]/g, ' ');
    const found: FoundTerm[] = [];
    for (const { 0: start, index } of text.matchAll(beyondAscii.test(text) ? wordOrSign : asciiWordOrSign)) {
      if (index < (found.at(-1)?.end ?? 0)) continue;
      const spelling = byStart.get(start)?.find((one) => text.startsWith(one.text, index) && isWhole(one, text, index));
      if (spelling) found.push({ term: spelling.term, start: index, end: index + spelling.text.length });
    }
    return found;
  };
}

/** Whether the spelling is no part of a longer word there, and a capital one begins a sentence. */
function isWhole({ term, text: spelling }: Spelling, text: string, start: number): boolean {
  const end = start + spelling.length;
  if (spelling !== term && !sentenceStart.test(text.slice(Math.max(0, start - 8), start))) return false;
  if (isUnspaced(spelling[0]!) && !isBoundary(text, start)) return false;
  if (endsWithLetter.test(spelling)) return !letterFirst.test(text.slice(end, end + 2));
  // Korean particles are attached to the noun.
  return !isUnspaced(spelling.at(-1)!) || koreanFirst.test(text.slice(end, end + 1)) || isBoundary(text, end);
}

function isBoundary(text: string, at: number): boolean {
  return at === text.length || segmenter.segment(text).containing(at)?.index === at;
}
