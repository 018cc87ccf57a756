// DocFX: tabs as headings (`# [Title](#tab/id)` … `***`) and links to the API of .NET (`<xref:System.String>`).
import { blockLine } from './blocks.ts';
import { type Line, surroundingsOf } from './lines.ts';

export const hasDocfx = /\(#tab\/|<xref:/i;

const tab = /^([ \t>]*)#{1,6}[ \t]+\[(.*)\]\(#tab\/[^()]*\)[ \t]*$/;
const lastLine = /^[ \t>]*(?:\*[ \t]*){3,}$|^[ \t>]*(?:-[ \t]*){3,}$/;

export function translateDocfx(lines: Line[]): Line[] {
  const around = surroundingsOf(lines);
  const translated: Line[] = [];
  let isOpen = false;
  for (const [i, line] of lines.entries()) {
    const { text, number } = line;
    const isCode = around[i]?.isCode ?? false;
    const add = (...texts: string[]) => translated.push(...texts.map((one) => ({ text: one, number })));
    const [, indent = '', title] = isCode ? [] : (tab.exec(text) ?? []);
    if (title !== undefined) {
      add(`${indent}${isOpen ? ':::' : ':::tabs'}`, `${indent}${blockLine('tab', title)}`);
      isOpen = true;
    } else if (isOpen && !isCode && lastLine.test(text)) {
      add(':::', ':::');
      isOpen = false;
    } else add(isCode ? text : text.replace(/<xref:([^\s<>]+)>/gi, (whole, uid: string) => memberName(uid) ?? whole));
  }
  if (isOpen) translated.push(...[':::', ':::'].map((text) => ({ text, number: lines.at(-1)?.number ?? 1 })));
  return translated;
}

/** The name of a type or its member, as code; undefined for an id of a page. */
function memberName(uid: string): string | undefined {
  const [id = '', query = ''] = uid.split('?');
  if (id.includes('/')) return undefined;
  const plain = id
    .replace(/%60/gi, '`')
    .replace(/\(.*$|\{.*$/s, '')
    .replace(/\*$|``?\d+/g, '');
  const names = plain.split('.').filter((part) => part !== '');
  return names.length === 0 ? undefined : `\`${names.slice(/nameWithType|fullName/i.test(query) ? -2 : -1).join('.')}\``;
}
