// Material in a prompt stands in frames, whose mark is made for the one request: no text that was written before can close them.
import type { Passage } from './passages.ts';

/** Passages as the model reads them, each in a frame of its own. */
export function framedPassages(passages: Passage[], mark: string): string {
  return passages
    .map(({ number, section: { id, title, headings }, text }) => {
      const place = [title, ...headings.filter((heading, i) => i > 0 || heading !== title)].join(' › ');
      return framed(`passage ${number}`, mark, `From: ${line(place)} (/${line(id)})\n${text}`);
    })
    .join('\n\n');
}

/** A text in its frame. */
export function framed(name: string, mark: string, text: string): string {
  return `<${name} ${mark}>\n${harmless(text, mark)}\n</${name} ${mark}>`;
}

/** A text in one line of at most 300 characters. */
export function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}

/**
 * Without the mark and invisible characters, and with a blank in what the templates of models take for the end of a turn (`<|im_end|>`,
 * `[INST]`): some servers read these anywhere.
 */
export function harmless(text: string, mark?: string): string {
  const seen = text.replace(unseen, '');
  const unmarked = mark === undefined ? seen : seen.replaceAll(mark, '');
  return unmarked.replace(turnTokens, '$& ');
}

const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu;
const turnTokens =
  /<(?=[|｜][\w▁ ]{1,60}[|｜]>)|<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn)>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\])|<(?=<\/?SYS>>)/gi;
