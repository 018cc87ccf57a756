/**
 * Safe HTML of one line of Markdown: links, **strong**, *emphasis*, `code`. Everything else is text, HTML included.
 * Addresses other than web pages, mail and the site's own are text as well.
 */
export function inlineHtml(markdown: string): string {
  return markdown
    .split(/(`[^`\n]+`|\[[^\][\n]+\]\([^()\s]+\))/)
    .map((part, index) => (index % 2 ? special(part) : marked(escape(part))))
    .join('')
    .trim();
}

function special(part: string): string {
  if (part.startsWith('`')) return `<code>${escape(part.slice(1, -1))}</code>`;
  const [, text, address] = /^\[(.+)\]\((.+)\)$/.exec(part)!;
  if (!/^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(address!)) return marked(escape(text!));
  return `<a href="${escape(address!)}">${marked(escape(text!))}</a>`;
}

function marked(html: string): string {
  return html
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '<strong>$2</strong>')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)/g, '<em>$1</em>');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
