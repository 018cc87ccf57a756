import { escapeAttribute } from '../page/rewrite-page.ts';
import type { Edit } from '../text/edit.ts';
import type { StaticSite } from './static-site.ts';
import type { SearchPositions } from './search-positions.ts';

export interface SearchedPage {
  language: string;
  docsVersion?: string;
  /** Name of search in the page's language; undefined where it is English. */
  searchLabel?: string;
  /** Relative URL of a file of the export. */
  urlOf(file: string): string;
}

/**
 * Edits that add search and the assistant to a page: the host's settings and our script at the end of its head; the site's own search buttons,
 * hidden without an index, are shown. `script` is the file name of our script in `_carrel`.
 */
export function searchEdits(positions: SearchPositions, page: SearchedPage, site: StaticSite, script: string): Edit[] {
  if (site.search === 'off') return [];
  const at = positions.headEnd ?? 0;
  const edits = [{ start: at, end: at, text: headEnd(positions, page, site, script) }];
  for (const { start, end } of positions.hidden) edits.push({ start, end, text: '' });
  const { starlight } = positions;
  if (starlight) edits.push({ start: starlight.button, end: starlight.button, text: ' data-carrel-search' });
  return edits;
}

function headEnd(
  positions: SearchPositions,
  { language, docsVersion, searchLabel, urlOf }: SearchedPage,
  site: StaticSite,
  script: string,
): string {
  return [
    // What the page does not say itself, but its path or the options do.
    language === positions.language ? '' : element('meta', { name: 'carrel:language', content: language }),
    docsVersion === undefined || positions.saysVersion
      ? ''
      : element('meta', { name: 'carrel:docs-version', content: docsVersion }),
    `${element('script', { defer: '', src: urlOf('carrel.config.js') })}</script>`,
    `${element('script', { defer: '', src: urlOf(`_carrel/${script}`), 'data-search': site.search, 'data-label': searchLabel })}</script>`,
  ].join('');
}

function element(name: string, attributes: Record<string, string | undefined>): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : value === '' ? [key] : [`${key}="${escapeAttribute(value, '"')}"`],
  );
  return `<${[name, ...written].join(' ')}>`;
}
