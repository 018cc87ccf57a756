import type { MarkdownNode, PropValue } from './tree.ts';

/** Writes nodes as Markdown. Components get it to write their children. */
export interface MarkdownWriter {
  blocks(nodes: MarkdownNode[]): string;
  inline(nodes: MarkdownNode[]): string;
  /** Content of a prop. */
  prop(value: PropValue): string;
  linkUrl(href: unknown): string | undefined;
  imageUrl(source: unknown): string | undefined;
}

export function quote(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

export function indent(text: string, width: number): string {
  return text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(width)}`);
}

/** A fenced block whose fence is longer than any in the code. */
export function fenced(code: string, info: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${code}\n${fence}`;
}

export function codeSpan(code: string): string {
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

export function linkTo(text: string, href: string | undefined, title?: string | null): string {
  if (href === undefined) return text;
  return `[${text}](${/[\s()]/.test(href) ? `<${href}>` : href}${title ? ` "${title.replace(/"/g, '&quot;')}"` : ''})`;
}
