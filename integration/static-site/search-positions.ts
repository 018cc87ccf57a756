// Where search changes a page: at the site's own search elements, and at the end of the head, where our scripts go.
import { attribute, type Tag } from '../html/read-html.ts';

interface Span {
  start: number;
  end: number;
}

/** Plain positions in the text of the page. */
export interface SearchPositions {
  /** Where an element can be added at the end of the head; undefined if no tag shows it. */
  headEnd: number | undefined;
  /** `<html lang>`. */
  language: string;
  /** Whether the page says its docs version itself. */
  saysVersion: boolean;
  /** The `hidden` attributes of the site's own buttons for our search. */
  hidden: Span[];
  /** Starlight's own search: where its button can get an attribute, its dialog, and its element's name in both tags. */
  starlight?: { button: number; dialog?: Span; names: Span[] };
}

/** Takes the tags of a page as `readHtml` gives them. */
export function searchPositionReader(): {
  open(tag: Tag): void;
  close(name: string, start: number, end: number): void;
  positions(): SearchPositions;
} {
  const found: SearchPositions = { headEnd: undefined, language: '', saysVersion: false, hidden: [] };
  let inStarlight = false;
  let dialog: number | undefined;
  let names: Span[] = [];
  return {
    open(tag) {
      if (tag.name === 'html') found.language ||= attribute(tag, 'lang') ?? '';
      else if (tag.name === 'body') found.headEnd ??= tag.start;
      else if (tag.name === 'meta') found.saysVersion ||= attribute(tag, 'name') === 'carrel:docs-version';
      else if (tag.name === starlightSearch) {
        inStarlight = true;
        names = [nameAt(tag.start + 1)];
      } else if (inStarlight && tag.name === 'dialog') dialog = tag.start;
      else if (inStarlight && tag.name === 'button' && attribute(tag, 'data-open-modal') !== undefined)
        found.starlight ??= { button: tag.start + '<button'.length, names };
      if (tag.name !== 'button' || attribute(tag, 'data-carrel-search') === undefined) return;
      const hidden = tag.attributes.find(({ name }) => name === 'hidden');
      if (hidden) found.hidden.push({ start: hidden.start, end: hidden.end });
    },
    close(name, start, end) {
      if (name === 'head') found.headEnd ??= start;
      else if (name === starlightSearch) {
        inStarlight = false;
        if (end > start) names.push(nameAt(start + 2));
      } else if (name === 'dialog' && inStarlight && dialog !== undefined && found.starlight)
        found.starlight.dialog ??= { start: dialog, end };
    },
    positions: () => found,
  };
}

const starlightSearch = 'site-search';

function nameAt(start: number): Span {
  return { start, end: start + starlightSearch.length };
}
