// Retrieved sections in reading order, as many as a model can take, each with the number that cites it.
import { excerpt } from '../../../integration/search/excerpt.ts';
import { encodePath } from '../../../integration/urls/relative-url.ts';
import { searchedLength, type Retrieved } from './retrieve.ts';
import { firstTokens, tokensIn } from './prompt-text.ts';

export interface Passage {
  number: number;
  /** Without a score when the model chose it by a tool. */
  section: Omit<Retrieved, 'score'> & Partial<Pick<Retrieved, 'score'>>;
  /** The part of its text that the model reads. */
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
    // The best section is always included, whatever the budget.
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

/** The part of a long section that matches. */
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

/** A page that the answer cites, at the section that it cites first; `number` is what `[1]` in its text means. */
export interface Source {
  number: number;
  /** URL `path#anchor`. */
  id: string;
  /** Absolute where the site's URL is known, else relative to the site: `/guides/install#npm`. */
  url: string;
  title: string;
  /** Headings from the page's first level down to the section's own. */
  headings: string[];
  /** The words that were found, at most 300 characters. */
  excerpt: string;
  /** 0 to 1, of the best that was found; absent for a page that the model chose to read. */
  score?: number;
}

/** The pages that an answer cites, numbered in the order in which it cites them. */
export function createSources(siteUrl: string | undefined) {
  const numbers = new Map<string, number>();
  let fresh: Source[] = [];
  return {
    /** The number of the page of a cited section. */
    cite(
      { id, page, title, headings, score }: Pick<Retrieved, 'id' | 'page' | 'title' | 'headings'> & { score?: number },
      excerpt: () => string,
    ): number {
      const known = numbers.get(page);
      if (known !== undefined) return known;
      const number = numbers.size + 1;
      numbers.set(page, number);
      fresh.push({ number, id, url: urlOf(id, siteUrl), title, headings, excerpt: excerpt(), score });
      return number;
    },
    /** Pages that were cited for the first time since the last call. */
    fresh(): Source[] {
      const given = fresh;
      fresh = [];
      return given;
    },
  };
}

/** URL of a section: absolute when the site's URL is known, else from its root. */
export function urlOf(id: string, siteUrl: string | undefined): string {
  const [page = '', ...anchor] = id.split('#');
  const hash = anchor.length === 0 ? '' : `#${encodePath(anchor.join('#'))}`;
  return `${siteUrl?.replace(/\/+$/, '') ?? ''}/${encodePath(page)}${hash}`;
}
