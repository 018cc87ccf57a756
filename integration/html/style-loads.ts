import { cssAddresses } from './references.ts';
import type { Load } from './load.ts';
import { outsideAddress } from '../urls/external-url.ts';

/** What style text loads from other hosts: `@import`, `url()`, `image-set()`, fonts. `element` is what holds it: `style`, `div style`. */
export function styleLoads(css: string, element?: string): Load[] {
  if (!/[\\/]{2}|\\|https?:/i.test(css)) return [];
  return cssAddresses(css).flatMap(({ address, start, isImport }): Load[] => {
    const url = outsideAddress(address);
    if (url === undefined) return [];
    const before = css.slice(Math.max(0, start - 400), start);
    // Names a vocabulary, loads nothing.
    if (/@namespace\b[^;{}]*$/i.test(before)) return [];
    const isFont = !isImport && inFontFace(css, start);
    const rule = isImport ? '@import' : isFont ? '@font-face' : 'url()';
    return [
      {
        element: element === undefined ? rule : `${element} ${rule}`,
        kind: isImport ? 'stylesheet' : isFont ? 'font' : 'image',
        address,
        url,
        start,
        certain: true,
        movable: true,
      },
    ];
  });
}

function inFontFace(css: string, at: number): boolean {
  const open = css.lastIndexOf('{', at);
  return open >= 0 && css.lastIndexOf('}', at) < open && /@font-face\s*$/i.test(css.slice(Math.max(0, open - 200), open));
}
