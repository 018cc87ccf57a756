import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './ensure-built.ts';
import type { PackagesByFile } from './npm-packages.ts';

const published = !import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL('../../', import.meta.url));
const inputs = ['integration/reader', 'integration/reader-build', 'integration/search', 'integration/texts', 'package-lock.json'];

export interface BuiltSiteScripts {
  /** The script that every page gets; it loads the others. */
  entry: string;
  /** All of them, by name in `_carrel`. */
  files: { name: string; text: string }[];
  /** The code that gives an application a location (reader/page-app.ts). */
  pageApp: string;
}

/** By name in the folder of these scripts. */
export const pageAppFile = 'page-app.js';
export const packagesFile = 'packages.json';

/** The folder of the scripts for built sites. A published package contains it; a working tree builds it. */
export async function builtSiteFolder(): Promise<string> {
  return published
    ? fileURLToPath(new URL('./scripts/', import.meta.url))
    : await ensureBuilt(join(root, 'build/reader-scripts'), root, inputs, async (fresh) =>
        (await import('./build-reader-scripts.ts')).writeBuiltSiteScripts(fresh),
      );
}

/** The packages that the scripts for built sites contain, by name in `_carrel`. */
export async function builtSitePackages(): Promise<PackagesByFile> {
  return JSON.parse(readFileSync(join(await builtSiteFolder(), packagesFile), 'utf8')) as PackagesByFile;
}

/** The scripts of search and Ask for built sites. */
export async function builtSiteScripts(): Promise<BuiltSiteScripts> {
  const folder = await builtSiteFolder();
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.js') && name !== pageAppFile)
    .sort();
  const entry = names.find((name) => name.startsWith('reader.'));
  if (!entry) throw new Error(`${folder} lacks the script for built sites. Install @carrel/astro again.`);
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { entry, files: names.map((name) => ({ name, text: textOf(name) })), pageApp: textOf(pageAppFile) };
}
