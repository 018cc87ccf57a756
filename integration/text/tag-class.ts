/** Methods of HTTP requests, as the tag of an operation's page. */
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']);

/** Classes of a page's tag: 'c-tag c-tag-get' for a method, which has its own color, else 'c-tag'. */
export function tagClass(tag: string): string {
  const name = tag.toLowerCase();
  return METHODS.has(name) ? `c-tag c-tag-${name}` : 'c-tag';
}
