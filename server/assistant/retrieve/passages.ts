// Sections as passages of a prompt, as many as a model can take, each with the number that cites it.
import type { ReadSection } from './read-sections.ts';
import { searchedLength } from './retrieve.ts';
import { framed, line, tokensIn } from './prompt-text.ts';
import { sectionPart } from './section-part.ts';

export interface Passage {
  number: number;
  /** Without a score when the model chose it by a tool. */
  section: Omit<ReadSection, 'score'> & Partial<Pick<ReadSection, 'score'>>;
  /** The part of it that the model reads. */
  text: string;
}

const longestPassage = 2000;

/**
 * As many sections as go into a number of tokens, in their order, the best first: whole ones, unless a section is longer than a passage may
 * be, or the best one than all tokens. Numbers go on from `after`.
 */
export function passagesOf(sections: ReadSection[], tokens: number, after = 0): Passage[] {
  let left = tokens;
  const passages: Passage[] = [];
  for (const section of sections) {
    const whole = textOf(section);
    if (whole === '') continue;
    const text = sectionPart(whole, section.terms, Math.min(longestPassage, Math.max(tokens / 2, 200)));
    const size = tokensIn(text) + headTokens;
    // The best section is always included, whatever the budget.
    if (size > left && passages.length > 0) continue;
    left -= size;
    passages.push({ section, text, number: after + passages.length + 1 });
  }
  return passages;
}

// Title, headings and number.
const headTokens = 30;

/** Its Markdown, else its plain text with its code. */
function textOf({ markdown, text, code }: ReadSection): string {
  const plain = code === '' ? text : `${text}\n\n\`\`\`\n${code}\n\`\`\``;
  return (markdown ?? plain).slice(0, searchedLength).trim();
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
