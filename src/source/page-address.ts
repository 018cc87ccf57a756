import type { Problem } from '../../integration/diagnostics.ts';

/** 'guides/setup.mdx' → 'guides/setup'. An index file takes the path of its folder; in a plain folder, README and Index do too. NFC, otherwise verbatim. */
export function pageAddress(file: string, isPlain: boolean): string {
  const path = withoutExtension(file).normalize('NFC');
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const isIndex = name === 'index' || (isPlain && /^(?:index|readme)$/i.test(name));
  return isIndex ? path.slice(0, Math.max(slash, 0)) : path;
}

function withoutExtension(file: string): string {
  return file.replace(/\.mdx?$/i, '');
}

/**
 * Order of files that claim one URL path, the winner first: `a` before `a/index` before `a/README`, `.mdx` before `.md`,
 * then by name.
 */
export function byClaim(a: string, b: string): number {
  return claim(a) - claim(b) || (a < b ? -1 : 1);
}

function claim(file: string): number {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return (/^readme\./i.test(name) ? 4 : /^index\./i.test(name) ? 2 : 0) + (/\.mdx$/i.test(name) ? 0 : 1);
}

export function addressTaken(address: string, winner: string, loser: string): Problem {
  return {
    kind: 'page-address-taken',
    severity: 'warning',
    page: loser,
    message: `${winner} and ${loser} have the same path "/${address}". ${winner} is used, ${loser} is skipped.`,
    hint: 'Rename or remove one of the two.',
  };
}

export function addressesDifferByCase(first: string, second: string): Problem {
  return {
    kind: 'page-addresses-differ-by-case',
    severity: 'warning',
    page: second,
    message: `The paths of ${first} and ${second} differ only in case, which many disks and hosts ignore.`,
    hint: 'Rename one of the two. Until then, the export writes the second one under another file name.',
  };
}
