import { siteAddress } from '../find-page.ts';
import type { Place, Switch } from '../model.ts';
import { rowNames, type Branch, type RowName } from './navigation-items.ts';
import type { FoundPlace } from './walk-navigation.ts';
import { pageHref } from '../view/page-href.ts';

/** Fills the rows of a found place with their addresses, now that every division knows its first page. What was narrowed to one has no switch. */
export function toPlace(
  found: FoundPlace,
  defaultLanguage: string,
  wanted: { language?: string; docsVersion?: string } = {},
): Place {
  const place: Place = {
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
  const active = new Set(found.rows.map((row) => row.active).filter((branch) => branch !== undefined));
  const used = new Set<RowName>();
  for (const { row, active: own } of found.rows) {
    if (row.name === 'menu') continue;
    if (
      (row.name === 'languages' && wanted.language !== undefined) ||
      (row.name === 'versions' && wanted.docsVersion !== undefined)
    )
      continue;
    // A second row of the same kind, deeper down, would otherwise stand in one line with the first.
    const name =
      used.has(row.name) && own ? (rowNames.find((other) => other === 'dropdowns' && !used.has(other)) ?? row.name) : row.name;
    if (own) used.add(name);
    place[name].push(...switches(row.branches, active));
  }
  return place;
}

function switches(branches: Branch[], active: ReadonlySet<Branch>): Switch[] {
  return branches.flatMap((branch) => {
    const { entry, label } = branch;
    const href = branch.first !== undefined ? pageHref(branch.first) : entry.href && siteAddress(entry.href);
    if (!href || entry.hidden) return [];
    const menu = branch.menu && switches(branch.menu, active);
    const { icon, description, tag, color } = entry;
    return [
      {
        label,
        href,
        active: active.has(branch),
        ...(icon && { icon }),
        ...(description && { description }),
        ...(tag && { tag }),
        ...(color && { color }),
        ...(menu?.length && { menu }),
      },
    ];
  });
}
