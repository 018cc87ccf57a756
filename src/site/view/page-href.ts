import { encodePath } from '../../../integration/urls/relative-url.ts';

/** Root-relative URL of a page: its path with special characters (`#`, `?`, `%`, spaces) escaped. */
export function pageHref(path: string): string {
  return `/${encodePath(path)}`;
}
