// Every page also comes as Markdown, next to its folder: `guides/install.md`. Links in it go to the other `.md` files.
import type { BuiltPage } from './page-types.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import { isElsewhere } from '../urls/parts.ts';
import { type Resolver } from '../urls/resolver.ts';

export interface MarkdownOptions {
  names: SafeNames;
  resolver: Resolver;
  /** Whether a page has a Markdown version, by its path. */
  hasMarkdown(path: string): boolean;
}

/** The Markdown version of a page: its title, its description, its Markdown with relative links. */
export function markdownVersion(page: BuiltPage, { names, resolver, hasMarkdown }: MarkdownOptions): string {
  const from = encodePath(names.markdown(page.path));
  const marked = replaceUrls(page.markdown ?? '', (url) => {
    // The data of an embedded image means nothing to readers of Markdown.
    if (url.startsWith('data:') && url.length > longestDataUrl) return `${url.slice(0, url.indexOf(',') + 1)}…`;
    if (isElsewhere(url) || url.startsWith('#')) return url;
    const target = resolver.resolve(url, page.path);
    if (target.kind === 'limited') return noUrl;
    if (target.kind === 'elsewhere') return target.file + target.query + target.hash;
    const file = target.page !== undefined && hasMarkdown(target.page) ? encodePath(names.markdown(target.page)) : target.file;
    return relativeUrl(from, file) + target.query + target.hash;
  });
  const body = withoutEmptyLinks(marked);
  const about = page.description ? `> ${page.description.replace(/\s+/g, ' ').trim()}\n\n` : '';
  return `# ${page.title}\n\n${about}${body.trim()}\n`;
}

const longestDataUrl = 200;

/** Stands for the URL of a page that readers may not see: no text has this character. */
const noUrl = '\0';

/** The Markdown with the text of a link in place of each link without a URL. */
function withoutEmptyLinks(markdown: string): string {
  let rest = markdown;
  for (let at = rest.indexOf(noUrl); at >= 0; at = rest.indexOf(noUrl, at)) {
    const [after = noUrl] = /^\0>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/.exec(rest.slice(at, at + longestLinkTitle)) ?? [];
    const before = /\]\(<?$/.exec(rest.slice(Math.max(0, at - 3), at));
    const close = at - (before?.[0].length ?? 0);
    const open = before && after !== noUrl ? openingBracket(rest, close) : -1;
    // Of a definition or an element, the rest stays.
    rest =
      open < 0
        ? `${rest.slice(0, at)}#${rest.slice(at + 1)}`
        : rest.slice(0, open) + rest.slice(open + 1, close) + rest.slice(at + after.length);
    at = Math.max(0, open < 0 ? at : open);
  }
  return rest;
}

const longestLinkTitle = 1000;

/** Where the bracket opens that closes at `close`; -1 if none does. */
function openingBracket(text: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at - 1] === '\\') continue;
    if (text[at] === ']') depth++;
    else if (text[at] === '[' && --depth === 0) return at;
  }
  return -1;
}

/** URLs of the links and images in Markdown, except in code. */
export function markdownUrls(markdown: string): string[] {
  const found: string[] = [];
  replaceUrls(markdown, (url) => {
    found.push(url);
    return url;
  });
  return found;
}

// In this order: code is skipped, so its brackets do not count.
const pattern = new RegExp(
  [
    /(?<fence>^[ \t>]*(?<mark>`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\k<mark>[`~]*[ \t]*$|(?![\s\S])))/,
    /(?<code>(?<!`)(?<ticks>`+)(?!`)[\s\S]*?[^`]\k<ticks>(?!`))/,
    /(?<escaped>\\[\\[\]()`])/,
    /(?<before>\]\(<)(?<angled>[^<>\n]*)(?=>)/,
    /(?<open>\]\()(?<inline>[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)/,
    /(?<definition>^[ ]{0,3}\[[^\]\n]+\]:[ \t]*<?)(?<defined>[^\s<>]+)/,
    /(?<attribute>\s(?:href|src|poster)=")(?<attributed>[^"]*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** Markdown with other URLs of its links and images, except in code. */
export function replaceUrls(markdown: string, replace: (url: string) => string): string {
  if (!/\]\(|\]:|(?:href|src|poster)="/.test(markdown)) return markdown;
  return markdown.replace(pattern, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const before = groups.before ?? groups.open ?? groups.definition ?? groups.attribute;
    const url = groups.angled ?? groups.inline ?? groups.defined ?? groups.attributed;
    return before === undefined || !url ? whole : before + replace(url);
  });
}
