import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { languageTag } from '../../integration/text/language-tag.ts';
import type { Page, Site } from './model.ts';
import type { PageFacts } from './page-facts.ts';

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur']);

export function direction(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.split('-')[0]!.toLowerCase()) ? 'rtl' : 'ltr';
}

/** The name of a language in that language: 'Deutsch', '日本語'. */
export function languageName(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** The language of pages without one: as requested, or else the site's first, or else guessed from the script of the pages, or else English. */
export function siteLanguage(
  contexts: readonly { language?: string }[],
  pages: readonly PageFacts[],
  asked: string | undefined,
): { tag: string; problems: Problem[] } {
  const named = contexts.find((context) => context.language !== undefined)?.language;
  if (named !== undefined) return { tag: named, problems: [] };
  if (asked !== undefined) return { tag: languageTag(asked), problems: [] };
  const guessed = mainLanguage(pages);
  if (guessed === undefined) return { tag: 'en', problems: [] };
  const problem: Problem = createProblem({
    kind: 'language-guessed',
    message: `The docs do not declare a language. Judging by the script, it is ${languageName(guessed)} ("${guessed}").`,
    hint: `To confirm it, set --language ${guessed}; otherwise set the correct language.`,
  });
  return { tag: guessed, problems: [problem] };
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

const anyScript = new RegExp(`[${scripts.map(([, { source }]) => source.replace(/[[\]]/g, '')).join('')}]`, 'u');

// An unfinished translation still contains much English, while English docs contain almost no text in other scripts.
const leastShare = 0.1;
const enoughLetters = 200;

/** Guesses the language from the script of the home page, or of all pages if the home page has little text; undefined for Latin script. */
export function mainLanguage(pages: readonly PageFacts[]): string | undefined {
  const home = pages.find((page) => page.path === '');
  const own = home ? prose(home) : '';
  const sample = count(own, /\p{L}/gu) >= enoughLetters ? own : pages.slice(0, 200).map(prose).join(' ');
  // Most docs have no letter of another script, and counting their own takes ten times as long.
  if (!anyScript.test(sample)) return undefined;
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

/**
 * Finds the page in the default language for the path of one that is not translated. Generators of Markdown folders show it there;
 * with a docs.json, such a link is broken.
 */
export function untranslatedPages({ source, pages, defaultLanguage }: Pick<Site, 'source' | 'pages' | 'defaultLanguage'>) {
  const folderOf = (path: string) => path.slice(0, Math.max(path.indexOf('/'), 0));
  const isDefault = ({ language }: Pick<Page, 'language'>) => language === defaultLanguage;
  const folders = new Set(pages.filter((page) => !isDefault(page)).map(({ path }) => path.split('/')[0]));
  const originals = new Map(
    pages.filter(isDefault).flatMap(({ path }) => [
      [path, path],
      [path.slice(folderOf(path).length + 1), path],
    ]),
  );
  return (path: string): string | undefined => {
    const folder = folderOf(path);
    if (source.config !== null || folder === '' || !folders.has(folder)) return undefined;
    const original = originals.get(path.slice(folder.length + 1));
    return original === undefined ? undefined : `/${original}`;
  };
}
