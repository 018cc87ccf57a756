// What pages load from other hosts, and what becomes of it: each is told once a page.
import type { Deployment } from '../manifest.ts';
import type { EgressEntry } from './request-report.ts';
import type { LoadKind } from '../html/load.ts';
import type { PageSource } from '../page/built-page.ts';
import type { Problem } from '../diagnostics.ts';
import { placeIn } from '../export/check-links.ts';
import type { PageSummary } from '../page/page-record.ts';

export interface AuditOptions {
  deployment: Deployment;
  vendored: Map<string, string>;
  /** Remembers what stands around all pages. */
  told: Set<string>;
}

/** Problems for the elements of one page that ask other hosts. Of a page of our own theme: it has an answer for each. */
export function auditPage(source: PageSource, page: PageSummary, { deployment, vendored, told }: AuditOptions): Problem[] {
  const problems: Problem[] = [];
  for (const element of page.remote) {
    const url = element.urls.find((candidate) => !vendored.has(candidate));
    if (url === undefined) continue;
    const key = `${element.name} ${url}`;
    if (!element.inContent && (told.has(key) || !told.add(key))) continue;
    problems.push({ ...describe(element, url, deployment), ...placeIn(source, url) });
  }
  return problems;
}

const names = new Map([
  ['img', 'image'],
  ['iframe', 'frame'],
]);

/** What a page of our own theme loads from other hosts, and what became of it. */
export function pageEgress(source: PageSource, page: PageSummary, options: Omit<AuditOptions, 'told'>): EgressEntry[] {
  return page.remote.flatMap(({ name, load, urls, without }) =>
    [...new Set(urls)].map((url): EgressEntry => {
      const isAirGapped = options.deployment === 'air-gapped';
      const outcome = options.vendored.has(url) ? 'vendored' : !isAirGapped ? 'loads' : without === 'card' ? 'card' : 'removed';
      const { page: file = '', line } = placeIn(source, url);
      return { page: file, line, element: name, url, kind: kindOf(name, load), outcome };
    }),
  );
}

function kindOf(name: string, load: PageSummary['remote'][number]['load']): LoadKind {
  if (load === 'frame') return 'embed';
  if (load === 'hint') return 'hint';
  if (load === 'code') return name === 'link' ? 'stylesheet' : 'script';
  return name === 'video' || name === 'audio' ? 'media' : 'image';
}

/** The problem of a style sheet that asks another host. */
export function stylesheetLoad(page: string, url: string, deployment: Deployment): Problem {
  const isTakenOut = deployment === 'air-gapped';
  return {
    kind: 'remote-load',
    severity: deployment === 'cloud' ? 'note' : 'warning',
    page,
    message: `The style sheet ${isTakenOut ? 'would load' : 'loads'} "${url}" from another host${isTakenOut ? ', so the address was taken out' : ''}.`,
    hint: 'Put a copy into the docs folder.',
  };
}

function describe({ name, load, without }: PageSummary['remote'][number], url: string, deployment: Deployment): Problem {
  const what = names.get(name) ?? name;
  if (deployment === 'air-gapped') {
    const isMedia = without === 'card';
    return {
      kind: isMedia ? 'remote-media-replaced' : 'remote-load',
      severity: 'warning',
      message: isMedia
        ? `The ${what} "${url}" is on another host, so a link with its address stands in its place.`
        : `The ${what} would load "${url}" from another host, so it was taken out.`,
      hint: load === 'media' ? 'Put a copy into the docs folder, or export with --vendor.' : 'Put a copy into the docs folder.',
    };
  }
  return {
    kind: 'remote-load',
    severity: deployment === 'client-hosted' && load !== 'media' ? 'warning' : 'note',
    message: `The ${what} loads "${url}" from another host, so without a network it is missing.`,
    hint: 'Put a copy into the docs folder, or export for air-gapped use.',
  };
}
