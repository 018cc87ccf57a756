import { encodePath } from '../../../integration/urls/relative-url.ts';
import type { Retrieved } from './retrieve.ts';

/** A page that the answer cites, at the section that it cites first; `number` is what `[1]` in its text means. */
export interface Source {
  number: number;
  /** URL `path#anchor`. */
  id: string;
  /** Absolute where the site's URL is known, else relative to the site: `/guides/install#npm`. */
  url: string;
  title: string;
  /** Headings from the page's first level down to the section's own. */
  headings: string[];
  /** The words that were found, at most 300 characters. */
  excerpt: string;
  /** 0 to 1, of the best that was found; absent for a page that the model chose to read. */
  score?: number;
}

/** The pages that an answer cites, numbered in the order in which it cites them. */
export function createSources(siteUrl: string | undefined) {
  const numbers = new Map<string, number>();
  let fresh: Source[] = [];
  return {
    /** The number of the page of a cited section. */
    cite(
      { id, page, title, headings, score }: Pick<Retrieved, 'id' | 'page' | 'title' | 'headings'> & { score?: number },
      excerpt: () => string,
    ): number {
      const known = numbers.get(page);
      if (known !== undefined) return known;
      const number = numbers.size + 1;
      numbers.set(page, number);
      fresh.push({ number, id, url: urlOf(id, siteUrl), title, headings, excerpt: excerpt(), score });
      return number;
    },
    /** Pages that were cited for the first time since the last call. */
    fresh(): Source[] {
      const given = fresh;
      fresh = [];
      return given;
    },
  };
}

/** URL of a section: absolute when the site's URL is known, else from its root. */
export function urlOf(id: string, siteUrl: string | undefined): string {
  const [page = '', ...anchor] = id.split('#');
  const hash = anchor.length === 0 ? '' : `#${encodePath(anchor.join('#'))}`;
  return `${siteUrl?.replace(/\/+$/, '') ?? ''}/${encodePath(page)}${hash}`;
}
