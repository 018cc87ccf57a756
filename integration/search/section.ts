/** Unit of search, retrieval and citation: the introduction of a page, or a heading with the text below it. */
export interface Section {
  /** `path#anchor`; an introduction has no `#anchor`. */
  id: string;
  /** Path of its page, '' = home. */
  page: string;
  /** Title of its page. */
  title: string;
  /** Headings from the page's first level down to the section's own (last); empty for the introduction. */
  headings: string[];
  text: string;
  code: string;
  language: string;
  docsVersion?: string;
}

/** A section as an answer cites it. */
export type Citation = Pick<Section, 'id' | 'page' | 'title' | 'headings'>;
