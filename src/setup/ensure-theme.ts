import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from '../../integration/reader-build/ensure-built.ts';

const published = !import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The sources of the compiled theme. */
const inputs = [
  'astro.config.mjs',
  'integration/reader',
  'integration/reader-build',
  'integration/search',
  'integration/texts',
  'package-lock.json',
  'src/components',
  'src/elements',
  'src/islands/runtime',
  'src/layouts',
  'src/pages',
  'src/styles',
  'src/theme',
];

/** The folder of the compiled theme. A published package contains it; a working tree compiles it after its sources change. */
export async function ensureTheme(): Promise<string> {
  if (published) return fileURLToPath(new URL('../theme/', import.meta.url));
  return await ensureBuilt(join(root, 'build/theme'), root, inputs, async (fresh) =>
    (await import('../theme/build.ts')).buildTheme(fresh),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureTheme();
  const { builtSiteFolder } = await import('../../integration/reader-build/built-site-scripts.ts');
  await builtSiteFolder();
}
