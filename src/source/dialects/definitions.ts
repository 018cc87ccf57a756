// Definition lists of MkDocs, kramdown and Hugo: a term, and below it `: ` with its definition. They become `<dl>`.
import GithubSlugger from 'github-slugger';
import { type Line, surroundingsOf } from './lines.ts';

export const hasDefinitions = /^ {0,3}:[ \t]+\S/m;

const definition = /^( {0,3}):([ \t]+)(\S.*)$/;
/** What starts another block is not a term. */
const otherBlock = /^(?: {4}|\t| {0,3}(?:[-*+>|<#:!=?/`~{]|\d{1,9}[.)][ \t]))/;

export function translateDefinitions(lines: Line[]): Line[] {
  const around = surroundingsOf(lines);
  const translated: Line[] = [];
  const slugger = new GithubSlugger();
  let isOpen = false;
  const add = (number: number, ...texts: string[]) => translated.push(...texts.map((text) => ({ text, number })));
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const terms = around[i]?.isCode ? 0 : termsAt(lines, i);
    const isDefinition = isOpen && definition.test(line.text);
    if (terms === 0 && !isDefinition) {
      if (isOpen && line.text.trim() !== '') {
        add(line.number, '</dl>', '');
        isOpen = false;
      }
      translated.push(line);
      continue;
    }
    if (!isOpen) add(line.number, '', '<dl>');
    isOpen = true;
    if (terms > 0) {
      for (const { text, number } of lines.slice(i, i + terms)) {
        const id = slugger.slug(text.replace(/[`*_]/g, '').trim());
        add(number, `<dt id="${id.replace(/[^\p{L}\p{N}_-]/gu, '')}">`, '', text.trim(), '', '</dt>');
      }
      i += terms - 1;
      continue;
    }
    const end = endOfDefinition(lines, i + 1);
    const [, , , first = ''] = definition.exec(line.text) ?? [];
    add(line.number, '<dd>', '', first);
    for (const { text, number } of lines.slice(i + 1, end)) add(number, text.replace(/^(?: {1,4}|\t)/, ''));
    add(lines[end - 1]?.number ?? line.number, '', '</dd>');
    i = end - 1;
  }
  if (isOpen) add(lines.at(-1)?.number ?? 1, '</dl>');
  return translated;
}

/** How many terms begin here: lines that end, with or without one blank line, before a definition. */
function termsAt(lines: readonly Line[], from: number): number {
  if (
    from > 0 &&
    lines[from - 1]!.text.trim() !== '' &&
    !definition.test(lines[from - 1]!.text) &&
    !/^(?: {2,}|\t)/.test(lines[from - 1]!.text)
  )
    return 0;
  let end = from;
  while (end < lines.length && end - from < 5 && isTerm(lines[end]!.text)) end++;
  if (end === from) return 0;
  const next = lines[end]?.text.trim() === '' ? end + 1 : end;
  // After a blank line, a paragraph of several lines is a paragraph.
  if (next > end && end - from > 1) return 0;
  return definition.test(lines[next]?.text ?? '') ? end - from : 0;
}

function isTerm(text: string): boolean {
  return text.trim() !== '' && text.length < 500 && (!otherBlock.test(text) || /^`[^`]/.test(text));
}

function endOfDefinition(lines: readonly Line[], from: number): number {
  let end = from;
  for (let i = from; i < lines.length; i++) {
    const { text } = lines[i]!;
    if (text.trim() === '') continue;
    const isIndented = /^(?: {2,}|\t)/.test(text);
    // A paragraph continues without indentation until a blank line.
    if (!isIndented && (i > end || definition.test(text))) break;
    end = i + 1;
  }
  return end;
}
