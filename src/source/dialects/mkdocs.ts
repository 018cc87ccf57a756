// MkDocs and its Material theme: `!!! note "Title"`, `??? note`, `=== "Tab"` with indented content, and `/// note | Title` … `///`.
import { blockLine, capitalized, isCallout, titledCalloutLine } from './blocks.ts';
import { type Line, surroundingsOf } from './lines.ts';

export const hasMkdocs = /^[ \t>]*(?:!!!|\?\?\?\+?|===[+!]{0,2}[ \t]+"|\/\/\/+[ \t]*[A-Za-z])/m;

const admonition = /^([ \t]*)(!!!|\?\?\?\+?)[ \t]*([A-Za-z][\w-]*)((?:[ \t]+[A-Za-z][\w-]*)*)(?:[ \t]+["“](.*)["”])?[ \t]*$/;
const tab = /^([ \t]*)===([+!]{0,2})[ \t]+"(.*)"[ \t]*$/;
const slashes = /^([ \t]*)\/{3,}(?:[ \t]*([A-Za-z][\w-]*)[ \t]*(?:\|(.*))?)?$/;

/** Deepest nesting; the content of deeper blocks is shown as it is. */
const deepest = 30;

/** Blocks become containers; their content loses its indentation. */
export function translateMkdocs(lines: Line[], depth = 0, isInList = false): Line[] {
  const around = surroundingsOf(lines, isInList);
  const translated: Line[] = [];
  const open: string[] = [];
  let isAfterTab = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const { text, number } = line;
    const add = (...texts: string[]) => translated.push(...texts.map((one) => ({ text: one, number })));
    const head = around[i]?.isCode || depth >= deepest ? null : (admonition.exec(text) ?? tab.exec(text));
    if (head) {
      const [, indent = ''] = head;
      const end = endOfBlock(lines, i + 1, indent);
      const isTab = head.length === 4;
      if (/<[^`]*$/.test(lines[i - 1]?.text ?? '')) add('');
      if (isTab) {
        if (!isAfterTab) add(`${indent}:::tabs`);
        add(`${indent}${blockLine('tab', head[3])}`);
      } else add(`${indent}${admonitionLine(head)}`);
      translated.push(...translateMkdocs(dedented(lines.slice(i + 1, end), indent), depth + 1, indent !== ''));
      const closing = { text: `${indent}:::`, number: lines[end - 1]?.number ?? number };
      translated.push(closing);
      i = end - 1;
      const next = isTab ? nextText(lines, end) : undefined;
      const following = next === undefined ? null : tab.exec(next);
      isAfterTab = following?.[1] === indent && !following[2]?.includes('!');
      if (isTab && !isAfterTab) translated.push(closing);
      continue;
    }
    const slash = around[i]?.isCode ? null : slashes.exec(text);
    const isBlock = slash && (slash[2] === undefined ? open.length > 0 : /^[a-z]/.test(slash[2]) || isCallout(slash[2]));
    if (isBlock) {
      const [, indent = '', name, title = ''] = slash;
      if (name !== undefined) {
        let type = name;
        let last = i;
        const flags: string[] = [];
        for (const [, key, value = ''] of optionsAfter(lines, i + 1)) {
          last++;
          if (key === 'type') type = value.trim();
          if (key === 'open' && /true/i.test(value)) flags.push('{open}');
        }
        if (name === 'tab' && !isAfterTab) add(`${indent}:::tabs`);
        if (name === 'tab' || name === 'details')
          add(`${indent}${blockLine(name, title)}${flags.map((flag) => ` ${flag}`).join('')}`);
        else add(`${indent}${titledCalloutLine(type, slash[3] === undefined ? undefined : title.trim())}`);
        open.push(name);
        isAfterTab = false;
        i = last;
      } else {
        add(`${indent}:::`);
        if (open.pop() === 'tab') {
          isAfterTab = slashes.exec(nextText(lines, i + 1) ?? '')?.[2] === 'tab';
          if (!isAfterTab) add(`${indent}:::`);
        }
      }
      continue;
    }
    translated.push(line);
  }
  return translated;
}

function admonitionLine([, , mark = '', type = '', , title]: RegExpExecArray): string {
  if (mark === '!!!') return titledCalloutLine(type, title);
  return `${blockLine('details', title || capitalized(type))}${mark === '???+' ? ' {open}' : ''}`;
}

/** The lines `    key: value` directly after `/// name`. */
function optionsAfter(lines: readonly Line[], from: number): RegExpExecArray[] {
  const options: RegExpExecArray[] = [];
  for (let i = from; i < lines.length; i++) {
    const option = /^[ \t]{4,}([a-z_]+):(.*)$/.exec(lines[i]?.text ?? '');
    if (!option) break;
    options.push(option);
  }
  return options;
}

/** The line after the last one of a block whose content is indented further than `indent`. */
function endOfBlock(lines: readonly Line[], from: number, indent: string): number {
  const least = widthOf(indent) + 4;
  let end = from;
  for (let i = from; i < lines.length; i++) {
    const text = lines[i]?.text ?? '';
    if (text.trim() === '') continue;
    if (widthOf(/^[ \t]*/.exec(text)?.[0] ?? '') < least) break;
    end = i + 1;
  }
  return end;
}

function widthOf(indent: string): number {
  if (!indent.includes('\t')) return indent.length;
  let width = 0;
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1;
  return width;
}

/** The lines with four columns less than before, so that they are at `indent`. */
function dedented(lines: Line[], indent: string): Line[] {
  const from = widthOf(indent);
  return lines.map(({ text, number }) => {
    const [all = ''] = /^[ \t]*/.exec(text) ?? [];
    const width = Math.max(widthOf(all) - 4, from);
    return { text: text.trim() === '' ? '' : ' '.repeat(width) + text.slice(all.length), number };
  });
}

function nextText(lines: readonly Line[], from: number): string | undefined {
  let i = from;
  while (lines[i]?.text.trim() === '') i++;
  return lines[i]?.text;
}
