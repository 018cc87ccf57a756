// Groups of readers: who may see a page, an entry of the navigation, a part of a specification.

/** The group of pages whose frontmatter names groups, but cannot be read. */
export const unreadGroup = 'groups that could not be read';

/** Whether something for readers of some groups, or for everybody where there are none, is for readers of these groups. */
export type MayRead = (readers: readonly string[]) => boolean;

/** What readers of these groups may see; without groups, what everybody may. */
export function mayRead(groups: readonly string[] = []): MayRead {
  return (readers) => readers.length === 0 || readers.some((one) => groups.includes(one));
}

/** The groups that a value of frontmatter or of a specification names. What is neither a name nor empty is for nobody, rather than for everybody. */
export function readersIn(value: unknown): string[] {
  const written: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value ?? ''];
  return written.flatMap((one) => {
    const name = typeof one === 'string' ? one.trim() : one === null || one === undefined ? '' : JSON.stringify(one);
    return name === '' ? [] : [name];
  });
}

/** The groups that the frontmatter of a file names, in any letter case: a slip there must not open a page. Empty for everybody. */
export function readersOf(frontmatter: Record<string, unknown>): string[] {
  if (frontmatter.public === true || frontmatter.public === 'true') return [];
  return Object.keys(frontmatter).flatMap((key) => (key.toLowerCase() === 'groups' ? readersIn(frontmatter[key]) : []));
}
