// What would make docs better, and no export depends on: `carrel check` reports it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProblem, didYouMean, type Problem } from '../../integration/diagnostics.ts';
import { iconSvg, similarIcons } from '../markdown/icons.ts';
import { positionOfField } from '../source/frontmatter.ts';
import type { Page, Site } from './model.ts';
import { contextIcons } from './view-icons.ts';

/** Advice on the pages of a site and its navigation. */
export function adviceOf(site: Site): Problem[] {
  return [...unlistedPages(site), ...repeatedTitles(site.pages), ...unknownPageIcons(site), ...unknownNavigationIcons(site)];
}

function unlistedPages({ unlisted, source: { configFile } }: Site): Problem[] {
  if (configFile === undefined) return [];
  return unlisted.map((file): Problem =>
    createProblem({
      kind: 'page-not-in-navigation',
      page: file,
      message: `${file} is not in the navigation, so neither the sidebar nor search lists it.`,
      hint: `Add it to ${configFile}, or write "hidden: true" in its frontmatter.`,
    }),
  );
}

/** Pages that look the same in the sidebar: of the same title, in the same group. */
function repeatedTitles(pages: Page[]): Problem[] {
  const first = new Map<string, string>();
  return pages.flatMap(({ title, context, trail, visibility, source: { file } }): Problem[] => {
    const key = JSON.stringify([title, context, trail.map((step) => step.title)]);
    const other = first.get(key);
    if (!visibility.sidebar) return [];
    if (other === undefined) {
      first.set(key, file);
      return [];
    }
    const message = `${file} has the same title as ${other} in the same group: "${title}".`;
    return [createProblem({ kind: 'title-repeated', page: file, message, hint: 'Give one of them another title.' })];
  });
}

function unknownPageIcons({ pages, source: { root, unsaved }, config: { iconLibrary } }: Site): Problem[] {
  return pages.flatMap(({ icon, source: { file } }) => {
    if (icon === undefined || !isUnknown(icon, iconLibrary)) return [];
    const text = unsaved?.get(file) ?? readFileSync(join(root, file), 'utf8');
    return [unknownIcon(icon, iconLibrary, { page: file, ...positionOfField(text, 'icon') })];
  });
}

function unknownNavigationIcons({ pages, contexts, source, config: { iconLibrary } }: Site): Problem[] {
  const { configFile } = source;
  const ofPages = new Set(pages.map(({ icon }) => icon));
  const names = new Set([...contexts.values()].flatMap(contextIcons));
  const unknown = [...names].filter((name) => !ofPages.has(name) && isUnknown(name, iconLibrary));
  if (configFile === undefined || unknown.length === 0) return [];
  const positions = source.positions?.();
  return unknown.map((name) => unknownIcon(name, iconLibrary, { page: configFile, ...positions?.ofText(name) }));
}

type Library = Site['config']['iconLibrary'];

/** Paths, URLs and emoji are not names. */
function isUnknown(icon: string, library: Library): boolean {
  return /^[\w -]+$/.test(icon) && iconSvg(icon, library) === undefined;
}

function unknownIcon(icon: string, library: Library, at: Pick<Problem, 'page' | 'line' | 'column'>): Problem {
  const similar = didYouMean(similarIcons(icon, library).slice(0, 1));
  return createProblem({ kind: 'unknown-icon', ...at, message: `There is no icon "${icon}"; none is shown.`, ...similar });
}
