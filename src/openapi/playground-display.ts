import { object } from './json.ts';

/** Whether pages have a playground: `api.playground.display`, or `playground` of the page. Without logins, `auth` is for all readers. */
export function hasPlayground(api: unknown, frontmatter: Readonly<Record<string, unknown>>): boolean {
  const display = frontmatter.playground ?? object(object(api).playground).display;
  return display !== 'none' && display !== 'simple';
}
