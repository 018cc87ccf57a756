import { HIGHLIGHT_PARAMETER } from '../shared/events.ts';

/** URL of a section, with the terms that its page highlights. */
export function resultUrl({ id, terms }: { id: string; terms: string[] }, pageUrl: string): string {
  const anchor = id.includes('#') ? '#' + encodeURIComponent(id.slice(id.indexOf('#') + 1)) : '';
  return `${pageUrl}?${HIGHLIGHT_PARAMETER}=${terms.slice(0, 12).map(encodeURIComponent).join('+')}${anchor}`;
}
