// What stands within lines: attribute lists, keys, icons, marks, roles, and requests for a table of contents, which every page has.
import { calloutLine, isCallout } from './blocks.ts';
import { type Line, openedFence, surroundingsOf } from './lines.ts';

export const hasInline =
  /\{:|\{[ \t]*(?:[.#]|id=)|\smarkdown[=>]|^[ \t>]*(?:`{3,}|~{3,})[^`\n]*\{\w+=|\)\{|\+\+|:[a-z]+-[\w-]+:|==\S|\^\^|^[ \t]*\[\[?_?TOC_?\]\]?|\}`|^\([\w.-]+\)=[ \t]*$|<template[ \t]+(?:#|v-)/im;

/** A longer line is data rather than prose. */
const longestLine = 10_000;

// `%{#id}%` where `{` belongs to Vue.
const attributeLine = /^[ \t>]*%?\{:?[ \t]*((?:[.#:\w-][^{}\n]*)?)\}%?[ \t]*$/;
const vueAttributes = /%\{(?=[.#]|[\w-]+=)([^{}\n]*)\}%/g;
/** The classes at the end of a paragraph or an item, and an id only after an image or a link: `{#if}` can be text. */
const attributesOfBlock =
  /(?<=[^\s\\])[ \t]+\{[ \t]*(?:\.[A-Za-z][\w-]*|(?<=\)[ \t]+\{[ \t]*)#[A-Za-z][\w-]*)(?:[ \t]+(?:[.#][\w-]+|[\w-]+=(?:"[^"{}]*"|[^\s"{}]+)))*[ \t]*\}[ \t]*$/;
const tableOfContents = /^[ \t]*(?:\[\[?_?TOC_?\]\]?|\$\{toc\}|\{\{[ \t]*toc[ \t]*\}\}|\{:[ \t]*\.?toc\b[^{}]*\})[ \t]*$/i;

export function translateInline(written: Line[], kind: 'mdx' | 'md'): Line[] {
  const lines = kind === 'md' ? markdownInHtml(written) : written;
  const around = surroundingsOf(lines);
  const translated: Line[] = [];
  let closing: { isQuote: boolean } | undefined;
  /** The kind of a callout whose title is the next line. */
  let titleOf = '';
  const close = (number: number) => {
    if (closing) translated.push({ text: ':::', number });
    closing = undefined;
  };
  for (const [i, line] of lines.entries()) {
    const { number } = line;
    if (line.text.trim() === '' && closing) close(number);
    if (around[i]?.isCode || line.text.length > longestLine || line.text === '') {
      const isOpening = !around[i - 1]?.isCode && line.text.length <= longestLine && openedFence(line.text);
      translated.push(isOpening ? { text: fenceLine(line.text), number } : line);
      continue;
    }
    if (tableOfContents.test(line.text)) {
      // Kramdown replaces a list of one item.
      const last = translated.at(-1);
      if (/^[ \t]*\{:/.test(line.text) && last && /^[ \t]*(?:[-*+]|\d+\.)[ \t]/.test(last.text)) translated.pop();
      translated.push({ text: '', number });
      continue;
    }
    const attributes = kind === 'md' || line.text.includes('{:') ? attributeLine.exec(line.text)?.[1] : undefined;
    if (attributes !== undefined && (line.text.includes('{:') || /^[.#]/.test(attributes))) {
      const last = translated.at(-1);
      const id = idIn(attributes);
      if (id && last && /^ {0,3}#{1,6}[ \t]/.test(last.text)) last.text = `${last.text.trimEnd()} {#${id}}`;
      const [, kind = '', titled] = /\.([a-z]+)(-title)?(?![\w-])/.exec(attributes) ?? [];
      const next = lines[i + 1]?.text.trim() ?? '';
      if (isCallout(kind) && next !== '' && !closing) {
        closing = { isQuote: next.startsWith('>') };
        titleOf = titled === undefined ? '' : kind;
        if (!titleOf) translated.push({ text: calloutLine(kind), number });
      }
      continue;
    }
    let text = closing?.isQuote ? line.text.replace(/^[ \t]*>[ \t]?/, '') : line.text;
    if (titleOf) {
      text = calloutLine(titleOf, text);
      titleOf = '';
    }
    const isBlock = kind === 'md' && !/^[ \t>]*[#:|]/.test(text);
    const isEnd = isBlock && /^[ \t>]*(?:$|[-*+][ \t]|\d{1,9}[.)][ \t])/.test(lines[i + 1]?.text ?? '');
    translated.push({ text: translateText(isEnd ? text.replace(attributesOfBlock, '') : text, kind), number });
  }
  close(lines.at(-1)?.number ?? 1);
  return translated;
}

const markdownElement = /^[ \t]{0,3}<[a-z]+\b[^<>]*\smarkdown(?:=[^<>]*)?>[ \t]*$/im;
const loneTag = /^[ \t]{0,3}<\/?(?:div|section|figure|figcaption|article|aside|details|dl|dd|table|tr|td)\b[^<>]*>[ \t]*$/i;

/** `<div markdown>` contains Markdown: blank lines around its tags make the parser read it. */
function markdownInHtml(lines: Line[]): Line[] {
  if (!lines.some(({ text }) => text.length <= longestLine && markdownElement.test(text))) return lines;
  const around = surroundingsOf(lines);
  return lines.flatMap((line, i) => {
    if (around[i]?.isCode || line.text.length > longestLine || !loneTag.test(line.text)) return [line];
    const blank = { text: '', number: line.number };
    return /^ {4}|^\t/.test(lines[i + 1]?.text ?? '') ? [line] : [blank, line, blank];
  });
}

/** The line of a fence with the attributes in braces as we write them: `{ .py title="a" }` is `py title="a"`. */
function fenceLine(text: string): string {
  const [, before = '', language = '', attributes = '', after = ''] =
    /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,}))[ \t]*([\w+#-]*)[ \t]*\{[ \t]*((?:[.#][\w-]|[\w-]+=)[^{}]*)\}(.*)$/.exec(
      text,
    ) ?? [];
  if (!before) return text;
  const [, name = ''] = /(?:^|\s)\.([\w+#-]+)/.exec(attributes) ?? [];
  const options = [...attributes.matchAll(/\b(title|linenums|hl_lines|linenos)=("[^"]*"|'[^']*'|\[[^\]]*\]|[^\s,]+)/g)].map(
    ([, key = '', value = '']) =>
      key === 'linenos' || key === 'linenums'
        ? 'showLineNumbers'
        : `${key}=${value.startsWith('[') ? `"${value.replace(/[[\]"]/g, '')}"` : value}`,
  );
  return [`${before}${language || name}`, ...options, after.trim()].filter(Boolean).join(' ');
}

// A role with its code span, or a code span.
const spans = /\{([a-z][\w:.+-]*)\}(`+)(?!`)(.*?[^`])\2(?!`)|(`+)(?!`)(.*?[^`])\4(?!`)/g;

function translateText(text: string, kind: 'mdx' | 'md'): string {
  if (kind === 'md') {
    const [, label] = /^\(([\w.-]+)\)=[ \t]*$/.exec(text) ?? [];
    if (label) return `<a id="${label}"></a>`;
  }
  // Vue's slots and conditions: their content is text of the page.
  const shown = kind === 'md' ? text.replace(/<template[ \t]+(?:#|v-)[^<>]*>|<\/template>/g, '') : text;
  const heading = /^[ \t>]*#{1,6}[ \t]/.test(shown);
  const isTitle = heading || /^[ \t>]*:::/.test(shown);
  let translated = '';
  let at = 0;
  for (const match of shown.matchAll(spans)) {
    translated += plain(shown.slice(at, match.index), isTitle);
    at = match.index + match[0].length;
    const [whole, role, , content = ''] = match;
    translated += role && kind === 'md' ? roleText(role, content) : whole;
  }
  translated += plain(shown.slice(at), isTitle);
  if (!heading) return translated;
  return translated.replace(/[ \t]*\{:?[ \t]*((?:[.#][\w+-]|[\w-]+=)[^{}]*)\}[ \t#]*$/, (_, attributes: string) => {
    const id = idIn(attributes);
    return id ? ` {#${id}}` : '';
  });
}

const keyNames: Record<string, string> = {
  ctrl: 'Ctrl',
  cmd: 'Cmd',
  'arrow-up': '↑',
  'arrow-down': '↓',
  'arrow-left': '←',
  'arrow-right': '→',
  esc: 'Esc',
  del: 'Del',
};

function plain(written: string, isTitle: boolean): string {
  const text = written.replace(vueAttributes, '{$1}');
  let result = text;
  if (result.includes('++'))
    result = result.replace(
      /(?<![\w+])\+\+((?:[a-z0-9-]+|"[^"+]*")(?:\+(?:[a-z0-9-]+|"[^"+]*"))*)\+\+(?![\w+])/g,
      (_, keys: string) =>
        keys
          .split('+')
          .map(
            (key) => `<kbd>${keyNames[key] ?? key.replaceAll('"', '').replace(/^[a-z]/, (letter) => letter.toUpperCase())}</kbd>`,
          )
          .join('+'),
    );
  if (result.includes(':'))
    result = result.replace(
      /:((?:material|octicons|fontawesome|simple)-[a-z0-9-]+):(?:\{[^{}]*\})?([ \t]?)/g,
      // The title of a block is plain text.
      (_, name: string, space: string) => (isTitle ? '' : `<Icon icon="${name}" />${space}`),
    );
  if (result.includes('{'))
    result = result.replace(/(?<=[)\]*_>]|^)\{:?[ \t]*(?:[.#][A-Za-z]|[a-z-]+=)[^{}]*\}/g, (whole, index: number) =>
      isIndex(result, index, whole) || (index === 0 && text === result && !whole.startsWith('{:') && !/^\{[ \t]*[.#]/.test(whole))
        ? whole
        : '',
    );
  if (result.includes('=='))
    result = result.replace(/(?<![=\w])==(?=[^\s=])([^=\n]{1,300}?)(?<=[^\s=])==(?![=\w])/g, '<mark>$1</mark>');
  if (result.includes('^^'))
    result = result.replace(/(?<!\^)\^\^(?=[^\s^])([^^\n]{1,300}?)(?<=[^\s^])\^\^(?!\^)/g, '<ins>$1</ins>');
  return result;
}

/** The id in a list of attributes: `#name` or `id=name`. */
function idIn(attributes: string): string | undefined {
  const [, hash, named] = /(?:^|\s)(?:#([^\s#{}]+)|id=["']?([^\s"'{}]+))/.exec(attributes) ?? [];
  return hash ?? named;
}

/** Whether braces after `_` are an index in a formula, such as `\sum_{k=0}`, and not attributes. */
function isIndex(text: string, at: number, braces: string): boolean {
  return text.charAt(at - 1) === '_' && /^\{[a-z]+=[^"'{}]*\}$/.test(braces);
}

/** `{doc}`text <page>`` and the like. */
function roleText(role: string, content: string): string {
  const [, text, target = content] = /^(.*?)[ \t]*<([^<>]+)>$/.exec(content) ?? [];
  const name = role.replace(/^[\w-]+:/, '');
  if (name === 'doc' || name === 'download') return `[${text ?? content}](${target})`;
  if (name === 'ref' || name === 'numref' || name === 'any' || name === 'term' || name === 'abbr') return text ?? content;
  if (name === 'sub' || name === 'sup' || name === 'kbd') return `<${name}>${content}</${name}>`;
  if (name === 'math') return `$$${content}$$`;
  return `\`${(text || content).replace(/^[~!]/, '')}\``;
}
