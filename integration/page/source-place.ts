import type { Problem } from '../diagnostics.ts';
import { decode } from '../urls/address.ts';
import type { PageSource } from './page-types.ts';

/** Where a problem of a page is: its file and line, as far as they are known. */
export function placeIn(source: PageSource, address: string): { page: string } & Pick<Problem, 'line'> {
  const line = spellings(address).reduce<number | undefined>((found, spelling) => found ?? source.lineOf?.(spelling), undefined);
  const page = source.file ?? (source.path || 'index');
  return line === undefined ? { page } : { page, line };
}

/** How the author may have written an address: absolute, not encoded, or relative to the page. */
function spellings(address: string): string[] {
  const plain = decode(address);
  const last = plain.slice(plain.lastIndexOf('/', plain.search(/[?#]|$/)) + 1);
  const relative = last === '' || last === plain ? [] : [`/${last}`, `(${last}`, `"${last}`, `'${last}`];
  return [...new Set([address, plain, plain.replace(/^\//, ''), ...relative])].filter((spelling) => spelling !== '');
}
