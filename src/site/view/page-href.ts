import { encodePath } from '../../../integration/urls/relative-url.ts';

/** Root-absolute address of a page: its path with everything escaped that an address reads otherwise (`#`, `?`, `%`, spaces). */
export function pageHref(path: string): string {
  return `/${encodePath(path)}`;
}
