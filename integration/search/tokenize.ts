/**
 * Text becomes words, words become tokens, tokens become terms. Index, query and excerpt all use this file: if they disagreed, a search
 * would find nothing, without an error.
 *
 * A word is what is between punctuation and spaces. Its tokens are the word itself and its parts (`batchTrigger`: batch, Trigger), or
 * overlapping pairs of characters in scripts written without spaces. A compound is a name of several words or with a sign of its own
 * (`client.run`, `@scope/name`, `max-width`, `--no-cache`); it is one more token beside those of its words. A term is a normalized token.
 */

/** Tokens of the text in reading order, with repetitions; a compound comes before its words. */
export function tokenize(text: string): string[] {
  return candidates(text).flatMap(({ start, end }) => candidateTokens(text.slice(start, end)));
}

/** A range of a text; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Parts of the text that contain whole words or are a compound: cheap to find, and equal parts have equal tokens. */
export function candidates(text: string): Range[] {
  const compoundFrom = compoundsOf(text);
  return Array.from(text.matchAll(candidatePattern), ({ 0: word, index }) => {
    const range = { start: index, end: index + word.length };
    const compound = compoundFrom(range.start, range.end);
    return compound ? [compound, range] : [range];
  }).flat();
}

/** A function that is called with the words of a text in their order, and gives the compound that begins with the word, if there is one. */
export function compoundsOf(text: string): (start: number, end: number) => Range | undefined {
  let lastEnd = 0;
  return (start, end) => {
    const compound = start < lastEnd ? undefined : compoundAt(text, start, end);
    if (compound) lastEnd = compound.end;
    return compound;
  };
}

/** It includes the signs before the word that belong to the name. */
function compoundAt(text: string, start: number, end: number): Range | undefined {
  const [before, after, next] = [text.charCodeAt(start - 1), text.charCodeAt(end), text.charCodeAt(end + 1)];
  const hasSign = before === 0x2d || before === 0x40;
  // Nearly all words end here: this is asked of each.
  if (!hasSign && !((after === 0x2e || after === 0x2f || after === 0x2d) && asciiWord[next] === 1)) return undefined;
  const sign = hasSign ? (signPattern.exec(text.slice(Math.max(0, start - 3), start))?.[0] ?? '') : '';
  // The rest of a URL or a version is not a name.
  if (hasSign ? sign === '' : (before === 0x2e || before === 0x2f) && /[\w:/]/.test(text[start - 2] ?? '')) return undefined;
  chainPattern.lastIndex = start;
  const chain = chainPattern.exec(text)?.[0] ?? '';
  const isName = chain.length + sign.length <= maxTerm && (hasSign || isCompound(chain)) && namePattern.test(chain);
  return isName ? { start: start - sign.length, end: start + chain.length } : undefined;
}

/** By code: whether an ASCII character is part of a word. */
export const asciiWord = Uint8Array.from({ length: 0x80 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

/** Whether a token or candidate is a compound. */
export function isCompound(token: string): boolean {
  return /[./@-]/.test(token);
}

/** Tokens of one part from `candidates`. */
export function candidateTokens(candidate: string): string[] {
  if (isCompound(candidate)) return [candidate];
  if (!beyondAscii.test(candidate)) return spacedTokens(candidate);
  return (candidate.match(wordPattern) ?? []).flatMap((word) => pieces(normalize(word)).flatMap((piece) => piece.tokens));
}

/** Part of a text with its tokens. */
export interface Piece extends Range {
  tokens: string[];
}

/**
 * Words and compounds of the text with their positions, a compound before its words; a word of a script without spaces is one piece per
 * pair of characters.
 */
export function locate(text: string): Piece[] {
  const located: Piece[] = [];
  const compoundFrom = compoundsOf(text);
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const compound = compoundFrom(index, index + word.length);
    if (compound) located.push({ ...compound, tokens: [text.slice(compound.start, compound.end)] });
    const plain = normalize(word);
    const found = pieces(plain);
    // Positions inside a word are valid only if normalizing did not change it; otherwise the whole word is one piece.
    if (plain === word)
      for (const { start, end, tokens } of found) located.push({ start: index + start, end: index + end, tokens });
    else located.push({ start: index, end: index + word.length, tokens: found.flatMap((piece) => piece.tokens) });
  }
  return located;
}

/** The term of a token, also of a stop word; undefined for tokens too long to index. */
export function toTerm(token: string): string | undefined {
  return token.length > maxTerm ? undefined : singularOf(token.toLowerCase());
}

/** Whether a term is from a script without spaces, so that already one character is worth completing. */
export function isUnspaced(term: string): boolean {
  return unspaced.test(term);
}

const maxTerm = 40;

// Words that dots, slashes and hyphens join; the names among them: each part between dots and slashes begins with a letter (numbers of
// versions do not), and not all have one letter (`e.g`).
const chainPattern = /[A-Za-z0-9_]+(?:[./-][A-Za-z0-9_]+)*/y;
const namePattern = /^(?!\w(?:\.\w)+$)[A-Za-z_][\w-]*(?:[./][A-Za-z_][\w-]*)*$/;
const signPattern = /(?:(?<![\w\u0080-\uffff-])--?|(?<![\w\u0080-\uffff])@)$/;

// Several times faster than wordPattern on ASCII, which most text is; wordPattern then separates other characters.
const candidatePattern = /[\w\u0080-\uffff]+/g;
const beyondAscii = /[\u0080-\uffff]/;
// U+00AD, the soft hyphen, is part of a word and has no meaning.
const wordPattern = /[\p{L}\p{M}\p{N}_\u00ad]+/gu;

// Script extensions include the Japanese length mark, which two scripts share. Korean has spaces, but its particles are attached to
// the noun: pairs find `설치` in `설치하는`. Intl.Segmenter is not an option: its dictionaries differ between Node and browsers.
export const unspacedScripts =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u');
const runPattern = new RegExp(`(?:[${unspacedScripts}]\\p{M}*)+|[^${unspacedScripts}]+`, 'gu');
const characterPattern = /\P{M}\p{M}*|\p{M}+/gu;

/** Pieces of a normalized word: runs of one kind of script, those without spaces as overlapping pairs, a single character unchanged. */
function pieces(word: string): Piece[] {
  const found: Piece[] = [];
  for (const { 0: run, index } of word.matchAll(runPattern)) {
    if (!unspaced.test(run)) {
      for (const { 0: part, index: inner } of run.matchAll(wordPattern))
        found.push({ start: index + inner, end: index + inner + part.length, tokens: spacedTokens(part) });
      continue;
    }
    const characters = run.match(characterPattern) ?? [];
    let start = index;
    for (let i = 0; i < Math.max(1, characters.length - 1); i++) {
      const pair = characters[i]! + (characters[i + 1] ?? '');
      found.push({ start, end: start + pair.length, tokens: [pair] });
      start += characters[i]!.length;
    }
  }
  return found;
}

const hasParts = /[a-z0-9][A-Z]|_|[A-Z]{2}[a-z]/;
const partBoundary = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** The word without outer underscores, then its parts, if it has two or more of at least two characters. */
function spacedTokens(word: string): string[] {
  const bare = word.startsWith('_') || word.endsWith('_') ? word.replace(/^_+|_+$/g, '') : word;
  if (bare === '') return [];
  return [bare, ...partsOf(bare)];
}

/** The parts of a token that is a name of several words (`batchTrigger`, `max_retry`). */
export function partsOf(token: string): string[] {
  if (!hasParts.test(token)) return [];
  const parts = token.split(partBoundary).filter((part) => part.length >= 2);
  return parts.length >= 2 ? parts : [];
}

// Accents of Latin and Greek, the two dots of Cyrillic, vowel signs, hamza and stretching of Arabic, points of Hebrew: readers and
// writers often omit them. Compatibility forms (full width, ligatures) become plain ones.
const optionalMarks =
  /(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+|(?<=\p{sc=Cyrillic})\u0308|[\u064b-\u065f\u0670\u0591-\u05c7\u0640\u00ad]/gu;

function normalize(word: string): string {
  if (!beyondAscii.test(word)) return word;
  const plain = word.normalize('NFKD').replace(optionalMarks, '').normalize('NFC');
  // An Arabic noun matches with and without its article.
  return plain.replace(/^\u0627\u0644(?=[\u0620-\u064a]{3})/, '');
}

/** English plural to singular, and no more: this joins forms that readers take for one word, and hardly ever two words. */
function singularOf(term: string): string {
  if (term.length < 4 || !term.endsWith('s') || !/^[a-z]+$/.test(term)) return term;
  if (term.length >= 5 && term.endsWith('ies')) return `${term.slice(0, -3)}y`;
  if (/[sui]s$/.test(term)) return term;
  return /(?:ch|sh|x|ss|z)es$/.test(term) ? term.slice(0, -2) : term.slice(0, -1);
}

/**
 * The stem that the inflections of a word share, roughly: `export` for exports, exported, exporting. Search does without, since stems
 * join words that readers tell apart; whether a text answers a question is better judged with them.
 */
export function stemOf(term: string): string {
  if (cyrillic.test(term)) return withoutSuffix(term, cyrillicSuffix, 3);
  if (arabic.test(term)) return withoutSuffix(term, arabicSuffix, 3);
  if (term.length < 5 || !/^[a-z]+$/.test(term)) return term.length > 3 ? term.replace(/(?<=[a-z]{3})e$/, '') : term;
  const stem = suffixes.reduce((left, [suffix, least]) => (left === term ? withoutSuffix(left, suffix, least) : left), term);
  // `stop` for stopping, `instal` for install and installed; `configur` for configure, `cop` for copies and copy.
  return stem.replace(/([bdfgklmnprt])\1$/, '$1').replace(/(?<=...)[eiy]$/, '');
}

// Each with the fewest letters that may be left: the shorter the rest, the less likely it is a suffix.
const suffixes: [RegExp, number][] = [
  [/(?:ational|ations?|itions?|ate|ates|ated|ating|ators?)$/, 4],
  [/(?:ments?|ness|edly)$/, 4],
  [/(?:able|ible|ably|ally)$/, 5],
  [/(?:ies|ied)$/, 3],
  [/ing$/, 3],
  [/(?:ed|es)$/, 3],
  [/(?:ers?|ors?|ly|al)$/, 4],
  [/s$/, 4],
];

const cyrillic = /^[\u0400-\u04ff]{4,}$/;
const arabic = /^[\u0620-\u064a]{4,}$/;

// Cases and persons, long ones first; the languages in each script share most of them.
const cyrillicSuffix =
  /(?:иями|ями|ами|ией|иях|иям|ях|ах|ям|ам|ого|его|ому|ему|ыми|ими|ый|ий|ой|ей|ая|яя|ое|ее|ые|ие|ую|юю|ых|их|ым|им|ом|ем|ов|ев|ия|ию|ии|ить|ать|ять|еть|уть|ите|ете|ишь|ешь|ит|ет|ат|ят|ют|ут|ал|ил|ть|а|я|о|е|и|ы|у|ю|ь|й)$/;
const arabicSuffix = /(?:ات|ون|ين|ان|ية|ها|هم|ة|ه|ي)$/;

function withoutSuffix(term: string, suffix: RegExp, least: number): string {
  const stem = term.replace(suffix, '');
  return stem.length >= least ? stem : term;
}
