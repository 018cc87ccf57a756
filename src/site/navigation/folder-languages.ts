import type { NavigationEntry } from '../../source/docs-json.ts';
import { languageTag } from '../languages.ts';
import { navigationFromFiles } from './navigation-from-files.ts';
import type { PageFacts } from '../page-facts.ts';

/** Navigation of a folder without configuration, by language if its top-level folders are translations (`de/`, `pt-br/`). */
export function navigationOfFolder(pages: readonly PageFacts[]): NavigationEntry {
  const translated = translationFolders(pages);
  if (translated.size === 0) return navigationFromFiles(pages);
  const rest = pages.filter((page) => !translated.has(topFolder(page)));
  const folders = [...translated].sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
  const languages = folders.map((folder): NavigationEntry => {
    const own = pages.filter((page) => topFolder(page) === folder);
    return { language: folder, ...navigationFromFiles(own, folder) };
  });
  if (rest.length === 0) return { languages };
  return { languages: [{ language: mainLanguage(rest) ?? 'en', default: true, ...navigationFromFiles(rest) }, ...languages] };
}

/** Top-level folders named like a language in which enough pages have a counterpart elsewhere: `api/` or `go/` is not a language. */
function translationFolders(pages: readonly PageFacts[]): Set<string> {
  const paths = new Set(pages.map((page) => page.path));
  const inner = new Map<string, string[]>();
  for (const page of pages) {
    const folder = topFolder(page);
    if (folder && isLanguage(folder)) inner.set(folder, [...(inner.get(folder) ?? []), page.path.slice(folder.length + 1)]);
  }
  const folders = [...inner.keys()];
  const hasTwin = (folder: string, path: string) =>
    paths.has(path) || folders.some((other) => other !== folder && paths.has(path ? `${other}/${path}` : other));
  return new Set(
    [...inner].flatMap(([folder, pages]) =>
      pages.filter((path) => hasTwin(folder, path)).length * 2 >= pages.length ? folder : [],
    ),
  );
}

function topFolder(page: PageFacts): string {
  const slash = page.source.file.indexOf('/');
  return slash < 0 ? '' : page.source.file.slice(0, slash);
}

function isLanguage(folder: string): boolean {
  if (!/^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(folder)) return false;
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(languageTag(folder)) !== undefined;
}

const scripts: [language: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
];

// An unfinished translation still contains much English, while English docs contain almost no text in other scripts.
const leastShare = 0.1;
const enoughLetters = 200;

/** Guesses the language from the script of the home page, or of all pages if the home page has little text; undefined for Latin script. */
export function mainLanguage(pages: readonly PageFacts[]): string | undefined {
  const home = pages.find((page) => page.path === '');
  const own = home ? prose(home) : '';
  const sample = count(own, /\p{L}/gu) >= enoughLetters ? own : pages.slice(0, 200).map(prose).join(' ');
  const all = count(sample, /\p{L}/gu);
  const found = scripts.find(([, letters]) => count(sample, letters) > all * leastShare)?.[0];
  return found === 'ru' && count(sample, /[іїєґ]/gi) * 40 > all ? 'uk' : found;
}

/** The first words of a page, without code and markup. */
function prose({ title, source }: PageFacts): string {
  const start = source.body.slice(0, 2000);
  return `${title} ${start.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|<[^>]*>|\]\([^)]*\)/g, ' ')}`;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
