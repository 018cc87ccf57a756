import { foldName, windowsFault } from '../urls/safe-names.ts';
import type { Problem } from '../diagnostics.ts';
import { shownName } from '../text/escape.ts';
import type { PublicKey } from './signature.ts';
import type { ArchiveEntry } from './zip-directory.ts';

/** What a bundle must be like to be opened. */
export interface BundleRules {
  /** Unpacked bytes over all files. @default 8 GiB */
  bytes: number;
  /** Files. @default 1,000,000 */
  files: number;
  /** Its manifest must be signed by one of these. @default any bundle, signed or not */
  keys?: readonly PublicKey[];
}

export const defaultRules: BundleRules = { bytes: 8 * 1024 ** 3, files: 1_000_000 };

/** Finds what makes an archive unsafe to unpack or serve, independent of its manifest. */
export function checkEntries({ count, entries }: { count: number; entries: ArchiveEntry[] }, rules = defaultRules): Problem[] {
  const problems: Problem[] = [];
  let bytes = 0;
  for (const { name, size, isLink, fault } of entries) {
    bytes += size;
    const wrong = fault ?? (isLink ? 'is a symbolic link' : unsafe(name.replace(/\/$/, '')));
    if (wrong) problems.push(refuse('bundle-entry-unsafe', `The entry "${shownName(name)}" ${wrong}.`));
  }
  for (const message of clashes(entries.map(({ name }) => name))) problems.push(refuse('bundle-entry-duplicate', message));
  if (count > rules.files) {
    problems.push(refuse('bundle-too-large', `It contains ${count} files; the limit is ${rules.files}.`));
  }
  if (bytes > rules.bytes) {
    problems.push(refuse('bundle-too-large', `It unpacks to ${bytes} bytes; the limit is ${rules.bytes}.`));
  }
  return problems;
}

/** Names that cannot be unpacked next to each other: duplicates, a file that is also a folder, names that differ only in case. */
export function clashes(names: string[]): string[] {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  const messages: string[] = [];
  for (const name of names) {
    const folded = foldName(name);
    // The parent folders of a file; for the entry of a folder, the folder itself too.
    for (let slash = folded.lastIndexOf('/'); slash > 0; slash = folded.lastIndexOf('/', slash - 1)) {
      const folder = folded.slice(0, slash);
      if (folders.has(folder)) break;
      folders.set(folder, name);
    }
    const other = files.get(folded);
    if (other === undefined) files.set(folded, name);
    else if (other === name) messages.push(`The entry "${shownName(name)}" is there more than once.`);
    else if (!name.endsWith('/')) {
      const both = `"${shownName(other)}" and "${shownName(name)}"`;
      messages.push(`The entries ${both} differ only in case or Unicode form, and are one file on some disks.`);
    }
  }
  for (const [folded, name] of files) {
    const inside = folders.get(folded);
    if (inside === undefined) continue;
    messages.push(`The entry "${shownName(name)}" is a file, and a folder in "${shownName(inside)}".`);
  }
  return messages;
}

export const notFromCarrelHint = 'Carrel does not write archives like this one. Do not unpack it.';

/** Why a path may not be a file of an export, or undefined. */
export function unsafe(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'has no valid name';
  if (path.includes('\\')) return 'has a backslash in its name';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'has an absolute name';
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) return 'is outside the bundle';
  return windowsFault(path);
}

function refuse(kind: Problem['kind'], message: string): Problem {
  return { kind, severity: 'error', message, hint: notFromCarrelHint };
}
