/** Root-absolute address of a page: its path with everything escaped that an address reads otherwise (`#`, `?`, `%`, spaces). */
export function pageHref(path: string): string {
  return `/${encodeURI(path).replaceAll('#', '%23').replaceAll('?', '%3F')}`;
}
