/** Which part of a page is content, as CSS selectors. */
export interface ContentRules {
  /** The first that matches on a page says what its content is; all elements that it matches belong to it. */
  select: string[];
  /** Elements inside the content that are not read. */
  ignore: string[];
}
