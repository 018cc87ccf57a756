// The lists of pages for programs: llms.txt and llms-full.txt over the Markdown of the default language and version, sitemap.xml, robots.txt.
import { assetText, type ExportAsset } from '../page/asset.ts';
import { escapeHtml } from '../text/escape.ts';
import { oneLine, shortened } from '../page/page-record.ts';

export interface LlmsPage {
  title: string;
  description?: string;
  /** URL of its Markdown: relative to the export, or on the site. */
  href: string;
}

interface LlmsSite {
  /** For agents that work with the product. */
  skills?: LlmsPage[];
  name: string;
  description?: string;
  instructions?: string;
}

/** The author's words to programs that read the docs. */
export function instructionsBlock(instructions: string): string {
  return `## Agent instructions\n\n${instructions}`;
}

// A bucket has no server that answers.
const waysToAsk =
  'Where Carrel serves these docs, `?ask=QUESTION` after the URL of a Markdown file below answers with quotes. `carrel mcp FOLDER` offers a copy of them to AI tools (Model Context Protocol).';

const longest = 100_000;

/** The list of pages, in the order of the navigation, cut at a whole entry when it grows past 100,000 characters. */
export function llmsText({ name, description, instructions, skills = [] }: LlmsSite, pages: LlmsPage[]): string {
  let text = `# ${oneLine(name)}\n\n`;
  if (description) text += `> ${oneLine(description)}\n\n`;
  if (instructions) text += `${instructionsBlock(instructions)}\n\n`;
  if (skills.length > 0) text += `## Skills\n\n${skills.map(llmsEntry).join('')}\n`;
  text += `${waysToAsk}\n\n## Docs\n\n`;
  let left = pages.length;
  for (const page of pages) {
    const line = llmsEntry(page);
    if (text.length + line.length > longest - 100) break;
    text += line;
    left--;
  }
  if (left > 0) text += `\n${left} more pages are in llms-full.txt.\n`;
  return text;
}

/** The skills among the files of a site, by their name and description. */
export function skillsIn(assets: ExportAsset[], urlOf: (path: string) => string): LlmsPage[] {
  return assets
    .filter(({ path }) => /^(?:\.well-known\/agent-skills\/[^/]+\/)?skill\.md$/i.test(path))
    .map((asset) => {
      const [, block = ''] = /^---[ \t]*\r?\n([^]*?)\n---/.exec(assetText(asset)) ?? [];
      // A value in the same line, or folded in the lines below.
      const valueOf = (key: string) =>
        new RegExp(`^${key}:[ \\t]*(?:[>|][-+]?[ \\t]*\\r?\\n)?((?:.*)(?:\\r?\\n[ \\t]+.*)*)`, 'm')
          .exec(block)?.[1]
          ?.replace(/\s+/g, ' ')
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2');
      return { title: valueOf('name') || asset.path, description: valueOf('description'), href: urlOf(asset.path) };
    });
}

/** One page of llms-full.txt, from its Markdown version. */
export function llmsFullPage(href: string, markdown: string): string {
  const [heading = '', ...rest] = markdown.split('\n');
  return `${heading}\nSource: ${href}\n${rest.join('\n')}\n`;
}

/** A line of the list. */
export function llmsEntry({ title, href, description }: LlmsPage): string {
  const name = oneLine(title).replace(/[[\]\\]/g, '\\$&');
  return `- [${name}](${href})${description ? `: ${shortened(oneLine(description), 300)}` : ''}\n`;
}

/** `sitemap.xml` of absolute URLs: the first 50,000, the limit of the protocol. */
export function sitemap(pages: { url: string; lastUpdated?: string }[]): string {
  const entries = pages
    .slice(0, 50_000)
    .map(
      ({ url, lastUpdated }) =>
        `<url><loc>${escapeHtml(url)}</loc>${lastUpdated ? `<lastmod>${lastUpdated}</lastmod>` : ''}</url>\n`,
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}

/** `robots.txt` with the absolute URLs of the sitemaps. */
export function robots(sitemaps: string[]): string {
  return `User-agent: *\nAllow: /\n\n${sitemaps.map((url) => `Sitemap: ${url}\n`).join('')}`;
}

/**
 * Paths of the sitemaps that a site already has: its sitemap indexes, or all sitemaps if there is no index. They know more than ours (when a
 * page changed, its other languages, what the author excluded), and pages link to them.
 */
export function ownSitemaps(assets: ExportAsset[]): string[] {
  const named = assets
    .filter(({ path }) => /^[^/]*sitemap[^/]*\.xml$/i.test(path))
    .map((asset) => ({ path: asset.path, text: assetText(asset) }));
  const withRoot = (element: string) => named.filter(({ text }) => text.includes(`<${element}`)).map(({ path }) => path);
  const indexes = withRoot('sitemapindex');
  return indexes.length > 0 ? indexes : withRoot('urlset');
}
