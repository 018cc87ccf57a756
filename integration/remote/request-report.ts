// The external-request report: what the pages and files of an export load from external origins, and the outcome of each load.
import type { Deployment } from '../manifest.ts';
import { ExportError } from '../errors.ts';
import type { Problem } from '../diagnostics.ts';
import { framePoster } from '../html/external-loads.ts';
import type { LoadKind, PageLoad } from '../html/load.ts';
import { isAllowed } from '../urls/external-url.ts';

/**
 * The outcome of a load: it stays and `loads`, its host is `allowed`, its file was `vendored`, a placeholder replaces it (`card`),
 * it was `removed`, or only running a script would show whether it is requested (`possible`).
 */
export const outcomes = ['loads', 'allowed', 'vendored', 'card', 'removed', 'possible'] as const;
type Outcome = (typeof outcomes)[number];

/** A load in the report of an export. */
export interface EgressEntry {
  /** Page or file. */
  page: string;
  /** What loads it: `img`, `link rel=preload`, `style @import`, `script fetch()`. */
  element: string;
  /** 1-based line of the built page or file; of a page of our own theme, of its source. */
  line?: number;
  url: string;
  kind: LoadKind;
  outcome: Outcome;
  /** Number of pages, for a load in the layout of more than one. */
  pages?: number;
}

export interface RequestReportOptions {
  deployment: Deployment;
  onBlocked: 'placeholder' | 'fail';
  allow: string[];
  /** Files in the export by their external URLs, verbatim. */
  vendored: ReadonlyMap<string, string>;
  /** Whether files of allowed hosts are vendored. */
  vendors: boolean;
}

type ReportedLoad = Omit<PageLoad, 'inContent'>;

export interface RequestReport {
  addPage(page: string, loads: PageLoad[]): void;
  addFile(file: string, loads: ReportedLoad[]): void;
  /** Throws `EgressError` when an air-gapped export would load from external origins. */
  finish(): { egress: EgressEntry[]; problems: Problem[] };
}

/** An air-gapped export that would load from external origins. `egress` lists all that it would load. */
export class EgressError extends ExportError {
  readonly egress: EgressEntry[];

  constructor(egress: EgressEntry[]) {
    const failing = egress.filter(fails);
    const hosts = [...new Set(failing.map(({ url }) => new URL(url).host))].sort();
    const shown = failing.slice(0, mostShown).map(lineOf);
    const rest = failing.length - shown.length;
    super(
      'OutsideLoads',
      [
        `An air-gapped export must not load from external origins, but this site loads ${count(failing.length, 'URL', 'URLs')} from ${count(hosts.length, 'host', 'hosts')}:`,
        ...shown.map((text) => `  ${text}`),
        ...(rest > 0 ? [`  and ${rest} more`] : []),
      ].join('\n'),
      `Download the files (vendor, with the hosts in allow: ${hosts.slice(0, 10).join(', ')}${hosts.length > 10 ? ', …' : ''}), list in allow the hosts that readers can reach, or remove the loads from the site.`,
    );
    this.egress = egress;
  }
}

const mostShown = 50;

export function createRequestReport(options: RequestReportOptions): RequestReport {
  const { deployment, onBlocked, allow, vendored, vendors } = options;
  const entries: EgressEntry[] = [];
  // A load in the layout is listed once.
  const inLayout = new Map<string, EgressEntry>();
  const isAirGapped = deployment === 'air-gapped';

  const outcomeOf = (load: ReportedLoad): Outcome => {
    if (load.rewritable && vendored.has(load.written)) return 'vendored';
    // Where files are vendored, a URL that stays is reported.
    if (isAllowed(load.url, allow)) return vendors && !load.static ? 'possible' : 'allowed';
    const isEmbedAllowed = load.embed !== undefined && isAllowed(load.embed, allow);
    if (isAirGapped && load.blocked !== undefined && !isEmbedAllowed) return load.blocked;
    return load.static ? 'loads' : 'possible';
  };
  const entryOf = (page: string, load: ReportedLoad): EgressEntry => {
    const { element, line, url, kind } = load;
    return { page, element, line, url, kind, outcome: outcomeOf(load) };
  };

  return {
    addPage(page, loads) {
      for (const load of loads) {
        const key = `${load.element}\n${load.url}`;
        const known = load.inContent ? undefined : inLayout.get(key);
        if (known) {
          known.pages = (known.pages ?? 1) + 1;
          continue;
        }
        const entry = entryOf(page, load);
        entries.push(entry);
        if (!load.inContent) inLayout.set(key, entry);
      }
    },
    addFile: (file, loads) => void entries.push(...loads.map((load) => entryOf(file, load))),
    finish() {
      if (onBlocked === 'fail' && isAirGapped && entries.some(fails)) throw new EgressError(entries);
      return { egress: entries, problems: entries.flatMap((entry) => problemOf(entry, options)) };
    },
  };
}

// A page that redirects to an external origin is like a link: it does not load anything into the page.
function fails({ outcome, kind }: EgressEntry): boolean {
  return outcome === 'loads' && kind !== 'navigation';
}

const shownKinds = new Set<LoadKind>(['image', 'media', 'font', 'manifest']);

function problemOf(entry: EgressEntry, { deployment, onBlocked, vendors }: RequestReportOptions): Problem[] {
  const { outcome, page, line, element, url, kind, pages } = entry;
  const isOwn = onBlocked === 'placeholder';
  const isShown = shownKinds.has(kind);
  const location = line === undefined ? { page } : { page, line };
  const everywhere = pages === undefined ? '' : ` It is on ${pages} pages.`;
  const problem = (kind: Problem['kind'], severity: Problem['severity'], message: string, hint?: string): Problem[] => [
    { kind, severity, ...location, message: message + everywhere, ...(hint === undefined ? {} : { hint }) },
  ];
  const copyHint = `Put a copy into the docs folder${isShown && !vendors ? ', or export with --vendor' : ''}.`;
  // An author wrote its frame, which is reported.
  if (outcome === 'vendored' || (element === framePoster && outcome !== 'allowed')) return [];
  if (outcome === 'card') {
    const message = `The ${element} "${url}" is on an external origin, so a placeholder that shows its URL replaces it.`;
    if (!isOwn) return problem('embed-replaced', 'warning', message, 'Put a copy of what it shows into the site.');
    return problem('remote-media-replaced', 'warning', message, copyHint);
  }
  if (outcome === 'removed') {
    const message = `The ${element} would load "${url}" from an external origin, so it was removed.`;
    return isOwn ? problem('remote-load', 'warning', message, copyHint) : problem('hint-removed', 'note', message);
  }
  if (outcome === 'possible') {
    const message = `The ${element} contains "${url}"; only running the script shows whether it is requested.`;
    return problem('remote-load-possible', 'note', message, 'Open the page without a network to check.');
  }
  if (kind === 'navigation')
    return problem('remote-navigation', 'note', `This page redirects to "${url}", on an external origin.`);
  if (outcome === 'allowed' && vendors && kind !== 'hint') {
    const message = `The ${element} loads "${url}" from an external origin, which is allowed, but was not vendored: ${whyNotVendored(kind, element)}.`;
    const hint = 'Without a network it is missing. Put a copy into the site, or remove it.';
    return problem('remote-not-vendored', deployment === 'cloud' ? 'note' : 'warning', message, hint);
  }
  if (outcome === 'allowed')
    return problem('remote-load-allowed', 'note', `The ${element} loads "${url}" from an external origin, which is allowed.`);
  if (isOwn && kind === 'embed')
    return problem('remote-load', 'note', `The ${element} "${url}" is on an external origin: it loads when a reader clicks it.`);
  // What a page of our own theme shows is missing on that page alone; a stylesheet's loads are missing on every page.
  const isOnOnePage = isShown && !/^(?:@|url\()/.test(element);
  const isSevere = deployment === 'client-hosted' && !(isOwn && isOnOnePage);
  return problem(
    'remote-load',
    isSevere ? 'warning' : 'note',
    `The ${element} loads "${url}" from an external origin, so without a network it is missing.`,
    isOwn
      ? 'Put a copy into the docs folder, or export for air-gapped use.'
      : 'Put a copy into the site, or download it: vendor, with its host in allow.',
  );
}

function whyNotVendored(kind: LoadKind, element: string): string {
  if (kind === 'connection') return 'a page that was opened from disk cannot request the text of another file';
  if (kind === 'embed') return 'a frame is a page of its own host';
  if (element.endsWith('Worker()')) return 'a worker is a script of its own host';
  return 'the export cannot rewrite its URL';
}

function lineOf({ page, line, element, url, pages }: EgressEntry): string {
  return `${page}${line === undefined ? '' : `:${line}`}  ${element}  ${url}${pages === undefined ? '' : `  (on ${pages} pages)`}`;
}

function count(many: number, one: string, more: string): string {
  return `${many} ${many === 1 ? one : more}`;
}
