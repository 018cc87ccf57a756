import type { Element } from 'hast';
import { didYouMean } from '../../integration/diagnostics.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { iconNode } from './components/props.ts';
import type { RenderContext } from './context.ts';
import { diagram } from './diagrams.ts';
import { formula } from './formulas.ts';
import { codeLanguages, isCodeLanguage } from './highlight.ts';
import { lineOfSource } from './line-of-source.ts';
import { element, raw } from './tree.ts';

/** A fenced block with its title, marked lines and copy button; a diagram and a formula are what they show. */
export function codeBlock(
  code: string,
  language: string,
  meta: string,
  context: RenderContext,
  { fence = readFence(language, meta), start }: { fence?: Fence; start?: number | undefined } = {},
): Element {
  if (fence.language === 'mermaid') return diagram(code, fence.title, context);
  if (fence.language === 'math') return formula(code, context);
  reportLanguage(fence.language, start, context);
  const bare = takeLineMarks(code, fence);
  const html = context.highlighter.highlight(bare, fence.language);
  const classes = [
    'c-code',
    fence.wrap && 'c-code-wrap',
    fence.numbers && 'c-code-numbers',
    fence.expandable && 'c-code-expandable',
    fence.focused.size > 0 && 'c-code-focusing',
  ];
  return element('figure', { class: classes.filter(Boolean).join(' '), 'data-language': fence.language || null }, [
    fence.title !== undefined &&
      element('figcaption', { class: 'c-code-title' }, [fence.icon && iconNode(fence.icon, context), fence.title]),
    fence.copy && copyButton(),
    element('pre', { tabindex: 0 }, [element('code', {}, [raw(hasMarks(fence) ? markLines(html, fence) : html)])]),
  ]);
}

function reportLanguage(language: string, start: number | undefined, context: RenderContext): void {
  // Authors name languages without a grammar, too, which is no mistake.
  const similar = isCodeLanguage(language) ? [] : nearest(language, codeLanguages());
  if (similar.length === 0) return;
  const line = lineOfSource(language, context.page, start);
  const message = `"${language}" is not a code language that Carrel knows; the code has no colors.`;
  context.report({ kind: 'unknown-code-language', severity: 'note', line, message, ...didYouMean(similar) }, language);
}

/** The copy button, disabled until its custom element takes over. */
export function copyButton(): Element {
  return element('carrel-copy', { class: 'c-copy' }, [
    element('button', { type: 'button', disabled: true, 'aria-label': 'Copy' }),
  ]);
}

function hasMarks(fence: Fence): boolean {
  return fence.numbers || fence.highlighted.size + fence.focused.size + fence.inserted.size + fence.deleted.size > 0;
}

function markLines(html: string, fence: Fence): string {
  return html
    .split('\n')
    .map((line, i) => {
      const names = [
        'sk-line',
        fence.highlighted.has(i + 1) && 'sk-line-highlighted',
        fence.focused.has(i + 1) && 'sk-line-focused',
        fence.inserted.has(i + 1) && 'sk-line-inserted',
        fence.deleted.has(i + 1) && 'sk-line-deleted',
      ];
      return `<span class="${names.filter(Boolean).join(' ')}">${line}\n</span>`;
    })
    .join('');
}

/** The options after the backticks of a code fence. */
interface Fence {
  language: string;
  title?: string;
  icon?: string;
  /** Lines by their marks, 1-based. */
  highlighted: Set<number>;
  focused: Set<number>;
  inserted: Set<number>;
  deleted: Set<number>;
  numbers: boolean;
  wrap: boolean;
  expandable: boolean;
  copy: boolean;
}

const flags = new Set([
  'lines',
  'showLineNumbers',
  'wrap',
  'expandable',
  'nocopy',
  'noCopy',
  'twoslash',
  'focus',
  'copy',
  'showCopy',
  'line-numbers',
  'nowrap',
  'null',
]);
const keys = new Set([
  ...flags,
  'title',
  'filename',
  'highlight',
  'hl',
  'icon',
  'iconType',
  'theme',
  'placement',
  'actions',
  'ins',
  'del',
  'mark',
  'frame',
  'collapse',
  'start',
  'startLineNumber',
  'hl_lines',
  'linenums',
  'tab',
  'group',
  'sync',
  'runnable',
  'id',
  'meta',
]);

/** Reads a fence's language and meta: known options, and every other word as the title. */
export function readFence(language: string, meta: string): Fence {
  // Some authors write options without a space after the language: `js{1,3}`, `ts:line-numbers`.
  const [, name = language, numbers, braced] = /^([^{[:]*)(?::(line-numbers)\S*)?([{[].*)?$/.exec(language) ?? [];
  const rest = [numbers, braced, meta].filter(Boolean).join(' ');
  const fence: Fence = {
    language: flags.has(name) ? '' : name.toLowerCase(),
    highlighted: new Set(),
    focused: new Set(),
    inserted: new Set(),
    deleted: new Set(),
    numbers: false,
    wrap: false,
    expandable: false,
    copy: true,
  };
  const words: string[] = [];
  for (const match of `${flags.has(name) ? name : ''} ${rest}`.matchAll(pattern)) {
    const [word, steps, key, double, single, braces, bare, lines, brackets, quoted] = match;
    if (steps !== undefined) continue;
    if (lines !== undefined) addLines(fence.highlighted, lines);
    else if (brackets !== undefined && flags.has(brackets)) setOption(fence, brackets, 'true');
    else if (brackets !== undefined) words.push(brackets);
    else if (quoted !== undefined) words.push(quoted.slice(1, -1));
    else if (key !== undefined && keys.has(key)) setOption(fence, key, double ?? single ?? braces ?? bare ?? '');
    else if (flags.has(word)) setOption(fence, word, 'true');
    else words.push(word);
  }
  fence.title ??= words.join(' ') || undefined;
  return fence;
}

// `[[1, 4, "x"]]` colors `x` in line 4, in React's documentation.
const pattern =
  /(\[\[\d+,(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'])*?\]\])|([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|(\S+))|\{([\d\s,-]*)\}|\[([^\]]+)\]|("[^"]+"|'[^']+')|\S+/g;

function setOption(fence: Fence, key: string, value: string): void {
  const plain = value.replace(/^["'`]|["'`]$/g, '');
  const on = plain !== 'false' && plain !== '{false}';
  if (key === 'title' || key === 'filename') fence.title = plain;
  else if (key === 'icon') fence.icon = plain;
  else if (key === 'highlight' || key === 'hl' || key === 'hl_lines' || key === 'mark') addLines(fence.highlighted, plain);
  else if (key === 'focus') addLines(fence.focused, plain);
  else if (key === 'ins') addLines(fence.inserted, plain);
  else if (key === 'del') addLines(fence.deleted, plain);
  else if (key === 'lines' || key === 'showLineNumbers' || key === 'line-numbers') fence.numbers = on;
  else if (key === 'wrap') fence.wrap = on;
  else if (key === 'expandable') fence.expandable = on;
  else if (key === 'nocopy' || key === 'noCopy') fence.copy = !on;
}

function addLines(lines: Set<number>, ranges: string): void {
  for (const range of ranges.replace(/[[\]]/g, '').split(/[\s,]+/)) {
    const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range) ?? [];
    if (from) for (let line = Number(from); line <= Math.min(Number(to ?? from), Number(from) + 2000); line++) lines.add(line);
  }
}

const mark =
  /[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*|\{\/\*)[ \t]*\[!code[ \t]+(\+\+|--|hl|highlight|focus|error|warning)(?::(\d{1,4}))?\][ \t]*(?:-->|\*\/\}?)?[ \t]*$/;

/** Removes `// [!code ++]` comments from code and adds their lines to `fence`; a comment alone on its line marks the next line. */
export function takeLineMarks(code: string, fence: Fence): string {
  if (!code.includes('[!code')) return code;
  const lines: string[] = [];
  for (const line of code.split('\n')) {
    const match = mark.exec(line);
    if (!match) {
      lines.push(line);
      continue;
    }
    const [, name = '', count = 1] = match;
    const bare = line.slice(0, match.index);
    if (bare.trim()) lines.push(bare);
    const first = lines.length + (bare.trim() ? 0 : 1);
    for (let i = 0; i < Number(count); i++) marksOf(fence, name).add(first + i);
  }
  return lines.join('\n');
}

function marksOf(fence: Fence, name: string): Set<number> {
  if (name === '++') return fence.inserted;
  if (name === '--' || name === 'error') return fence.deleted;
  return name === 'focus' ? fence.focused : fence.highlighted;
}
