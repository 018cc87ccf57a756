// SVG files that pages show as documents: what these name is loaded, as it is not in an <img>.
import { decode } from '../urls/address.ts';
import { placeLoads, type Load, type PlacedLoad } from '../html/load.ts';
import { outsideAddress } from '../urls/external-url.ts';
import { fixedPageLoads, type ElementLoad, type PageLoads, type ShownSvg } from './page-loads.ts';

export interface SvgFiles {
  /** Notes what a page shows. */
  note(svgs: ShownSvg[]): void;
  add(file: string, text: () => string): void;
  /** What the files load that were both noted and added since it was last asked. */
  loads(): Promise<{ file: string; loads: PlacedLoad[] }[]>;
}

/** `withScripts` adds what the scripts of a document load. */
export function createSvgFiles(withScripts: (found: PageLoads) => Promise<ElementLoad[]>): SvgFiles {
  // By the name alone: so one of another folder is read too, which only an image shows, but none is missed.
  const shown = new Map<string, ShownSvg['as']>();
  const files = new Map<string, { file: string; text: () => string }[]>();
  const due: { file: string; text: () => string; as: ShownSvg['as'] }[] = [];
  return {
    note(svgs) {
      for (const { address, as } of svgs) {
        const name = nameOf(decode(address.replace(/[?#].*$/s, '')));
        if (shown.get(name) === as || shown.get(name) === 'document') continue;
        shown.set(name, as);
        for (const file of files.get(name) ?? []) due.push({ ...file, as });
      }
    },
    add(file, text) {
      const name = nameOf(file);
      const as = shown.get(name);
      if (as !== undefined) due.push({ file, text, as });
      files.set(name, [...(files.get(name) ?? []), { file, text }]);
    },
    async loads() {
      const found: { file: string; loads: PlacedLoad[] }[] = [];
      for (const { file, text, as } of due.splice(0)) {
        const svg = text();
        const all = (await withScripts(fixedPageLoads(svg))).map((load) => ({ ...load, movable: false }));
        // A use draws a part of the file, and runs nothing of it.
        const loads = as === 'document' ? [...xmlStylesheets(svg), ...all] : all.filter(({ element }) => element === 'image');
        found.push({ file, loads: placeLoads<Load>(svg, loads) });
      }
      return found;
    },
  };
}

/** Style sheets of other hosts that an XML file names before its first element. */
export function xmlStylesheets(text: string): Load[] {
  const prologue = text.slice(0, Math.max(0, text.search(/<[^?!]/)));
  return [...prologue.matchAll(/<\?xml-stylesheet\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].flatMap((match): Load[] => {
    const address = match[1] ?? match[2]!;
    const url = outsideAddress(address.replaceAll('&amp;', '&'));
    if (url === undefined) return [];
    return [{ element: '?xml-stylesheet', kind: 'stylesheet', address, url, start: match.index, certain: true, movable: false }];
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}
