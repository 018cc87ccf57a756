// Finds broken links and anchors, and reports each with its page.
import type { LinkCheck, LinkPosition, PageLink, PageSource, WrittenPage } from '../page/page-types.ts';
import { sourceLocation } from '../page/page-record.ts';
import { createProblem, didYouMean, type Problem } from '../diagnostics.ts';
import { nearest } from '../text/nearest.ts';
import { decode } from '../urls/parts.ts';
import type { Target } from '../urls/site-paths.ts';

/** The links of a page that are broken, or whose anchors must exist on other pages. `own` is the page with its ids. */
export function linkChecks(resolved: { link: PageLink; target: Target }[], own: { path: string; ids: string[] }): LinkCheck[] {
  const ownIds = new Set(own.ids);
  const checks: LinkCheck[] = [];
  for (const {
    link: [position, url],
    target,
  } of resolved) {
    if (position === 'markdown') continue;
    if (target.kind === 'missing')
      checks.push({ position, url, wanted: target.wanted!, ...(target.isOutside && { isOutside: true }) });
    if (target.kind === 'excluded') checks.push({ position, url, excluded: target.wanted! });
    if (target.kind === 'limited') checks.push({ position, url, limited: target.wanted! });
    if (target.base !== undefined) checks.push({ position, url, base: target.base });
    if (target.kind !== 'page' || target.hash.length < 2 || position.endsWith('file')) continue;
    const anchor = target.hash.slice(1).replace(/:~:.*$|^code-\d+:L\d.*$/s, '');
    if (anchor === '' || anchor === 'top' || (target.page === own.path && hasId(ownIds, anchor))) continue;
    checks.push({ position, url, page: target.page!, anchor });
  }
  return checks;
}

/** Problems in the order of the pages. */
export function checkLinks(pages: WrittenPage[]): Problem[] {
  const idsOf = new Map(pages.map(({ source, facts }) => [source.path, facts.ids]));
  const sets = new Map<string, Set<string>>();
  const idSet = (page: string) => {
    let ids = sets.get(page);
    if (!ids) sets.set(page, (ids = new Set(idsOf.get(page))));
    return ids;
  };
  // The layout is the same on every page, so its links are reported once.
  const reported = new Set<string>();
  const reportedExcluded = new Set<string>();
  const problems: Problem[] = [];
  const similar = similarPages(idsOf.keys());
  const based = new Map<string, { problem: Problem; count: number }>();
  for (const { source, checks } of pages) {
    for (const check of checks) {
      const { position, url } = check;
      if ('excluded' in check) {
        if (!reportedExcluded.has(check.excluded)) problems.push(excludedPage(source, check));
        reportedExcluded.add(check.excluded);
        continue;
      }
      if ('limited' in check) {
        if (!inLayout(position) || !reported.has(url)) problems.push(limitedPage(source, check));
        reported.add(url);
        continue;
      }
      if ('base' in check) {
        const known = based.get(check.base);
        if (known) known.count++;
        else based.set(check.base, { problem: linkWithBaseProblem(source, check), count: 1 });
        continue;
      }
      if ('page' in check && hasId(idSet(check.page), check.anchor)) continue;
      if (inLayout(position) && (reported.has(url) || !reported.add(url))) continue;
      if ('page' in check) problems.push(brokenAnchor(source, check, idsOf.get(check.page) ?? []));
      else problems.push(brokenLink(source, check, similar));
    }
  }
  for (const { problem, count } of based.values()) {
    const others = count === 1 ? '' : ` ${count - 1} more ${count === 2 ? 'URL begins' : 'URLs begin'} with it.`;
    problems.push({ ...problem, message: problem.message + others });
  }
  return problems;
}

function hasId(ids: Set<string>, anchor: string): boolean {
  return ids.has(anchor) || ids.has(decode(anchor)) || ids.has(decode(anchor).normalize('NFC'));
}

function linkWithBaseProblem(source: PageSource, { url, base }: Extract<LinkCheck, { base: string }>): Problem {
  return createProblem({
    kind: 'link-with-base',
    ...sourceLocation(source, url),
    message: `"${url}" begins with "/${base}", which is not a folder of the site; Carrel ignored this prefix, and the link works.`,
    hint: `If the site is published in that folder, export it with --base /${base}. Otherwise remove the prefix.`,
  });
}

function inLayout(position: LinkPosition): boolean {
  return position.startsWith('layout') || position === 'markdown-link';
}

/** So many broken links get suggestions: each is compared with all pages. */
const mostCompared = 100;

/** The URLs of pages that are spelled like that of a broken link, or have the same last name. */
function similarPages(pages: Iterable<string>): (url: string) => string[] {
  const paths = [...pages];
  let left = mostCompared;
  return (url) => {
    const [path = ''] = decode(url).split(/[?#]/);
    if (!path.startsWith('/') || left-- <= 0) return [];
    const name = lastName(path).toLowerCase();
    return nearest(path.slice(1), paths, (other) => (name !== '' && lastName(other) === name ? 1 : undefined)).map(
      (similar) => `/${similar}`,
    );
  };
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function brokenLink(
  source: PageSource,
  { position, url, wanted, isOutside }: Extract<LinkCheck, { wanted: string }>,
  similar: (url: string) => string[],
): Problem {
  const isFile = position.endsWith('file');
  if (isOutside) return linkOutsideProblem(source, position, url);
  return {
    kind: isFile ? 'asset-without-file' : 'link-without-target',
    severity: 'warning',
    ...sourceLocation(source, url),
    message: isFile
      ? `The file "${url}"${around(position)} is missing from the site.`
      : `The link "${url}"${around(position)} is broken: the site does not have this page or file.`,
    ...(isFile
      ? { hint: `Add the file ${wanted} or correct the URL.` }
      : didYouMean(similar(url), 'Correct the link, or add the page or a redirect.')),
  };
}

function linkOutsideProblem(source: PageSource, position: LinkPosition, url: string): Problem {
  if (position.endsWith('file'))
    return createProblem({
      kind: 'asset-without-file',
      ...sourceLocation(source, url),
      message: `"${url}"${around(position)} is a file on the same host, but outside the site's base, so the export does not contain it.`,
      hint: 'Put a copy into the site and correct the URL.',
    });
  return createProblem({
    kind: 'link-outside-base',
    ...sourceLocation(source, url),
    message: `"${url}"${around(position)} links to a page on the same host, but outside the site's base.`,
    hint: 'Set the public URL ("site" in astro.config.mjs, or --site), and the link opens the page there. Or correct the link.',
  });
}

function excludedPage(source: PageSource, { url, excluded: page }: Extract<LinkCheck, { excluded: string }>): Problem {
  return createProblem({
    kind: 'link-to-page-left-out',
    ...sourceLocation(source, url),
    message: `"${url}" links to the page "${page || 'index'}", which is excluded from this export.`,
    hint: 'Export it too, or set the public URL ("site" in astro.config.mjs, or --site): links to excluded pages then open the public site.',
  });
}

function limitedPage(source: PageSource, { position, url, limited: page }: Extract<LinkCheck, { limited: string }>): Problem {
  return createProblem({
    kind: 'link-to-limited-page',
    ...sourceLocation(source, url),
    message: `"${url}"${around(position)} links to the page "${page || 'index'}", which readers of this export may not see. It is shown as text.`,
    hint: 'Nothing needs to change. Or limit this page to the same groups.',
  });
}

function brokenAnchor(
  source: PageSource,
  { position, url, page, anchor }: Extract<LinkCheck, { anchor: string }>,
  ids: string[],
): Problem {
  const near = closest(decode(anchor), ids);
  return createProblem({
    kind: 'anchor-without-target',
    ...sourceLocation(source, url),
    message: `"${url}"${around(position)} links to the page "${page || 'index'}", which has no such heading or id.`,
    ...(near === undefined
      ? didYouMean(/[\p{L}\p{N}]/u.test(anchor) ? nearest(decode(anchor), ids) : [], 'Correct the part after the #.')
      : { hint: `Its closest id is "${near}".`, suggestion: near }),
  });
}

function around(position: LinkPosition): string {
  return inLayout(position) ? ' in the layout (header, navigation or footer)' : '';
}

/** The id that differs only in punctuation and case: other programs derive ids from headings in other ways. */
function closest(anchor: string, ids: string[]): string | undefined {
  const bare = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const wanted = bare(anchor);
  return wanted === '' ? undefined : ids.find((id) => bare(id) === wanted);
}
