// RSS 2.0 of changelog pages: https://www.rssboard.org/rss-specification
import { escapeHtml } from '../text/escape.ts';
import type { FeedEntry } from '../page/page-types.ts';

interface Feed {
  title: string;
  description?: string;
  language: string;
  /** Absolute URL of the page. */
  pageUrl: string;
  /** Absolute URL of the feed. */
  url: string;
  entries: FeedEntry[];
}

/** Path of a page's feed, beside its HTML: 'changelog/rss.xml'. */
export function feedFile(page: string): string {
  return page.replace(/[^/]*$/, 'rss.xml');
}

/** The feed as XML. An entry without a date has none, because the same site must give the same bytes. */
export function feedText({ title, description, language, pageUrl, url, entries }: Feed): string {
  const items = entries.map((entry) => {
    const link = entry.id === '' ? pageUrl : `${pageUrl}#${encodeURIComponent(entry.id)}`;
    return [
      '<item>',
      tag('title', entry.title),
      tag('link', link),
      tag('guid', link),
      entry.text === '' ? '' : tag('description', entry.text),
      entry.date === undefined ? '' : tag('pubDate', new Date(entry.date).toUTCString()),
      ...entry.tags.map((name) => tag('category', name)),
      '</item>\n',
    ].join('');
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>\n' +
    `${tag('title', title)}${tag('link', pageUrl)}${tag('description', description ?? title)}${tag('language', language)}` +
    `<atom:link href="${escapeHtml(url)}" rel="self" type="application/rss+xml"/>\n${items.join('')}</channel></rss>\n`
  );
}

function tag(name: string, text: string): string {
  return `<${name}>${escapeHtml(text)}</${name}>`;
}
