// llms.txt and llms-full.txt: the Markdown of the default language and version, for programs that read docs.
import { oneLine, shortened } from '../page/first-paragraph.ts';

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

function entry({ title, href, description }: LlmsPage): string {
  const name = oneLine(title).replace(/[[\]\\]/g, '\\$&');
  return `- [${name}](${href})${description ? `: ${shortened(oneLine(description), 300)}` : ''}\n`;
}
