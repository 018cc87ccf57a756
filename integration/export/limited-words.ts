// The last look at an export for some readers: a word that only pages for others have may be in no byte of it.
import { ExportError } from '../errors.ts';
import type { ExportFolder } from '../output/export-folder.ts';
import { shardText } from '../search/shards.ts';
import { toTerm, tokenize } from '../search/tokenize.ts';
import { frontDecoded } from '../search/term-writer.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import type { ExportInput, LimitedWords } from './export-input.ts';

const fewestCharacters = 5;
const [backslash, percent, letterU] = [0x5c, 0x25, 0x75];

/** The words of a text, in lower case: five or more letters and digits, not digits alone. */
export function wordsIn(text: string): string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  eachWord(lower, (start, end) => words.push(lower.slice(start, end)));
  return words.filter((word) => /\D/.test(word));
}

/** Calls `visit` with the range of each word. Escapes of JSON, scripts and URLs separate words. An export has hundreds of megabytes. */
function eachWord(text: string, visit: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInWord(code)) {
      if (start < 0) start = at;
      continue;
    }
    if (start >= 0 && at - start >= fewestCharacters) visit(start, at);
    start = -1;
    if (code === backslash) at += text.charCodeAt(at + 1) === letterU ? 5 : 1;
    else if (code === percent && isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2))) at += 2;
  }
}

/** Digits and lower-case letters; of other scripts everything but spaces and punctuation. */
function isInWord(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return (
    code >= 0xc0 &&
    !(code >= 0x2000 && code <= 0x206f) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    !(code >= 0xff00 && code <= 0xff0f)
  );
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66);
}

/** A function that gives those of these words that are in a text. There are thousands: `wordFinders` looks for a few, in all spellings. */
export function createFinder(words: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>): (text: string) => string[] {
  // Nearly all words of a text end here.
  const beginnings = new Uint8Array(0x10000);
  const beginning = (text: string, at: number): number => {
    let hash = 0;
    for (let i = at; i < at + fewestCharacters; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) & 0xffff;
    return hash;
  };
  for (const word of words.keys()) beginnings[beginning(word, 0)] = 1;
  return (text) => {
    const lower = text.toLowerCase();
    const found: string[] = [];
    eachWord(lower, (start, end) => {
      if (beginnings[beginning(lower, start)] !== 1) return;
      const word = lower.slice(start, end);
      if (words.has(word)) found.push(word);
    });
    return found;
  };
}

interface FinishedExport extends Pick<ExportInput, 'assets'> {
  names: Pick<SafeNames, 'asset'>;
  folder: Pick<ExportFolder, 'files' | 'read'>;
}

/** Throws `ExportError` `LimitedWordFound` if a file of the export, its name included, has such a word. */
export async function checkLimitedWords(
  { words, others }: LimitedWords,
  { assets, names, folder }: FinishedExport,
): Promise<void> {
  // A file of the site that a page loads is one that its readers see.
  const copied = new Set(assets.map(({ path }) => names.asset(path)));
  const find = createFinder(words);
  const found = new Map<string, string>();
  for (const file of folder.files.keys())
    for (const word of find(copied.has(file) ? file : `${file}\n${textOf(file, folder)}`))
      if (!found.has(word)) found.set(word, file);
  const forgive = (text: string) => {
    // A word may have marks inside: `await`ed.
    const said = `${text}\n${text.replaceAll(/<[^>]*>|[`*_~]/g, '')}`.toLowerCase();
    for (const word of found.keys()) if (said.includes(word)) found.delete(word);
    // The index has other forms of words, without accents and endings.
    if (found.size > 0) for (const token of tokenize(text)) found.delete(toTerm(token) ?? '');
  };
  for (const file of copied)
    if (found.size > 0 && folder.files.has(file)) forgive(isText.test(file) ? `${file}\n${folder.read(file)}` : file);
  if (found.size > 0) for await (const text of others()) forgive(text);
  const [first] = found;
  if (first === undefined) return;
  const [word, file] = first;
  const more = [...found.keys()].slice(1);
  const rest = more.length === 0 ? '' : ` ${more.length} more: ${more.slice(0, 9).join(', ')}.`;
  throw new ExportError(
    'LimitedWordFound',
    `${file} would contain "${word}", which only ${words.get(word)!} has, a file that the readers of this export may not see.${rest} Nothing was changed.`,
    'If these readers may know the word, use it on a page that they see, such as in its keywords. Otherwise report this as a fault of Carrel.',
  );
}

/** In files of the search index, terms share their beginnings with those before them, and the rest is numbers. */
function textOf(file: string, folder: Pick<ExportFolder, 'read'>): string {
  const text = folder.read(file);
  return isOfTerms.test(file) ? frontDecoded(shardText(text).split('\n', 1)[0]!).join(' ') : text;
}

const isOfTerms = /^_carrel\/search\/[^/]+\/[^/]+\/(?:t|dict)\d+\.js$/;
const isText = /\.(?:m?js|css|svg|json|ya?ml|graphql|html?|mdx?|txt|xml|webmanifest)$/i;
