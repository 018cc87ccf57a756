import { decode } from '../urls/parts.ts';
import { attribute, readHtml } from '../html/read-html.ts';

/**
 * The path that the root-absolute URLs of a site begin with, judged by its home page: the shortest prefix without which most of them name
 * files of the site. Undefined if there are no such URLs.
 */
export function guessBase(html: string, files: Set<string>): string | undefined {
  const votes = new Map<string, number>();
  readHtml(html, {
    open(tag) {
      const url = attribute(tag, tag.name === 'link' ? 'href' : 'src');
      if (!url?.startsWith('/') || url.startsWith('//')) return;
      const segments = url
        .slice(1)
        .replace(/[?#].*$/s, '')
        .split('/');
      const behind = segments.findIndex((_, i) => files.has(decode(segments.slice(i).join('/'))));
      if (behind < 0) return;
      const base = `/${segments
        .slice(0, behind)
        .map((segment) => `${segment}/`)
        .join('')}`;
      votes.set(base, (votes.get(base) ?? 0) + 1);
    },
    close() {},
    text() {},
  });
  return [...votes].sort(([a, m], [b, n]) => n - m || a.length - b.length)[0]?.[0];
}
