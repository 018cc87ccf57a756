import { escapeHtml } from '../../../integration/text/escape-html.ts';
import type { Nodes } from 'mdast';
import { createRequire } from 'node:module';

// A banner is one line: characters that start a block are part of its text.
const blocks = [
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'definition',
  'headingAtx',
  'htmlFlow',
  'list',
  'setextUnderline',
  'thematicBreak',
];
const require = createRequire(import.meta.url);
let parser: { parse(source: string): Nodes } | undefined;

/** Loaded only for a site with such a text. */
function createParser(): { parse(source: string): Nodes } {
  const { unified }: typeof import('unified') = require('unified');
  const { default: remarkParse }: typeof import('remark-parse') = require('remark-parse');
  return unified()
    .data('micromarkExtensions', [{ disable: { null: blocks } }])
    .use(remarkParse);
}

// Parsing time grows faster than the text.
const longest = 10_000;

/**
 * Safe HTML of one line of Markdown: links, **strong**, *emphasis*, `code`, entities. Everything else is text, HTML included.
 * URLs other than web pages, mail and the site itself stay text as well.
 */
export function inlineHtml(markdown: string): string {
  if (markdown.length > longest) return escapeHtml(markdown).trim();
  parser ??= createParser();
  return html(parser.parse(markdown)).trim();
}

function html(node: Nodes): string {
  const parts = 'children' in node ? node.children.map(html) : [];
  if (node.type === 'root') return parts.join(' ');
  if (node.type === 'strong') return `<strong>${parts.join('')}</strong>`;
  if (node.type === 'emphasis') return `<em>${parts.join('')}</em>`;
  if (node.type === 'inlineCode') return `<code>${escapeHtml(node.value)}</code>`;
  if (node.type === 'link' && /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(node.url))
    return `<a href="${escapeHtml(node.url)}">${parts.join('')}</a>`;
  if (node.type === 'break') return ' ';
  return parts.join('') || escapeHtml('value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : '');
}
