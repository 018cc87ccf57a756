import { attribute } from '../html/read-html.ts';
import type { PageObserver } from '../page/scan-page.ts';
import { decode } from '../urls/parts.ts';

/** Collects the root-absolute URLs of what a page loads. */
export function rootUrlReader(): PageObserver & { urls: string[] } {
  const urls: string[] = [];
  return {
    urls,
    open(tag) {
      const url = attribute(tag, tag.name === 'link' ? 'href' : 'src');
      if (url?.startsWith('/') && !url.startsWith('//')) urls.push(url);
    },
    close() {},
  };
}

/**
 * The path that the root-absolute URLs of a site begin with, judged by those of its home page: the shortest prefix without which most of them
 * name files of the site. Undefined if there are no such URLs.
 */
export function guessBase(urls: string[], files: Set<string>): string | undefined {
  const votes = new Map<string, number>();
  for (const url of urls) {
    const segments = url
      .slice(1)
      .replace(/[?#].*$/s, '')
      .split('/');
    const behind = segments.findIndex((_, i) => files.has(decode(segments.slice(i).join('/'))));
    if (behind < 0) continue;
    const base = `/${segments
      .slice(0, behind)
      .map((segment) => `${segment}/`)
      .join('')}`;
    votes.set(base, (votes.get(base) ?? 0) + 1);
  }
  return [...votes].sort(([a, m], [b, n]) => n - m || a.length - b.length)[0]?.[0];
}
