import { siteAddress } from '../find-page.ts';
import type { NavigationContext, Switch } from '../model.ts';
import { divisionKinds, type Division, type DivisionKind } from './navigation-items.ts';
import type { FoundContext } from './walk-navigation.ts';
import { pageHref } from '../view/page-href.ts';

/** Completes a context with the URLs of its divisions, now that the first page of each is known. A language or version selected by an option has no switch. */
export function navigationContext(
  found: FoundContext,
  defaultLanguage: string,
  wanted: { language?: string; docsVersion?: string } = {},
): NavigationContext {
  const context: NavigationContext = {
    language: found.language ?? defaultLanguage,
    ...(found.docsVersion !== undefined && { docsVersion: found.docsVersion }),
    languages: [],
    versions: [],
    products: [],
    dropdowns: [],
    tabs: [],
    anchors: [],
    sidebar: found.sidebar,
  };
  const active = new Set(found.levels.map((level) => level.active).filter((division) => division !== undefined));
  const used = new Set<DivisionKind>();
  for (const { level, active: own } of found.levels) {
    if (level.name === 'menu') continue;
    if (
      (level.name === 'languages' && wanted.language !== undefined) ||
      (level.name === 'versions' && wanted.docsVersion !== undefined)
    )
      continue;
    // Otherwise, a nested level of the same kind would be merged with the outer one.
    const name =
      used.has(level.name) && own
        ? (divisionKinds.find((other) => other === 'dropdowns' && !used.has(other)) ?? level.name)
        : level.name;
    if (own) used.add(name);
    context[name].push(...switches(level.divisions, active));
  }
  return context;
}

function switches(divisions: Division[], active: ReadonlySet<Division>): Switch[] {
  return divisions.flatMap((division) => {
    const { entry, label } = division;
    const href = division.first !== undefined ? pageHref(division.first) : entry.href && siteAddress(entry.href);
    if (!href || entry.hidden) return [];
    const menu = division.menu && switches(division.menu, active);
    const { icon, description, tag, color } = entry;
    return [
      {
        label,
        href,
        active: active.has(division),
        ...(icon && { icon }),
        ...(description && { description }),
        ...(tag && { tag }),
        ...(color && { color }),
        ...(menu?.length && { menu }),
      },
    ];
  });
}
