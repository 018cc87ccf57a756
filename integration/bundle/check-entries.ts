import type { Problem } from '../problem.ts';
import type { ArchiveEntry } from './archive.ts';

export interface BundleLimits {
  /** Unpacked bytes over all files. @default 8 GiB */
  bytes: number;
  /** Files. @default 1,000,000 */
  files: number;
}

export const defaultLimits: BundleLimits = { bytes: 8 * 1024 ** 3, files: 1_000_000 };

/** What makes an archive unfit to be unpacked or served, whatever its manifest says. */
export function checkEntries(entries: ArchiveEntry[], limits: BundleLimits = defaultLimits): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  let bytes = 0;
  for (const { name, size, isLink } of entries) {
    bytes += size;
    const fault = isLink ? 'is a symbolic link' : unsafe(name.replace(/\/$/, ''));
    if (fault) problems.push(refuse('bundle-entry-unsafe', `The entry "${name}" ${fault}.`));
    if (names.has(name)) problems.push(refuse('bundle-entry-duplicate', `The entry "${name}" is there more than once.`));
    names.add(name);
  }
  if (entries.length > limits.files)
    problems.push(refuse('bundle-too-large', `It holds ${entries.length} files; ${limits.files} are the limit.`));
  if (bytes > limits.bytes)
    problems.push(refuse('bundle-too-large', `It unpacks to ${bytes} bytes; ${limits.bytes} are the limit.`));
  return problems;
}

/** Why a path may not be a file of an export, or undefined. */
export function unsafe(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'has no valid name';
  if (path.includes('\\')) return 'has a backslash in its name';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'has an absolute name';
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) return 'leads outside the bundle';
  return undefined;
}

function refuse(kind: string, message: string): Problem {
  return { kind, severity: 'error', message, hint: 'No export of Carrel is like this: do not unpack it.' };
}
