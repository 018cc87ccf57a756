import { cssAddresses } from './css-addresses.ts';
import type { Load } from './load.ts';
import { outsideAddress } from '../urls/external-url.ts';

/** What style text loads from external origins: `@import`, `url()`, `image-set()`, fonts. `element` contains the text: `style`, `div style`. */
export function styleLoads(css: string, element?: string): Load[] {
  if (!/[\\/]{2}|\\|https?:/i.test(css)) return [];
  return cssAddresses(css).flatMap(({ address, start, isImport, isFont, isNamespace }): Load[] => {
    const url = isNamespace ? undefined : outsideAddress(address);
    if (url === undefined) return [];
    const rule = isImport ? '@import' : isFont ? '@font-face' : 'url()';
    return [
      {
        element: element === undefined ? rule : `${element} ${rule}`,
        kind: isImport ? 'stylesheet' : isFont ? 'font' : 'image',
        address,
        url,
        start,
        static: true,
        rewritable: true,
      },
    ];
  });
}
