/** Unit of search, retrieval and citation: a page's introduction, or one heading with what follows it. */
export interface Section {
  /** Address `path#anchor`; the introduction's has no `#anchor`. */
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
