import { flagField, textField, type PageFacts } from './page-facts.ts';

/** When files last changed, as ISO dates by their paths in the docs folder. */
export type ChangeDates = ReadonlyMap<string, string>;

type Stated = Pick<PageFacts, 'source'>;

/** Whether a page shows when it last changed: its frontmatter decides, or else the site. */
export function showsDate({ source: { frontmatter } }: Stated, siteShows: boolean): boolean {
  return flagField(frontmatter.timestamp) ?? siteShows;
}

/** When a page last changed, if it shows that: by its frontmatter, or else by the last commit of its file. */
export function lastUpdated(facts: Stated, siteShows: boolean, changed: ChangeDates = new Map()): string | undefined {
  if (!showsDate(facts, siteShows)) return undefined;
  return isoDate(facts.source.frontmatter.lastUpdatedDate) ?? changed.get(facts.source.file);
}

/** The date in ISO format. Without a time zone it is read as UTC, so that every machine gets the same result. */
function isoDate(value: unknown): string | undefined {
  const text = textField(value) ?? '';
  const hasZone = /(?:Z|UTC|GMT|T.*[+-]\d{2}:?\d{2})$/.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text);
  const date = new Date(hasZone ? text : `${text.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ')} UTC`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
