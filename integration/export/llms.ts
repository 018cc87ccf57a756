// llms.txt and llms-full.txt: the Markdown of the default language and version, for programs that read docs.

export interface LlmsPage {
  title: string;
  description?: string;
  /** Address of its Markdown: relative to the export, or on the site. */
  href: string;
}

export interface LlmsInput {
  name: string;
  description?: string;
  /** In order of navigation. */
  pages: LlmsPage[];
  /** Links of the site to other sites. */
  external?: { title: string; href: string }[];
}

const longest = 100_000;

/** The list of pages, cut at a whole entry when it grows past 100,000 characters. */
export function llmsText({ name, description, pages, external = [] }: LlmsInput): string {
  let text = `# ${oneLine(name)}\n\n`;
  if (description) text += `> ${oneLine(description)}\n\n`;
  const optional = external.length === 0 ? '' : `\n## Optional\n\n${external.map((link) => entry(link)).join('')}`;
  text += '## Docs\n\n';
  let left = pages.length;
  for (const page of pages) {
    const line = entry(page);
    if (text.length + line.length + optional.length > longest - 100) break;
    text += line;
    left--;
  }
  if (left > 0) text += `\n${left} more pages are in llms-full.txt.\n`;
  return text + optional;
}

/** One page of llms-full.txt, from its mirror. */
export function llmsFullPage(href: string, mirror: string): string {
  const [heading = '', ...rest] = mirror.split('\n');
  return `${heading}\nSource: ${href}\n${rest.join('\n')}\n`;
}

/** The first paragraph of a page as plain text, at most 300 characters. */
export function firstParagraph(markdown: string): string | undefined {
  const bare = markdown.replace(/^(?:(`{3,}|~{3,}).*\n[\s\S]*?\n\1.*$|:{3,}.*$)/gm, '');
  for (const block of bare.split(/\n\s*\n/)) {
    const text = block.trim();
    if (text === '' || /^(?:[#>|<!\-*+]|\d+[.)]\s|\[[^\]]+\]:|={3}|`{3})/.test(text)) continue;
    const plain = oneLine(
      text
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\*\*|__|`/g, '')
        .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1'),
    );
    if (plain !== '') return cut(plain, 300);
  }
  return undefined;
}

function entry({ title, href, description }: LlmsPage): string {
  const name = oneLine(title).replace(/[[\]\\]/g, '\\$&');
  return `- [${name}](${href})${description ? `: ${cut(oneLine(description), 300)}` : ''}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  return `${text.slice(0, space > length / 2 ? space : length - 1).replace(/\p{Surrogate}/gu, '')}…`;
}
