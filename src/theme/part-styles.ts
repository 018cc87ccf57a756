// Stylesheets that only pages with certain components load, so that the others carry less.
import type { PageView, Reader } from '../site/page-view.ts';

type PartName = keyof Reader['partStyles'];

/** What is in the HTML of a page that needs a stylesheet. */
const signs: Record<PartName, RegExp> = {
  blocks: /\bc-(?:card|tile|columns|step)/,
  fields: /\bc-(?:field|expandable|endpoint|try|method|panel|example)|data-carrel-dropdown/,
  long: /^.{20000}/s,
  parts: /\bc-(?:frame|video|tree|badge|tooltip|button|color|update|diagram)|<carrel-frame/,
};

/** The names of those stylesheets in `styles/`. */
export const parts = Object.keys(signs) as PartName[];

/** Those that a page needs. */
export function neededParts({ html, directory }: Pick<PageView['page'], 'html' | 'directory'>): PartName[] {
  return parts.filter((part) => signs[part].test(html) || (part === 'blocks' && directory));
}
