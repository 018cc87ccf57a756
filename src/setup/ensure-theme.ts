import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const published = !import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = published ? fileURLToPath(new URL('../theme/', import.meta.url)) : join(root, 'build/theme/');

/** What the compiled theme is made of. */
const inputs = [
  'astro.config.mjs',
  'integration/client',
  'integration/search',
  'package-lock.json',
  'src/components',
  'src/elements',
  'src/layouts',
  'src/pages',
  'src/styles',
  'src/theme',
];

/** The folder of the compiled theme. A published package carries it; a working tree compiles it when its sources changed. */
export async function ensureTheme(): Promise<string> {
  if (published) return folder;
  const digest = digestOf(inputs);
  const stamp = join(folder, '.sources');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return folder;
  const fresh = join(root, `build/theme-${process.pid}`);
  const { buildTheme } = await import('../theme/build.ts');
  await buildTheme(fresh);
  writeFileSync(join(fresh, '.sources'), digest);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
}

function digestOf(paths: string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesBelow))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await ensureTheme();
