import { markedParts, marks, plainText } from './text-marks.ts';

/** Smallest part of a section that can be quoted: a sentence or a short line, a row, an item, a code block. */
export interface Block {
  kind: 'line' | 'head' | 'row' | 'step' | 'item' | 'description' | 'code';
  /** With its marks. */
  marked: string;
  plain: string;
  /** What stands between it and the block before: a sentence continues its line. */
  before: string;
}

/** The blocks of a section, in order. */
export function blocksOf(marked: string): Block[] {
  return markedParts(marked).flatMap(({ text, isCode }): Block[] =>
    isCode ? [{ kind: 'code', marked: text, plain: text, before: '' }] : text.split('\n').flatMap(blocksOfLine),
  );
}

function blocksOfLine(line: string): Block[] {
  const plain = plainText(line);
  if (plain === '') return [];
  const kind = kinds.get(line.charAt(0)) ?? (line.includes(marks.cell) ? 'row' : 'line');
  if (kind !== 'line' || plain.length <= longLine) return [{ kind, marked: line, plain, before: '\n' }];
  return sentencesOf(line).map((sentence, i) => {
    const marked = sentence.trimStart();
    return { kind, marked, plain: plainText(marked), before: i === 0 ? '\n' : sentence.slice(0, -marked.length) };
  });
}

const kinds = new Map<string, Block['kind']>([
  [marks.head, 'head'],
  [marks.step, 'step'],
  [marks.item, 'item'],
  [marks.description, 'description'],
]);

const longLine = 210;
const longestSentence = 840;

function sentencesOf(line: string): string[] {
  return [...line.matchAll(sentencePattern)].flatMap(([found]) => {
    const sentence = found.trimEnd();
    if (sentence.length <= longestSentence) return sentence === '' ? [] : [sentence];
    return [sentence.slice(0, cutOf(sentence))];
  });
}

/** Where to cut a text without an end, such as a line of numbers. */
function cutOf(text: string): number {
  const space = text.lastIndexOf(' ', longestSentence / 2);
  return space > 0 ? space : longestSentence / 2;
}

// A sentence ends at a period before a space, or at one of a script that needs no space.
const sentencePattern = /.+?(?:[.!?؟…]["'”’»)\]]*(?=\s)|[。！？｡।॥։።။]["'”’»」』）)\]]*|$)/gsu;

/** Whether the block is a sentence, unlike the title of a list. */
export function isSentence({ plain }: Block): boolean {
  return /[.!?…。！？؟।॥։።။]["'”’»」』）)\]]*$/.test(plain);
}
