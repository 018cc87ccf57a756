import type { Element } from 'hast';
import { didYouMean } from '../../integration/diagnostics.ts';
import { each } from '../../integration/text/each.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { iconNode } from './components/props.ts';
import type { RenderContext } from './context.ts';
import { diagram } from './diagrams.ts';
import { formula } from './formulas.ts';
import { codeLanguages, isCodeLanguage } from './highlight/highlight.ts';
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
  return element('figure', { class: classes, 'data-language': fence.language || null }, [
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
  context.report({ kind: 'unknown-code-language', line, message, ...didYouMean(similar) }, language);
}

/** The copy button, disabled until its custom element takes over. */
export function copyButton(): Element {
  return element('carrel-copy', { class: 'c-copy' }, [
    element('button', { type: 'button', disabled: true, 'aria-label': 'Copy' }),
  ]);
}

function hasMarks(fence: Fence): boolean {
  return fence.numbers || marks.some((mark) => fence[mark].size > 0);
}

function markLines(html: string, fence: Fence): string {
  return html
    .split('\n')
    .map((line, i) => {
      const names = marks.filter((mark) => fence[mark].has(i + 1)).map((mark) => ` sk-line-${mark}`);
      return `<span class="sk-line${names.join('')}">${line}\n</span>`;
    })
    .join('');
}

const marks = ['highlighted', 'focused', 'inserted', 'deleted'] as const;
type Mark = (typeof marks)[number];

/** The options after the backticks of a code fence: lines by their marks, 1-based, and others. */
interface Fence extends Record<Mark, Set<number>> {
  language: string;
  title?: string;
  icon?: string;
  numbers: boolean;
  wrap: boolean;
  expandable: boolean;
  copy: boolean;
}

type SetOption = (fence: Fence, value: string, isOn: boolean) => unknown;
const title: SetOption = (fence, value) => (fence.title = value);
const mark =
  (name: Mark): SetOption =>
  (fence, value) =>
    addLines(fence[name], value);
const numbers: SetOption = (fence, _, isOn) => (fence.numbers = isOn);
const withoutCopy: SetOption = (fence, _, isOn) => (fence.copy = !isOn);

/** The options that have an effect. */
const options: Record<string, SetOption> = {
  ...each(title, 'title filename'),
  icon: (fence, value) => (fence.icon = value),
  ...each(mark('highlighted'), 'highlight hl hl_lines mark'),
  focus: mark('focused'),
  ins: mark('inserted'),
  del: mark('deleted'),
  ...each(numbers, 'lines showLineNumbers line-numbers'),
  wrap: (fence, _, isOn) => (fence.wrap = isOn),
  expandable: (fence, _, isOn) => (fence.expandable = isOn),
  ...each(withoutCopy, 'nocopy noCopy'),
};

const flags = new Set(
  'lines showLineNumbers wrap expandable nocopy noCopy twoslash focus copy showCopy line-numbers nowrap null'.split(' '),
);
const others =
  'iconType theme placement actions frame collapse start startLineNumber linenums tab group sync runnable id meta'.split(' ');
const keys = new Set([...flags, ...Object.keys(options), ...others]);

/** Reads a fence's language and meta: known options, and every other word as the title. */
export function readFence(language: string, meta: string): Fence {
  // Some authors write options without a space after the language: `js{1,3}`, `ts:line-numbers`.
  const [, name = language, numbers, braced] = /^([^{[:]*)(?::(line-numbers)\S*)?([{[].*)?$/.exec(language) ?? [];
  const rest = [numbers, braced, meta].filter(Boolean).join(' ').replace(optionsInBraces, '$1');
  const fence: Fence = {
    language: flags.has(name) ? '' : name.toLowerCase(),
    ...{ highlighted: new Set(), focused: new Set(), inserted: new Set(), deleted: new Set() },
    numbers: false,
    wrap: false,
    expandable: false,
    copy: true,
  };
  const words: string[] = [];
  for (const match of `${flags.has(name) ? name : ''} ${rest}`.matchAll(pattern)) {
    const [word, steps, key, double, single, braces, list, bare, lines, brackets, quoted] = match;
    if (steps !== undefined) continue;
    if (lines !== undefined) addLines(fence.highlighted, lines);
    else if (brackets !== undefined && flags.has(brackets)) setOption(fence, brackets, 'true');
    else if (brackets !== undefined) words.push(brackets);
    else if (quoted !== undefined) words.push(quoted.slice(1, -1));
    else if (key !== undefined && keys.has(key)) setOption(fence, key, double ?? single ?? braces ?? list ?? bare ?? '');
    else if (flags.has(word)) setOption(fence, word, 'true');
    else words.push(word);
  }
  fence.title ??= words.join(' ') || undefined;
  return fence;
}

// `[[1, 4, "x"]]` colors `x` in line 4, in React's documentation.
const pattern =
  /(\[\[\d+,(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'])*?\]\])|([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|\[([^\]]{0,500})\]|(\S+))|\{([\d\s,-]*)\}|\[([^\]]+)\]|("[^"]+"|'[^']+')|\S+/g;

// `{highlight={4}}`, as some authors and Hugo write options.
const option = String.raw`[\w-]+=(?:"[^"]*"|'[^']*'|\{[^{}]*\}|\[[^\]]{0,500}\]|[^\s{}]+)`;
const optionsInBraces = new RegExp(String.raw`\{\s*(${option}(?:\s+${option})*)\s*\}`, 'g');

function setOption(fence: Fence, key: string, value: string): void {
  const plain = value.replace(/^["'`]|["'`]$/g, '');
  options[key]?.(fence, plain, plain !== 'false' && plain !== '{false}');
}

function addLines(lines: Set<number>, ranges: string): void {
  for (const range of ranges.replace(/[[\]]/g, '').split(/[\s,]+/)) {
    const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range) ?? [];
    if (from) for (let line = Number(from); line <= Math.min(Number(to ?? from), Number(from) + 2000); line++) lines.add(line);
  }
}

const lineMark =
  /[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*|\{\/\*)[ \t]*\[!code[ \t]+(\+\+|--|hl|highlight|focus|error|warning)(?::(\d{1,4}))?\][ \t]*(?:-->|\*\/\}?)?[ \t]*$/;

/** Removes `// [!code ++]` comments from code and adds their lines to `fence`; a comment alone on its line marks the next line. */
export function takeLineMarks(code: string, fence: Fence): string {
  if (!code.includes('[!code')) return code;
  const lines: string[] = [];
  for (const line of code.split('\n')) {
    const match = lineMark.exec(line);
    if (!match) {
      lines.push(line);
      continue;
    }
    const [, name = '', count = 1] = match;
    const bare = line.slice(0, match.index);
    if (bare.trim()) lines.push(bare);
    const first = lines.length + (bare.trim() ? 0 : 1);
    for (let i = 0; i < Number(count); i++) fence[lineMarks[name] ?? 'highlighted'].add(first + i);
  }
  return lines.join('\n');
}

const lineMarks: Record<string, Mark> = { '++': 'inserted', '--': 'deleted', error: 'deleted', focus: 'focused' };
