import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of npm, as its package.json says. */
export interface NpmPackage {
  name: string;
  version: string;
  /** SPDX identifier or expression. */
  license?: string;
}

/** Packages by the path of the file that has code or data of them. */
export type PackagesByFile = Record<string, NpmPackage[]>;

/** The folders of the packages that files are in; files of no package are ignored. */
export function packageFolders(files: Iterable<string>): string[] {
  const folderOf = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
  return [...new Set([...files].flatMap((file) => folderOf.exec(file)?.[1] ?? []))].sort();
}

/** The packages that files are in. Throws where a package.json cannot be read. */
export function packagesOf(files: Iterable<string>): NpmPackage[] {
  return packageFolders(files).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as NpmPackage;
    // Old packages have an object, which has no standard form.
    return { name, version, ...(typeof license === 'string' && { license }) };
  });
}
