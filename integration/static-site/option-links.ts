// `<option value="/fr/guides/">`: a script of the site navigates to that path when the option is selected. A copy on disk or below another path
// does not have it, so the option carries the relative URL of the page, and our script navigates there.
import type { Edit } from '../text/edit.ts';
import { escapeAttribute } from '../page/rewrite-page.ts';
import { attribute, type Tag } from '../html/read-html.ts';

/** Attribute of an option: the relative URL of the page that it selects. */
const optionAttribute = 'data-carrel-page';

/** An option whose value may be the URL of a page. */
export interface OptionLink {
  /** Where an attribute may be added. */
  at: number;
  url: string;
}

export function optionLink(tag: Tag): OptionLink | undefined {
  if (tag.name !== 'option') return undefined;
  const url = attribute(tag, 'value')?.trim() ?? '';
  return /^\/(?!\/)|^https?:/i.test(url) ? { at: tag.start + '<option'.length, url } : undefined;
}

/** Adds to each option the URL that `page` gives; undefined if the option does not select a page of the export. */
export function optionLinkEdits(optionLinks: OptionLink[], page: (url: string) => string | undefined): Edit[] {
  return optionLinks.flatMap(({ at, url }) => {
    const to = page(url);
    return to === undefined ? [] : [{ start: at, end: at, text: ` ${optionAttribute}="${escapeAttribute(to, '"')}"` }];
  });
}
