// Files that style sheets name and the site has not.
import type { Problem } from '../diagnostics.ts';
import { lineAt } from '../text/edit.ts';
import { cssAddresses } from '../html/css-addresses.ts';
import { encodePath } from '../urls/relative-url.ts';
import { isElsewhere } from '../urls/address.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';

/** A warning for each address in a style sheet that leads to no file, once. `base` is what root-absolute addresses of the site begin with. */
export function checkStylesheet(css: string, path: string, { resolve }: Pick<Resolver, 'resolve'>, base: string): Problem[] {
  const told = new Set<string>();
  return cssAddresses(css).flatMap(({ address, start }): Problem[] => {
    if (address === '' || address[0] === '#' || isElsewhere(address) || told.has(address)) return [];
    told.add(address);
    // Relative addresses start from the style sheet, not from a page.
    const url = URL.parse(address, `http://site.invalid${base}${encodePath(path)}`);
    const target = url && loaded(resolve(url.pathname, ''));
    if (target?.kind !== 'missing') return [];
    return [
      {
        kind: 'asset-without-file',
        severity: 'warning',
        page: path,
        line: lineAt(css, start),
        message: `"${address}" in this style sheet leads to no file of the site.`,
        hint: `Add the file ${target.wanted} or correct the address.`,
      },
    ];
  });
}
