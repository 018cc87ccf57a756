import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureMade } from '../../integration/guest/ensure-made.ts';
import { guestScripts } from '../../integration/guest/guest-scripts.ts';

const published = !import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = published ? fileURLToPath(new URL('../theme/', import.meta.url)) : join(root, 'build/theme/');

/** What the compiled theme is made of. */
const inputs = [
  'astro.config.mjs',
  'integration/client',
  'integration/guest/bundle.ts',
  'integration/guest/build-scripts.ts',
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
  await ensureMade(folder, root, inputs, async (fresh) => (await import('../theme/build.ts')).buildTheme(fresh));
  return folder;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureTheme();
  await guestScripts();
}
