// Links and anchors that lead nowhere, told with the page they stand on.
import type { PageSource } from '../pages/built-page.ts';
import type { Problem } from '../problem.ts';
import type { ExportedPage, LinkPlace } from './export-page.ts';
import { decode, type Target } from './targets.ts';

export interface LinkChecker {
  /** Takes in a page; anchors wait until all pages are in. */
  add(page: ExportedPage): void;
  /** Dead links and anchors in the order of the pages. */
  problems(): Problem[];
}

export function createLinkChecker(): LinkChecker {
  const pages: { source: PageSource; dead: [LinkPlace, string, Target][]; anchors: [LinkPlace, string, Target][] }[] = [];
  const idsOf = new Map<string, string[]>();

  return {
    add({ source, record, resolved }) {
      idsOf.set(source.path, record.ids);
      const dead: [LinkPlace, string, Target][] = [];
      const anchors: [LinkPlace, string, Target][] = [];
      for (const {
        link: [place, address],
        target,
      } of resolved) {
        if (place === 'markdown') continue;
        if (target.kind === 'missing') dead.push([place, address, target]);
        else if (target.kind === 'page' && target.hash.length > 1 && !place.endsWith('file'))
          anchors.push([place, address, target]);
      }
      pages.push({ source, dead, anchors });
    },
    problems() {
      const problems: Problem[] = [];
      // The frame around pages says the same on each of them.
      const told = new Set<string>();
      const sets = new Map<string, Set<string>>();
      const hasAnchor = (page: string, anchor: string) => {
        let ids = sets.get(page);
        if (!ids) sets.set(page, (ids = new Set(idsOf.get(page))));
        return ids.has(anchor) || ids.has(decode(anchor)) || ids.has(decode(anchor).normalize('NFC'));
      };
      for (const { source, dead, anchors } of pages) {
        for (const [place, address, target] of dead) {
          if (inFrame(place) && (told.has(address) || !told.add(address))) continue;
          problems.push(deadLink(source, place, address, target));
        }
        for (const [place, address, target] of anchors) {
          const anchor = target.hash.slice(1).replace(/:~:.*$/s, '');
          if (anchor === '' || anchor === 'top' || hasAnchor(target.page!, anchor)) continue;
          if (inFrame(place) && (told.has(address) || !told.add(address))) continue;
          problems.push(deadAnchor(source, place, address, target.page!, closest(decode(anchor), idsOf.get(target.page!) ?? [])));
        }
      }
      return problems;
    },
  };
}

/** Where a problem of a page is: its file and line, as far as they are known. */
export function placeIn(source: PageSource, address: string): Pick<Problem, 'page' | 'line'> {
  const line = source.lineOf?.(address);
  const page = source.file ?? (source.path || 'index');
  return line === undefined ? { page } : { page, line };
}

function inFrame(place: LinkPlace): boolean {
  return place.startsWith('frame') || place === 'mirror';
}

function deadLink(source: PageSource, place: LinkPlace, address: string, target: Target): Problem {
  const isFile = place.endsWith('file');
  return {
    kind: isFile ? 'asset-without-file' : 'link-without-target',
    severity: 'warning',
    ...placeIn(source, address),
    message: `"${address}"${inFrame(place) ? ' around the pages (header, navigation or footer)' : ''} leads to no ${isFile ? 'file' : 'page or file'} of the site.`,
    hint: isFile ? `Add the file ${target.wanted} or correct the address.` : 'Correct the link, or add the page or a redirect.',
  };
}

function deadAnchor(source: PageSource, place: LinkPlace, address: string, page: string, near: string | undefined): Problem {
  return {
    kind: 'anchor-without-target',
    severity: 'warning',
    ...placeIn(source, address),
    message: `"${address}"${inFrame(place) ? ' around the pages (header, navigation or footer)' : ''} leads to the page "${page || 'index'}", which has no such heading or id.`,
    hint: near === undefined ? 'Correct the part after the #.' : `Its closest id is "${near}".`,
  };
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
