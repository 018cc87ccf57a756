// Text in a prompt: an estimate of its tokens, since no tokenizer is right for all models, and the frames that material stands in. The mark of
// a frame is made for the one request: no text that was written before can close it.
import { beginning } from '../../../integration/text/beginning.ts';

/** Characters of scripts without spaces take most of a token each. */
const dense = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

const charactersPerToken = 4;
const densePerToken = 1.5;

/** A guess at the number of tokens, on the high side for prose. */
export function tokensIn(text: string): number {
  const many = text.match(dense)?.length ?? 0;
  return Math.ceil(many / densePerToken + (text.length - many) / charactersPerToken);
}

/** The beginning of a text, at most `most` tokens long, with an ellipsis where it was cut. */
export function firstTokens(text: string, most: number): string {
  if (tokensIn(text) <= most) return text;
  let [from, to] = [0, Math.min(text.length, most * charactersPerToken)];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (tokensIn(text.slice(0, middle)) < most) from = middle;
    else to = middle - 1;
  }
  return `${beginning(text, from)}…`;
}

/** A text in its frame. */
export function framed(name: string, mark: string, text: string): string {
  return `<${name} ${mark}>\n${harmless(text, mark)}\n</${name} ${mark}>`;
}

/** A text in one line of at most 300 characters. */
export function line(text: string): string {
  return beginning(text.replace(/\s+/g, ' ').trim(), 300);
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
