/** Methods of HTTP requests, as the tag of an operation's page. */
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']);

/** Classes of a page's tag: 'tag tag-get' for a method, which has its own color, else 'tag'. */
export function tagClass(tag: string): string {
  const name = tag.toLowerCase();
  return METHODS.has(name) ? `tag tag-${name}` : 'tag';
}
