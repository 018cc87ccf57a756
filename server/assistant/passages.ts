// What was retrieved, in the order in which it is read and within what a model can take: each section with the number it is cited by.
import { excerpt } from '../../integration/search/excerpt.ts';
import { encodePath } from '../../integration/export/relative-url.ts';
import type { Source } from './answer-events.ts';
import { excerptOf, searchedLength, type Retrieved } from './retrieve.ts';
import { firstTokens, tokensIn } from './tokens.ts';

export interface Passage {
  number: number;
  section: Retrieved;
  /** What of its text is shown. */
  text: string;
}

const longestPassage = 900;

/**
 * As many sections as go into a number of tokens, the best of them; pages in the order of their best section, the sections of one in
 * the order of the page. Numbers go on from `after`.
 */
export function passagesOf(retrieved: Retrieved[], tokens: number, after = 0): Passage[] {
  let left = tokens;
  const chosen: { section: Retrieved; text: string }[] = [];
  for (const section of retrieved) {
    const text = shown(section, Math.min(longestPassage, Math.max(tokens / 3, 200)));
    const size = tokensIn(text) + headTokens;
    // Something is said of the best one, whatever the budget.
    if (size > left && chosen.length > 0) continue;
    left -= size;
    chosen.push({ section, text });
  }
  const pages = [...new Set(chosen.map(({ section }) => section.page))];
  return chosen
    .sort((a, b) => pages.indexOf(a.section.page) - pages.indexOf(b.section.page) || a.section.section - b.section.section)
    .map((passage, i) => ({ ...passage, number: after + i + 1 }));
}

// Title, headings and number.
const headTokens = 30;

/** Of a long section the stretch that was searched for. */
function shown({ terms, ...section }: Retrieved, tokens: number): string {
  const [text, code] = [section.text.slice(0, searchedLength), section.code.slice(0, searchedLength)];
  const block = code === '' ? '' : `\n\`\`\`\n${code}\n\`\`\``;
  if (tokensIn(text + block) <= tokens) return `${text}${block}`.trim();
  const textTokens = code === '' ? tokens : tokens * 0.6;
  const perToken = Math.max(1, Math.floor(text.length / Math.max(1, tokensIn(text))));
  const cut = tokensIn(text) <= textTokens ? text : excerpt(text, terms, { length: Math.floor(textTokens * perToken) }).text;
  const rest = tokens - tokensIn(cut);
  return (code === '' || rest < 20 ? cut : `${cut}\n\`\`\`\n${firstTokens(code, rest)}\n\`\`\``).trim();
}

export function sourcesOf(passages: Passage[], siteUrl: string | undefined): Source[] {
  return passages.map(({ number, section }) => ({
    number,
    ...placeOf(section, siteUrl),
    excerpt: excerptOf(section),
    score: section.score,
  }));
}

/** Where a section is, for readers. */
export function placeOf(
  { id, title, headings }: Pick<Retrieved, 'id' | 'title' | 'headings'>,
  siteUrl: string | undefined,
): Pick<Source, 'id' | 'url' | 'title' | 'headings'> {
  return { id, url: addressOf(id, siteUrl), title, headings };
}

/** Address of a section: absolute where the site's is known, else from its root. */
export function addressOf(id: string, siteUrl: string | undefined): string {
  const [page = '', ...anchor] = id.split('#');
  const hash = anchor.length === 0 ? '' : `#${encodePath(anchor.join('#'))}`;
  return `${siteUrl?.replace(/\/+$/, '') ?? ''}/${encodePath(page)}${hash}`;
}
