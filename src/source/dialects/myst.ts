// Sphinx with MyST: directives in fences (```` ```{note} ````, `:::{note}`).
import { blockLine, calloutLine, isCallout } from './blocks.ts';
import { closesFence, type Fence, type Line, openedFence } from './lines.ts';

export const hasMyst = /^[ \t>]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{[A-Za-z][\w:+-]*\}/m;

const directive = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,}|:{3,})[ \t]*\{([A-Za-z][\w:+-]*)\}[ \t]*(.*?)[ \t]*$/;
const code = new Set(
  'code code-block code-cell sourcecode literalinclude math mermaid raw parsed-literal eval-rst doctest testcode graphviz'.split(
    ' ',
  ),
);

interface Open extends Fence {
  prefix: string;
  /** Lines that close the containers. */
  closing: string[];
  isCode: boolean;
  isColon: boolean;
  /** Whether the content is a list of pages. */
  isList?: boolean;
}

export interface MystContext {
  /** The lines of an included file; undefined if it cannot be read, which is reported. */
  include(path: string, line: number): string[] | undefined;
  /** Reports a directive that has no meaning here. */
  unknown(name: string, line: number): void;
}

export function translateMyst(lines: Line[], context: MystContext): Line[] {
  const translated: Line[] = [];
  const open: Open[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const top = open.at(-1);
    const add = (...texts: string[]) => translated.push(...texts.map((text) => ({ text, number: line.number })));
    if (top?.isCode) {
      if (closesFence(line.text, top)) open.pop();
      translated.push(line);
      continue;
    }
    const found = directive.exec(line.text);
    if (found && open.length < 50) {
      const [, prefix = '', marks = '', name = '', argument = ''] = found;
      const indent = prefix.replace(/[^\s>]/g, ' ');
      const options = optionsAfter(lines, i + 1);
      const at = { prefix: indent, indent: prefix.length };
      const own = { mark: marks.charAt(0), length: marks.length, ...at, isColon: marks.startsWith(':') };
      if (code.has(name) && !own.isColon) {
        const info = [
          name === 'math' || name === 'mermaid' ? name : argument,
          options.values.caption && `title="${options.values.caption}"`,
        ];
        add(`${prefix}${marks}${info.filter(Boolean).join(' ')}`);
        open.push({ ...own, closing: [], isCode: true });
      } else {
        const opening = openingOf(name, argument, options.values, lines[i - 1]?.text, context, line.number);
        if (prefix.trim() !== '') add(prefix.trimEnd());
        add(...opening.lines.map((one) => indent + one));
        open.push({ ...own, closing: opening.closing, isCode: false, isList: name === 'toctree' });
      }
      i += options.count;
      continue;
    }
    if (top && closesFence(line.text, top)) {
      open.pop();
      add(...top.closing.map((one) => top.prefix + one));
      continue;
    }
    // A comment.
    if (/^%(?:[ \t]|$)/.test(line.text)) {
      add('');
      continue;
    }
    if (top?.isList) {
      const entry = listEntry(line.text);
      if (entry !== undefined) add(entry);
      continue;
    }
    const fence = openedFence(line.text);
    if (fence) open.push({ ...fence, prefix: '', closing: [], isCode: true, isColon: false });
    translated.push(line);
  }
  return translated;
}

function openingOf(
  name: string,
  argument: string,
  options: Record<string, string>,
  before: string | undefined,
  { include, unknown }: MystContext,
  line: number,
): { lines: string[]; closing: string[] } {
  const close = [':::'];
  if (name === 'admonition')
    return { lines: [calloutLine((options.class ?? 'note').split(' ')[0] ?? 'note', argument)], closing: close };
  if (name === 'dropdown') return { lines: [blockLine('details', argument || 'Details')], closing: close };
  if (isCallout(name)) {
    // The text can begin in the line of the name.
    const isDropdown = options.class?.includes('dropdown');
    if (isDropdown) return { lines: [blockLine('details', argument || name)], closing: close };
    return { lines: argument ? [calloutLine(name), argument] : [calloutLine(name)], closing: close };
  }
  if (name === 'include') {
    const content = include(argument, line);
    return { lines: ['', ...(content ?? [`\`${argument.replaceAll('`', '')}\``]), ''], closing: [] };
  }
  if (name === 'tab-set') return { lines: [':::tabs'], closing: close };
  if (name === 'tab-item' || name === 'tab') return { lines: [blockLine('tab', argument)], closing: close };
  if (name === 'grid') return { lines: [':::cards'], closing: close };
  if (name === 'card' || name === 'grid-item-card') {
    const link = options.link;
    return { lines: [blockLine('card', link && /[/.]/.test(link) ? `[${argument}](${link})` : argument)], closing: close };
  }
  if (/^version|^deprecated/.test(name)) {
    const [version = '', ...words] = argument.split(' ');
    const title = `${{ versionadded: 'Added in version', versionchanged: 'Changed in version' }[name] ?? 'Deprecated since version'} ${version}`;
    return {
      lines: [blockLine(name === 'deprecated' ? 'warning' : 'info', title), ...(words.length > 0 ? [words.join(' ')] : [])],
      closing: close,
    };
  }
  if (name === 'image' || name === 'figure') {
    const image = `![${(options.alt ?? '').replace(/[[\]]/g, ' ')}](${argument})`;
    return name === 'image' ? { lines: [image], closing: [] } : { lines: [':::figure', image, ''], closing: close };
  }
  if (name === 'toctree') return { lines: ['', ...(options.caption ? [`**${options.caption}**`, ''] : [])], closing: [''] };
  unknown(name, line);
  return { lines: argument ? ['', argument, ''] : before?.trim() ? [''] : [], closing: [''] };
}

/** An entry of a list of pages, `page` or `Title <page>`, as a link. */
function listEntry(text: string): string | undefined {
  const [, title, path = text.trim()] = /^[ \t]*(.*?)[ \t]*<([^<>]+)>[ \t]*$/.exec(text) ?? [];
  if (!path || path === 'self') return undefined;
  return `- [${title ?? path}](${/\.md$|^[a-z]+:/.test(path) ? path : `${path}.md`})`;
}

/** The options after a directive: lines `:key: value`, or a block between `---` lines. */
function optionsAfter(lines: readonly Line[], from: number): { count: number; values: Record<string, string> } {
  const values: Record<string, string> = Object.create(null);
  let i = from;
  const isBlock = lines[i]?.text.trim() === '---';
  if (isBlock) i++;
  for (; i < lines.length; i++) {
    const text = lines[i]?.text ?? '';
    const [, key, value = ''] = (isBlock ? /^[ \t>]*([\w-]+):[ \t]*(.*)$/ : /^[ \t>]*:([\w-]+):[ \t]*(.*)$/).exec(text) ?? [];
    if (key === undefined) break;
    values[key] = value.trim();
  }
  if (isBlock && lines[i]?.text.trim() !== '---') return { count: 0, values: {} };
  return { count: i - from + (isBlock ? 1 : 0), values };
}
