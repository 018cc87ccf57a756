// SVG files that pages show as documents load external files; those in an <img> do not.
import { decode } from '../urls/parts.ts';
import { placeLoads, type Load, type PlacedLoad } from '../html/load.ts';
import { externalUrl } from '../urls/external-url.ts';
import { fixedPageLoads, type ElementLoad, type PageLoads, type ShownSvg } from '../html/external-loads.ts';
import { attribute, readHtml } from '../html/read-html.ts';

export interface SvgFiles {
  /** Records what a page shows. */
  note(svgs: ShownSvg[]): void;
  add(file: string, text: () => string): void;
  /** The loads of files that were both shown and added since the last call. */
  loads(): Promise<{ file: string; loads: PlacedLoad[] }[]>;
}

/** `withScripts` adds what the scripts of a document load. */
export function createSvgFiles(withScripts: (found: PageLoads) => Promise<ElementLoad[]>): SvgFiles {
  // Matches by file name only: may read a file that only an image uses, never misses one.
  const shown = new Map<string, ShownSvg['as']>();
  const files = new Map<string, { file: string; text: () => string }[]>();
  const due: { file: string; text: () => string; as: ShownSvg['as'] }[] = [];
  return {
    note(svgs) {
      for (const { written, as } of svgs) {
        const name = nameOf(decode(written.replace(/[?#].*$/s, '')));
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
        const all = (await withScripts(fixedPageLoads(svg))).map((load) => ({ ...load, rewritable: false }));
        // A <use> renders a part of the file, and no script of it runs.
        const loads = as === 'document' ? [...xmlStylesheets(svg), ...all] : all.filter(({ element }) => element === 'image');
        found.push({ file, loads: placeLoads<Load>(svg, loads) });
      }
      return found;
    },
  };
}

/** Stylesheets of external origins that an XML file names before its first element. */
export function xmlStylesheets(text: string): Load[] {
  const loads: Load[] = [];
  let isProlog = true;
  readHtml(text, {
    instruction(instruction, start) {
      if (!isProlog || !/^xml-stylesheet\s/.test(instruction)) return;
      const written = hrefOf(instruction);
      const url = written === undefined ? undefined : externalUrl(written);
      if (written === undefined || url === undefined) return;
      loads.push({
        element: '?xml-stylesheet',
        kind: 'stylesheet',
        written,
        url,
        start,
        static: true,
        rewritable: false,
      });
    },
    open: () => void (isProlog = false),
    close() {},
    text() {},
  });
  return loads;
}

/** The instruction looks like a tag with attributes. */
function hrefOf(instruction: string): string | undefined {
  let href: string | undefined;
  readHtml(`<${instruction.replace(/\?$/, '')}>`, { open: (tag) => void (href = attribute(tag, 'href')), close() {}, text() {} });
  return href;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}
