// Links and anchors that lead nowhere, told with the page they stand on.
import type { LinkCheck, LinkPlace, PageLink, PageSource, WrittenPage } from '../page/page-types.ts';
import { placeIn } from '../page/page-record.ts';
import type { Problem } from '../diagnostics.ts';
import { decode } from '../urls/address.ts';
import { type Target } from '../urls/resolver.ts';

/** What there is to check about the links of a page. */
export function linkChecks(resolved: { link: PageLink; target: Target }[]): LinkCheck[] {
  const checks: LinkCheck[] = [];
  for (const {
    link: [place, address],
    target,
  } of resolved) {
    if (place === 'markdown') continue;
    if (target.kind === 'missing')
      checks.push({ place, address, wanted: target.wanted!, ...(target.isOutside && { isOutside: true }) });
    if (target.kind === 'left-out') checks.push({ place, address, leftOut: target.wanted! });
    if (target.base !== undefined) checks.push({ place, address, base: target.base });
    if (target.kind !== 'page' || target.hash.length < 2 || place.endsWith('file')) continue;
    const anchor = target.hash.slice(1).replace(/:~:.*$/s, '');
    if (anchor !== '' && anchor !== 'top') checks.push({ place, address, page: target.page!, anchor });
  }
  return checks;
}

/** Dead links and anchors in the order of the pages. `generated` are pages that would be made of something else, by path. */
export function checkLinks(pages: WrittenPage[], generated?: ReadonlyMap<string, string>): Problem[] {
  const idsOf = new Map(pages.map(({ source, facts }) => [source.path, facts.ids]));
  const sets = new Map<string, Set<string>>();
  const hasAnchor = (page: string, anchor: string) => {
    let ids = sets.get(page);
    if (!ids) sets.set(page, (ids = new Set(idsOf.get(page))));
    return ids.has(anchor) || ids.has(decode(anchor)) || ids.has(decode(anchor).normalize('NFC'));
  };
  // The frame around pages says the same on each of them.
  const told = new Set<string>();
  const toldLeftOut = new Set<string>();
  const problems: Problem[] = [];
  const based = new Map<string, { problem: Problem; count: number }>();
  for (const { source, checks } of pages) {
    for (const check of checks) {
      const { place, address } = check;
      if ('leftOut' in check) {
        if (!toldLeftOut.has(check.leftOut)) problems.push(leftOut(source, check));
        toldLeftOut.add(check.leftOut);
        continue;
      }
      if ('base' in check) {
        const known = based.get(check.base);
        if (known) known.count++;
        else based.set(check.base, { problem: withoutBase(source, check), count: 1 });
        continue;
      }
      if ('page' in check && hasAnchor(check.page, check.anchor)) continue;
      if (inFrame(place) && (told.has(address) || !told.add(address))) continue;
      if ('page' in check) problems.push(deadAnchor(source, check, idsOf.get(check.page) ?? []));
      else {
        const operation = generated?.get(check.wanted);
        problems.push(operation === undefined ? deadLink(source, check) : notGenerated(source, check, operation));
      }
    }
  }
  for (const { problem, count } of based.values()) {
    const others = count === 1 ? '' : ` ${count - 1} more ${count === 2 ? 'address begins' : 'addresses begin'} with it.`;
    problems.push({ ...problem, message: problem.message + others });
  }
  return problems;
}

function withoutBase(source: PageSource, { address, base }: Extract<LinkCheck, { base: string }>): Problem {
  return {
    kind: 'link-with-base',
    severity: 'note',
    ...placeIn(source, address),
    message: `"${address}" begins with "/${base}", which is not a folder of the site, and was found without it.`,
    hint: `If the site is published in that folder, export it with --base /${base}. Otherwise correct the links.`,
  };
}

function inFrame(place: LinkPlace): boolean {
  return place.startsWith('frame') || place === 'mirror';
}

function deadLink(source: PageSource, { place, address, wanted, isOutside }: Extract<LinkCheck, { wanted: string }>): Problem {
  const isFile = place.endsWith('file');
  if (isOutside) return outside(source, place, address);
  return {
    kind: isFile ? 'asset-without-file' : 'link-without-target',
    severity: 'warning',
    ...placeIn(source, address),
    message: `"${address}"${around(place)} leads to no ${isFile ? 'file' : 'page or file'} of the site.`,
    hint: isFile ? `Add the file ${wanted} or correct the address.` : 'Correct the link, or add the page or a redirect.',
  };
}

function notGenerated(source: PageSource, { place, address }: LinkCheck, operation: string): Problem {
  return {
    kind: 'link-to-generated-page',
    severity: 'warning',
    ...placeIn(source, address),
    message: `"${address}"${around(place)} links to the page of "${operation}", which is missing: pages made from API specifications are not supported yet.`,
    hint: 'Describe the operation on a page of its own, or link to the specification.',
  };
}

function outside(source: PageSource, place: LinkPlace, address: string): Problem {
  if (place.endsWith('file'))
    return {
      kind: 'asset-without-file',
      severity: 'warning',
      ...placeIn(source, address),
      message: `"${address}"${around(place)} is a file on the same host, but outside the site's base, so the export has it not.`,
      hint: 'Put a copy into the site, and correct the address.',
    };
  return {
    kind: 'link-outside-base',
    severity: 'warning',
    ...placeIn(source, address),
    message: `"${address}"${around(place)} leads to what is on the same host, but outside the site's base.`,
    hint: 'Say where the site is ("site" in astro.config.mjs, or --site): then it leads there. Or correct the address.',
  };
}

function leftOut(source: PageSource, { address, leftOut: page }: Extract<LinkCheck, { leftOut: string }>): Problem {
  return {
    kind: 'link-to-page-left-out',
    severity: 'note',
    ...placeIn(source, address),
    message: `"${address}" leads to the page "${page || 'index'}", which was not asked for.`,
    hint: 'Export it too, or say where the site is: then links to what was left out lead there.',
  };
}

function deadAnchor(
  source: PageSource,
  { place, address, page, anchor }: Extract<LinkCheck, { anchor: string }>,
  ids: string[],
): Problem {
  const near = closest(decode(anchor), ids);
  return {
    kind: 'anchor-without-target',
    severity: 'warning',
    ...placeIn(source, address),
    message: `"${address}"${around(place)} leads to the page "${page || 'index'}", which has no such heading or id.`,
    hint: near === undefined ? 'Correct the part after the #.' : `Its closest id is "${near}".`,
  };
}

function around(place: LinkPlace): string {
  return inFrame(place) ? ' around the pages (header, navigation or footer)' : '';
}

/** The id that is the same but for punctuation and case: how other programs would have made it of the heading. */
function closest(anchor: string, ids: string[]): string | undefined {
  const bare = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const wanted = bare(anchor);
  return wanted === '' ? undefined : ids.find((id) => bare(id) === wanted);
}
