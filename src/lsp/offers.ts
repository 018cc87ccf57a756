import { iconsOf } from '../markdown/icons.ts';
import type { ReadDocs } from './edited-docs.ts';

/** A text that can be written at a place, and what it is. */
export interface Offer {
  text: string;
  detail?: string;
}

/** What can be written in place of a part of a document. */
export interface Offers {
  offers: Offer[];
  start: number;
  end: number;
}

export function iconOffers({ site }: Pick<ReadDocs, 'site'>): Offer[] {
  return [...iconsOf(site.config.iconLibrary)].map((text) => ({ text }));
}

export function words(list = ''): Offer[] {
  return list.split(' ').flatMap((text) => (text === '' ? [] : [{ text }]));
}
