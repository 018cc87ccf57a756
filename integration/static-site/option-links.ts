// `<option value="/fr/guides/">`: a script of the site goes to that path when it is chosen, which a file, or a host that has the copy below
// another path, has not. The option is told the page's address from where it stands, and our script goes there.
import type { Edit } from '../text/edit.ts';
import { escapeAttribute } from '../page/rewrite-page.ts';
import { attribute, type Tag } from '../html/read-html.ts';

/** Of an option: address from its page of the page that it stands for. */
const PAGE_CHOICE = 'data-carrel-page';

/** An option whose value may be a page's address. */
export interface PageChoice {
  /** Where an attribute may be added. */
  at: number;
  address: string;
}

export function pageChoice(tag: Tag): PageChoice | undefined {
  if (tag.name !== 'option') return undefined;
  const address = attribute(tag, 'value')?.trim() ?? '';
  return /^\/(?!\/)|^https?:/i.test(address) ? { at: tag.start + '<option'.length, address } : undefined;
}

/** Tells options the page that they lead to; `page` gives its address, undefined for what is no page of the export. */
export function choiceEdits(choices: PageChoice[], page: (address: string) => string | undefined): Edit[] {
  return choices.flatMap(({ at, address }) => {
    const to = page(address);
    return to === undefined ? [] : [{ start: at, end: at, text: ` ${PAGE_CHOICE}="${escapeAttribute(to, '"')}"` }];
  });
}
