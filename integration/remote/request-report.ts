// What an export would load from other hosts, of all its pages and files, and what becomes of it.
import type { Deployment } from '../manifest.ts';
import { ExportError } from '../errors.ts';
import type { Problem } from '../diagnostics.ts';
import type { LoadKind, PlacedLoad } from '../html/load.ts';
import { isAllowed } from '../urls/external-url.ts';

/**
 * What becomes of a load: it stays and `loads`, its host is `allowed`, its file was brought in (`vendored`), a card stands in its
 * place, it was `removed`, or it is one that only running a script would show (`possible`).
 */
export type Outcome = 'loads' | 'allowed' | 'vendored' | 'card' | 'removed' | 'possible';

/** A load in the report of an export. */
export interface EgressEntry {
  /** Page or file. */
  page: string;
  /** What asks: `img`, `link rel=preload`, `style @import`, `script fetch()`. */
  element: string;
  /** 1-based line of the finished page or file. */
  line?: number;
  url: string;
  kind: LoadKind;
  outcome: Outcome;
  /** On how many pages, of one that stands around them. */
  pages?: number;
}

/** A load of a page: with whether an author wrote it, and the address of the frame or widget that it belongs to. */
export interface PageLoad extends PlacedLoad {
  inContent: boolean;
  embed?: string;
}

export interface LedgerOptions {
  deployment: Deployment;
  allow: string[];
  /** Files in the export of addresses on other hosts, as these are written. */
  vendored: ReadonlyMap<string, string>;
  /** Whether files of allowed hosts are brought in. */
  brings?: boolean;
}

export interface Ledger {
  addPage(page: string, loads: PageLoad[]): void;
  addFile(file: string, loads: PlacedLoad[]): void;
  /** Throws `EgressError` when the export is for a place without network and would ask another host. */
  finish(): { egress: EgressEntry[]; problems: Problem[] };
}

/** An air-gapped export that would ask other hosts. `egress` lists all that it would ask for. */
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
        `An air-gapped export asks no other host, but this site loads ${count(failing.length, 'address', 'addresses')} from ${count(hosts.length, 'other host', 'other hosts')}:`,
        ...shown.map((text) => `  ${text}`),
        ...(rest > 0 ? [`  and ${rest} more`] : []),
      ].join('\n'),
      `Bring the files in (vendor, with the hosts in allow: ${hosts.slice(0, 10).join(', ')}${hosts.length > 10 ? ', …' : ''}), list in allow what may be asked, or take them out of the site.`,
    );
    this.egress = egress;
  }
}

const mostShown = 50;

export function createLedger({ deployment, allow, vendored, brings = false }: LedgerOptions): Ledger {
  const entries: EgressEntry[] = [];
  // What stands around the pages is told once.
  const around = new Map<string, EgressEntry>();
  const isAirGapped = deployment === 'air-gapped';

  const outcomeOf = (load: PlacedLoad & { embed?: string }): Outcome => {
    if (load.movable && vendored.has(load.address)) return 'vendored';
    // Where files are brought in, an address that stays is told with what is known of it.
    if (isAllowed(load.url, allow)) return brings && !load.certain ? 'possible' : 'allowed';
    if (isAirGapped && load.embed !== undefined && !isAllowed(load.embed, allow)) return 'card';
    if (isAirGapped && load.kind === 'hint') return 'removed';
    return load.certain ? 'loads' : 'possible';
  };
  const entryOf = (page: string, load: PlacedLoad): EgressEntry => {
    const { element, line, url, kind } = load;
    return { page, element, line, url, kind, outcome: outcomeOf(load) };
  };

  return {
    addPage(page, loads) {
      for (const load of loads) {
        const key = `${load.element}\n${load.url}`;
        const known = load.inContent ? undefined : around.get(key);
        if (known) {
          known.pages = (known.pages ?? 1) + 1;
          continue;
        }
        const entry = entryOf(page, load);
        entries.push(entry);
        if (!load.inContent) around.set(key, entry);
      }
    },
    addFile: (file, loads) => void entries.push(...loads.map((load) => entryOf(file, load))),
    finish() {
      if (isAirGapped && entries.some(fails)) throw new EgressError(entries);
      return { egress: entries, problems: entries.flatMap((entry) => problemOf(entry, deployment, brings)) };
    },
  };
}

// A page that sends its reader to another host is a link that needs no click: nothing of it is loaded into the page.
function fails({ outcome, kind }: EgressEntry): boolean {
  return outcome === 'loads' && kind !== 'navigation';
}

function problemOf(
  { outcome, page, line, element, url, kind, pages }: EgressEntry,
  deployment: Deployment,
  brings: boolean,
): Problem[] {
  const place = line === undefined ? { page } : { page, line };
  const everywhere = pages === undefined ? '' : ` It stands on ${pages} pages.`;
  const note = (name: string, message: string, hint?: string): Problem[] => [
    { kind: name, severity: 'note', ...place, message: message + everywhere, ...(hint === undefined ? {} : { hint }) },
  ];
  if (outcome === 'vendored') return [];
  if (outcome === 'card') {
    const message = `The ${element} "${url}" is on another host, so a card with its address stands in its place.${everywhere}`;
    return [
      { kind: 'embed-replaced', severity: 'warning', ...place, message, hint: 'Put a copy of what it shows into the site.' },
    ];
  }
  if (outcome === 'removed') return note('hint-removed', `The ${element} "${url}" would ask another host, so it was taken out.`);
  if (outcome === 'possible') {
    const message = `The ${element} holds "${url}"; whether it is asked for shows only when the script runs.`;
    return note('remote-load-possible', message, 'Open the page without a network and look.');
  }
  if (kind === 'navigation') return note('remote-navigation', `This page sends its reader on to "${url}", on another host.`);
  if (outcome === 'allowed' && brings && kind !== 'hint') {
    const message = `The ${element} asks another host for "${url}", which is allowed, but was not brought in: ${whyNotBrought(kind, element)}.${everywhere}`;
    return [
      {
        kind: 'remote-not-vendored',
        severity: deployment === 'cloud' ? 'note' : 'warning',
        ...place,
        message,
        hint: 'Without a network it is missing. Put a copy into the site, or do without.',
      },
    ];
  }
  if (outcome === 'allowed')
    return note('remote-load-allowed', `The ${element} loads "${url}" from another host, which is allowed.`);
  return [
    {
      kind: 'remote-load',
      severity: deployment === 'client-hosted' ? 'warning' : 'note',
      ...place,
      message: `The ${element} loads "${url}" from another host, so without a network it is missing.${everywhere}`,
      hint: 'Put a copy into the site, or bring it in: vendor, with its host in allow.',
    },
  ];
}

function whyNotBrought(kind: LoadKind, element: string): string {
  if (kind === 'connection') return 'a page that was opened from a file may not ask for the text of another';
  if (kind === 'embed') return 'a frame is a page of its own host';
  if (/Worker\(\)$/.test(element)) return 'a worker is a script of its own host';
  return 'its address stands where no other can be written';
}

function lineOf({ page, line, element, url, pages }: EgressEntry): string {
  return `${page}${line === undefined ? '' : `:${line}`}  ${element}  ${url}${pages === undefined ? '' : `  (on ${pages} pages)`}`;
}

function count(many: number, one: string, more: string): string {
  return `${many} ${many === 1 ? one : more}`;
}
