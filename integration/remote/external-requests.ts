// All that the export of a guest site has to do with other hosts, in one place.
import type { Deployment } from '../manifest.ts';
import type { RemoteElement } from './remote-elements.ts';
import type { PageScan } from '../page/scan-page.ts';
import type { Problem } from '../diagnostics.ts';
import { createBringer } from './vendor-loads.ts';
import { cardStyle, cardStylesheet, embedAddress, embedCard, isEmbed } from './embeds.ts';
import { manifestLoads } from './json-loads.ts';
import { createLedger, type Ledger, type PageLoad } from './request-report.ts';
import { placeLoads, type Load, type PlacedLoad } from '../html/load.ts';
import { isAllowed, outsideAddress } from '../urls/external-url.ts';
import { fixedPageLoads, type ElementLoad, type PageLoads } from './page-loads.ts';
import { createScriptReader, fileRequests, isModuleText } from '../scripts/parse-scripts.ts';
import { styleLoads } from '../html/style-loads.ts';
import { createSvgFiles, xmlStylesheets } from './svg-files.ts';

export interface GuestEgressOptions {
  deployment: Deployment;
  allow: string[];
  /** How files of other hosts are brought in; undefined when they are not. */
  vendor?: {
    signal?: AbortSignal;
    reuse(url: string): string | undefined;
  };
  write(path: string, contents: string | Uint8Array): void;
  /** Files in the export by the address as it is written. */
  vendored: Map<string, string>;
}

export interface GuestEgress {
  /** What a page loads from other hosts. */
  readPage(html: string, scan: PageScan): Promise<PageLoad[]>;
  /** Brings in what the page loads, where that is wanted, and notes the rest. */
  addPage(page: string, loads: PageLoad[]): Promise<Problem[]>;
  /**
   * The same for a style sheet, a script, a web manifest, a page that is copied as it is, or an SVG file that some page shows as a
   * document; other files load nothing. `isModule` of a script that pages load as a module.
   */
  addFile(file: string, text: () => string, isModule?: boolean): Promise<Problem[]>;
  /** Whether an element of a page is taken out, as it would ask another host. */
  isTakenOut(element: RemoteElement): boolean;
  /** What stands in its place; `stylesheet` is given for the first of a page. */
  standIn(element: RemoteElement, stylesheet: string | undefined): string;
  finish: Ledger['finish'];
}

// What browsers show as a page although it is exported as it is: XHTML, and HTML whose encoding cannot be told, such as UTF-16 without a mark.
const pageFile = /\.(?:[xs]?html?|xht)$/i;
const scriptFile = /\.m?js$/i;

/** Whether a file of a site may load something. */
export function isReadFile(file: string): boolean {
  return pageFile.test(file) || /\.(?:css|svg|m?js|webmanifest)$|(?:^|\/)manifest\.json$/i.test(file);
}

export function createGuestEgress({ deployment, allow, vendor, write, vendored }: GuestEgressOptions): GuestEgress {
  const scripts = createScriptReader();
  const ledger = createLedger({ deployment, allow, vendored, brings: vendor !== undefined });
  const bringer =
    vendor && createBringer({ ...vendor, allow, write, vendored, scripts, onFile: (url, loads) => ledger.addFile(url, loads) });
  const svgFiles = createSvgFiles(withScripts);
  const isAirGapped = deployment === 'air-gapped';
  let hasCards = false;

  const isAllowedEmbed = (element: RemoteElement) => element.urls.every((url) => isAllowed(outsideAddress(url) ?? url, allow));

  return {
    async readPage(html, scan) {
      if (!scan.loads) return [];
      svgFiles.note(scan.loads.svgs);
      const all = await withScripts(scan.loads);
      if (all.length === 0) return [];
      const embeds = scan.remote.filter(isEmbed);
      const marked = all.map((load) => {
        const around = embeds.find(({ start, end }) => start <= load.start && load.start < end);
        return around ? { ...load, embed: embedAddress(around) } : load;
      });
      return placeLoads(html, marked);
    },
    async addPage(page, loads) {
      const problems = bringer && loads.length > 0 ? await bringer.bring(page, loads) : [];
      ledger.addPage(page, loads);
      return problems;
    },
    async addFile(file, text, isModule = false) {
      const isSvg = /\.svg$/i.test(file);
      if (isSvg) svgFiles.add(file, text);
      const contents = isSvg ? '' : text();
      const loads = isSvg ? [] : await fileLoads(file, contents, isModule);
      const problems = bringer && loads.length > 0 ? await bringer.bring(file, loads) : [];
      if (scriptFile.test(file)) problems.push(...(await fileRequests(file, contents, isModule)));
      ledger.addFile(file, loads);
      // A page that is copied as it is may come after what it shows.
      for (const svg of await svgFiles.loads()) ledger.addFile(svg.file, svg.loads);
      return problems;
    },
    isTakenOut(element) {
      if (element.load === 'hint') return isNeedless(element);
      return isAirGapped && isEmbed(element) && !isAllowedEmbed(element);
    },
    standIn(element, stylesheet) {
      if (!isEmbed(element)) return '';
      if (!hasCards) write(cardStylesheet, cardStyle);
      hasCards = true;
      return embedCard(element, stylesheet);
    },
    finish: ledger.finish,
  };

  // What is brought in is not asked for any more, so neither is its host greeted.
  function isNeedless({ urls }: RemoteElement): boolean {
    if (urls.every((url) => vendored.has(url))) return false;
    const isListed = urls.every((url) => isAllowed(outsideAddress(url) ?? url, allow));
    return isListed ? bringer !== undefined : isAirGapped;
  }

  async function withScripts({ loads, scripts: inline }: PageLoads): Promise<ElementLoad[]> {
    const all = [...loads];
    for (const { text, start, element, inContent, isInside } of inline) {
      for (const load of await scripts.read(text)) {
        const name = element === 'script' ? load.element : `${element} ${load.element.replace(/^script /, '')}`;
        const movable = load.movable && element === 'script';
        all.push({ ...load, element: name, start: isInside ? start : start + load.start, inContent, movable });
      }
    }
    return all;
  }

  async function fileLoads(file: string, text: string, isModule: boolean): Promise<PlacedLoad[]> {
    if (pageFile.test(file)) {
      const page = withoutZeros(text);
      const found = fixedPageLoads(page);
      svgFiles.note(found.svgs);
      const loads: Load[] = [...(/\.x[^.]*$/i.test(file) ? xmlStylesheets(page) : []), ...(await withScripts(found))];
      return placeLoads(
        page,
        loads.map((load) => ({ ...load, movable: false })),
      );
    }
    if (/\.css$/i.test(file)) return placeLoads(text, styleLoads(text));
    if (scriptFile.test(file)) {
      const loads = await scripts.read(text);
      // Modules become one script, which is told where each file is; other scripts stay as they are.
      const isBundled = loads.some(({ movable }) => movable) && (isModule || (await isModuleText(text)));
      return placeLoads(text, isBundled ? loads : loads.map((load) => ({ ...load, movable: false })));
    }
    return placeLoads(text, manifestLoads(text));
  }
}

// Every second byte of ASCII in UTF-16 is zero. Line breaks stay, so the lines that are told are right.
function withoutZeros(text: string): string {
  return text.replaceAll('\0', '');
}
