import { escapeHtml } from '../../../integration/text/escape-html.ts';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { MarkdownNode } from '../../markdown/tree.ts';

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
const parser = unified()
  .data('micromarkExtensions', [{ disable: { null: blocks } }])
  .use(remarkParse);

// Parsing time grows faster than the text.
const longest = 10_000;

/**
 * Safe HTML of one line of Markdown: links, **strong**, *emphasis*, `code`, entities. Everything else is text, HTML included.
 * URLs other than web pages, mail and the site itself stay text as well.
 */
export function inlineHtml(markdown: string): string {
  if (markdown.length > longest) return escapeHtml(markdown).trim();
  return html(parser.parse(markdown)).trim();
}

function html(node: MarkdownNode): string {
  const children = () => (node.children ?? []).map(html).join('');
  if (node.type === 'root') return (node.children ?? []).map(html).join(' ');
  if (node.type === 'strong') return `<strong>${children()}</strong>`;
  if (node.type === 'emphasis') return `<em>${children()}</em>`;
  if (node.type === 'inlineCode') return `<code>${escapeHtml(node.value ?? '')}</code>`;
  if (node.type === 'link' && /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(node.url))
    return `<a href="${escapeHtml(node.url)}">${children()}</a>`;
  if (node.type === 'break') return ' ';
  return node.children ? children() : escapeHtml(node.value ?? node.alt ?? '');
}
