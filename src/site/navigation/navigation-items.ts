import type { EntryName, NavigationEntry } from '../../source/docs-json.ts';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { languageName } from '../languages.ts';

/** The kinds of divisions; each fills one level of a context. */
export const divisionKinds = ['languages', 'versions', 'products', 'dropdowns', 'tabs', 'anchors'] as const;
export type DivisionKind = (typeof divisionKinds)[number];

const nameOf: Record<DivisionKind, EntryName> = {
  languages: 'language',
  versions: 'version',
  products: 'product',
  dropdowns: 'dropdown',
  tabs: 'tab',
  anchors: 'anchor',
};

/** A division: its entry, and its first page. */
export interface Division {
  label: string;
  entry: NavigationEntry;
  /** Path of the first page in the division. */
  first?: string;
  menu?: Division[];
}

export interface Level {
  name: DivisionKind | 'menu';
  divisions: Division[];
}

/** The divisions of an entry, by kind. */
export function levelsOf(entry: NavigationEntry): Level[] {
  return divisionKinds.flatMap((name) => {
    const divisions = (entry[name] ?? []).map((one): Division => ({ label: divisionLabel(one, nameOf[name]), entry: one }));
    return divisions.length ? [{ name, divisions }] : [];
  });
}

function divisionLabel(entry: NavigationEntry, name: EntryName): string {
  if (entry.language) return languageName(languageTag(entry.language));
  return entry[name]?.trim() ?? entry.group ?? entry.item ?? '';
}

const belowVersions = ['products', 'dropdowns', 'tabs', 'anchors', 'groups'] as const;

/** Moves the divisions beside an entry's versions into them: those with a `version` into that one, all others into each. */
export function intoVersions(entry: NavigationEntry): NavigationEntry {
  const { versions } = entry;
  if (!versions?.length || !belowVersions.some((name) => entry[name]?.some((one) => one.version !== undefined))) return entry;
  const moved = versions.map((version): NavigationEntry => {
    const own: NavigationEntry = { ...version };
    for (const name of belowVersions) {
      const fitting = entry[name]?.filter((one) => one.version === undefined || one.version === version.version);
      if (fitting?.length) own[name] = [...(version[name] ?? []), ...fitting.map(({ version: _version, ...one }) => one)];
    }
    return own;
  });
  return { ...entry, ...Object.fromEntries(belowVersions.map((name) => [name, undefined])), versions: moved };
}

/** A page of several versions or languages belongs to the default one, which is therefore walked first. */
export function defaultFirst(divisions: Division[]): Division[] {
  return divisions.toSorted((a, b) => Number(b.entry.default === true) - Number(a.entry.default === true));
}
