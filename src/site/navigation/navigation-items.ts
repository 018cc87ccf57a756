import type { EntryName, NavigationEntry } from '../../source/docs-json.ts';
import { languageName, languageTag } from '../languages.ts';

/** Rows of a place, each filled from one kind of division. */
export const rowNames = ['languages', 'versions', 'products', 'dropdowns', 'tabs', 'anchors'] as const;
export type RowName = (typeof rowNames)[number];

const nameOf: Record<RowName, EntryName> = {
  languages: 'language',
  versions: 'version',
  products: 'product',
  dropdowns: 'dropdown',
  tabs: 'tab',
  anchors: 'anchor',
};

/** One division: its entry, and the first page found in it. */
export interface Branch {
  label: string;
  entry: NavigationEntry;
  /** Path of the page that the division opens with. */
  first?: string;
  menu?: Branch[];
}

export interface Row {
  name: RowName | 'menu';
  branches: Branch[];
}

/** The divisions that an entry holds, by kind. */
export function rowsOf(entry: NavigationEntry): Row[] {
  return rowNames.flatMap((name) => {
    const branches = (entry[name] ?? []).map((one): Branch => ({ label: branchLabel(one, nameOf[name]), entry: one }));
    return branches.length ? [{ name, branches }] : [];
  });
}

function branchLabel(entry: NavigationEntry, name: EntryName): string {
  if (entry.language) return languageName(languageTag(entry.language));
  return entry[name]?.trim() ?? entry.group ?? entry.item ?? '';
}

const divisions = ['products', 'dropdowns', 'tabs', 'anchors', 'groups'] as const;

/** The entry with what is beside its versions and names one of them moved into that version, and what names none into each. */
export function intoVersions(entry: NavigationEntry): NavigationEntry {
  const { versions } = entry;
  if (!versions?.length || !divisions.some((name) => entry[name]?.some((one) => one.version !== undefined))) return entry;
  const moved = versions.map((version): NavigationEntry => {
    const own: NavigationEntry = { ...version };
    for (const name of divisions) {
      const fitting = entry[name]?.filter((one) => one.version === undefined || one.version === version.version);
      if (fitting?.length) own[name] = [...(version[name] ?? []), ...fitting.map(({ version: _, ...one }) => one)];
    }
    return own;
  });
  return { ...entry, ...Object.fromEntries(divisions.map((name) => [name, undefined])), versions: moved };
}

/** A page of several versions or languages belongs to the default one, so that one is walked first. */
export function defaultFirst(branches: Branch[]): Branch[] {
  return branches.toSorted((a, b) => Number(b.entry.default === true) - Number(a.entry.default === true));
}
