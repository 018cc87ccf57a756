// Retrieved sections in reading order, as many as a model can take, each with the number that cites it.
import { excerpt } from '../../../integration/search/excerpt.ts';
import { searchedLength, type Retrieved } from './retrieve.ts';
import { firstTokens, framed, line, tokensIn } from './prompt-text.ts';

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

/** Passages as the model reads them, each in a frame of its own. */
export function framedPassages(passages: Passage[], mark: string): string {
  return passages
    .map(({ number, section: { id, title, headings }, text }) => {
      const location = [title, ...headings.filter((heading, i) => i > 0 || heading !== title)].join(' › ');
      return framed(`passage ${number}`, mark, `From: ${line(location)} (/${line(id)})\n${text}`);
    })
    .join('\n\n');
}
