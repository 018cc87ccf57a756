// Sections without a title, which generators show as a line of their own: docs.json has no such entry.
import { readFileSync, realpathSync } from 'node:fs';
import { isInside } from '../../integration/output/output-path.ts';
import { firstHeading } from '../source/first-heading.ts';
import { readFrontmatter } from '../source/frontmatter.ts';
import { isRecord } from '../../integration/text/json.ts';
import { field, titleOfName } from './imported.ts';
import { firstFile } from './read-module.ts';

/** Gives sections without a title that of their index page, or else of their first page. */
export function withSectionTitles(navigation: unknown, pagesFolder: string): unknown {
  if (Array.isArray(navigation)) return navigation.map((one) => withSectionTitles(one, pagesFolder));
  if (!isRecord(navigation)) return navigation;
  const inside = Object.fromEntries(
    Object.entries(navigation).map(([key, value]) => [key, withSectionTitles(value, pagesFolder)]),
  );
  for (const name of ['group', 'tab']) {
    if (typeof inside[name] !== 'string' || field(inside[name]) !== undefined) continue;
    const pages = pagesOf(inside);
    const page = pages.find((one) => /(?:^|\/)index$/.test(one)) ?? pages[0];
    inside[name] = page === undefined ? 'Pages' : titleOfPage(page, pagesFolder);
  }
  return inside;
}

/** The pages directly in a section, or else the first ones below it. */
function pagesOf({ root, pages }: Record<string, unknown>): string[] {
  if (typeof root === 'string') return [root];
  const entries = Array.isArray(pages) ? pages : [];
  const own = entries.filter((one) => typeof one === 'string');
  return own.length > 0 ? own : entries.filter(isRecord).flatMap(pagesOf);
}

function titleOfPage(page: string, folder: string): string {
  const named = titleOfName(
    page
      .replace(/\/?index$/, '')
      .split('/')
      .at(-1)! || 'home',
  );
  const file = firstFile(folder, [`${page}.md`, `${page}.mdx`, `${page.replace(/index$/, 'README')}.md`]);
  if (file === undefined || !isInside(realpathSync(folder), realpathSync(file))) return named;
  const { frontmatter, body } = readFrontmatter(readFileSync(file, 'utf8'), file);
  return field(frontmatter.title) ?? field(firstHeading(body)?.text) ?? named;
}
