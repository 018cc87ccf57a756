// Decides about loads from external origins: they are vendored, replaced by a placeholder, reported, or fail the export.
import type { PageLoads, ElementLoad } from '../html/external-loads.ts';
import { placeLoads, type PageLoad, type PlacedLoad } from '../html/load.ts';
import { cannotLoad, type LoadingElement } from '../html/loading-elements.ts';
import type { Deployment } from '../manifest.ts';
import type { Problem } from '../diagnostics.ts';
import type { PageSource } from '../page/page-types.ts';
import { sourceLocation } from '../page/page-record.ts';
import { isAllowed, externalUrl } from '../urls/external-url.ts';
import type { download } from './download.ts';
import { isEmbed, placeholder, placeholderUrl, placeholderStyle, placeholderStylesheet } from './placeholder.ts';
import { createRequestReport, type RequestReport } from './request-report.ts';
import type { Vendor, VendoredLoad } from './vendor.ts';

export interface RemoteRules {
  /**
   * What an air-gapped export does with a load that is not allowed. A site of our own theme has a placeholder for each; an existing site
   * has one for frames and widgets, and fails for everything else.
   */
  onBlocked: 'placeholder' | 'fail';
  /** Hosts that pages are allowed to load from, or to vendor from. */
  allow: string[];
  reader: LoadReader;
}

/** Finds the loads that a site's pages and files have beyond the elements of the pages. */
export interface LoadReader {
  page(html: string, found: PageLoads): Promise<ElementLoad[]>;
  /** What a file of the site loads, and the files now found to load something. `isModule`: pages load it as a module. */
  file(file: string, text: () => string, isModule: boolean): Promise<FileLoads>;
}

interface FileLoads {
  loads: PlacedLoad[];
  problems?: Problem[];
  others?: { file: string; loads: PlacedLoad[] }[];
}

export interface RemotePolicyOptions {
  rules: RemoteRules;
  deployment: Deployment;
  /** How files are vendored; undefined when they are not. */
  vendor?: { download?: typeof download; signal?: AbortSignal; reuse(url: string): string | undefined };
  write(path: string, contents: string | Uint8Array): void;
  /** Files in the export by their external URLs, verbatim. */
  vendored: Map<string, string>;
}

export interface RemotePolicy {
  vendors: boolean;
  /** Whether external URLs in styles that were not vendored become `data:,`, which loads nothing. */
  blanksStyleUrls: boolean;
  /** What a page loads from external origins. */
  readPage(html: string, found: PageLoads): Promise<PageLoad[]>;
  /** Vendors what the page loads, if enabled, and reports the rest. */
  addPage(source: PageSource, loads: PageLoad[]): Promise<Problem[]>;
  /** The same for a file of the site. */
  addFile(file: string, text: () => string, isModule?: boolean): Promise<Problem[]>;
  /**
   * What replaces an element on one page; undefined if the element stays. `stylesheet` is the URL of the placeholders' stylesheet,
   * `isMissing` tells whether the site does not have the file of a URL.
   */
  replacements(stylesheet: string, isMissing: (url: string) => boolean): (element: LoadingElement) => string | undefined;
  finish: RequestReport['finish'];
}

export function createRemotePolicy({ rules, deployment, vendor, write, vendored }: RemotePolicyOptions): RemotePolicy {
  const { onBlocked, allow, reader } = rules;
  const replacesAll = onBlocked === 'placeholder';
  const report = createRequestReport({ deployment, onBlocked, allow, vendored, vendors: vendor !== undefined });
  const { isReplaced, blockedOf } = replacementRules({ rules, deployment, vendors: vendor !== undefined, vendored });
  let opened: Promise<Vendor> | undefined;
  let hasStylesheet = false;

  const vendorLoads = async (page: string, loads: VendoredLoad[]): Promise<Problem[]> => {
    if (!vendor || loads.length === 0) return [];
    // Only exports that vendor load it.
    opened ??= import('./vendor.ts').then(({ createVendor }) =>
      createVendor({ ...vendor, allow, write, vendored, onFile: (url, loads) => report.addFile(url, loads) }),
    );
    return (await opened).vendor(page, loads);
  };

  return {
    vendors: vendor !== undefined,
    blanksStyleUrls: replacesAll && deployment === 'air-gapped',
    async readPage(html, found) {
      const loads = await reader.page(html, found);
      if (loads.length === 0) return [];
      const remote = found.elements.filter((element) => cannotLoad(element, (url) => externalUrl(url) !== undefined));
      const replaceable = replacesAll ? remote : remote.filter(isEmbed);
      const marked = loads.map((load) => {
        const around = replaceable.findLast(({ start, end }) => start <= load.start && load.start < end);
        return { ...load, ...blockedOf(load, around) };
      });
      const placed: PageLoad[] = placeLoads(html, marked);
      // Lines of a page of our own theme are those of its source, which the page's source knows.
      return replacesAll ? placed.map(({ line: _, ...load }) => load) : placed;
    },
    async addPage(source, loads) {
      const placed = loads.map((load) => (load.line === undefined ? { ...load, ...lineIn(source, load.written) } : load));
      const page = sourceLocation(source, '').page;
      const problems = await vendorLoads(page, placed);
      report.addPage(page, placed);
      return problems;
    },
    async addFile(file, text, isModule = false) {
      const { loads, problems = [], others = [] } = await reader.file(file, text, isModule);
      const found = [...(await vendorLoads(file, loads)), ...problems];
      report.addFile(
        file,
        loads.map((load) => ({ ...load, ...blockedOf(load) })),
      );
      for (const other of others) report.addFile(other.file, other.loads);
      return found;
    },
    replacements(stylesheet, isMissing) {
      let isStyled = replacesAll;
      return (element) => {
        if (!isReplaced(element, isMissing)) return undefined;
        const text = placeholder(element, {
          keepsClasses: replacesAll,
          isMissing: isMissing(element.urls[0] ?? ''),
          ...(!isStyled && { stylesheet }),
        });
        if (!isStyled && text !== '' && !hasStylesheet) {
          write(placeholderStylesheet, placeholderStyle);
          hasStylesheet = true;
        }
        isStyled ||= text !== '';
        return text;
      };
    },
    finish: report.finish,
  };
}

interface ReplacementInput extends Pick<RemotePolicyOptions, 'rules' | 'deployment' | 'vendored'> {
  vendors: boolean;
}

/** Which elements and loads an export replaces because they must not load. */
function replacementRules({ rules: { onBlocked, allow }, deployment, vendors, vendored }: ReplacementInput) {
  const replacesAll = onBlocked === 'placeholder';
  const isAirGapped = deployment === 'air-gapped';
  const isListed = (url: string) => isAllowed(externalUrl(url) ?? url, allow);
  const isBlocked = (url: string) => isAirGapped && externalUrl(url) !== undefined && !vendored.has(url) && !isListed(url);

  const isReplaced = (element: LoadingElement, isMissing: (url: string) => boolean): boolean => {
    if (element.load === 'hint') {
      // Vendored files are not requested any more, so hints to connect to their hosts are not needed.
      const remote = element.urls.filter((url) => externalUrl(url) !== undefined && !vendored.has(url));
      return remote.length > 0 && (remote.every(isListed) ? vendors : isAirGapped);
    }
    if (!replacesAll) return isEmbed(element) && cannotLoad(element, isBlocked);
    return cannotLoad(element, element.load === 'media' ? (url) => isBlocked(url) || isMissing(url) : isBlocked);
  };

  /** The outcome of a load if its host is blocked; `around` is the outermost element that is then replaced. */
  const blockedOf = (
    load: { kind: string; rewritable: boolean },
    around?: LoadingElement,
  ): Pick<PageLoad, 'blocked' | 'embed'> => {
    if (around && isEmbed(around)) return { blocked: 'card', embed: placeholderUrl(around) };
    if (around) return { blocked: around.without === 'placeholder' ? 'card' : 'removed' };
    const isRemoved = load.kind === 'hint' || (replacesAll && load.rewritable);
    return isRemoved ? { blocked: 'removed' } : {};
  };

  return { isReplaced, blockedOf };
}

function lineIn(source: PageSource, written: string): { line?: number } {
  const { line } = sourceLocation(source, written);
  return line === undefined ? {} : { line };
}
