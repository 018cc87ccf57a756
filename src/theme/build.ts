import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as buildAstro } from 'astro';
import { bundleScript } from '../../integration/reader-build/bundle.ts';
import type { PackagesByFile } from '../../integration/reader-build/npm-packages.ts';
import type { Reader } from '../site/page-view.ts';
import { adapter } from './adapter.ts';
import { writeDrawingProgram } from './build-drawing-program.ts';
import { buildReader, type TextFont } from './build-reader.ts';

/** `theme.json`: what a compiled theme contains besides its server modules. */
export interface ThemeManifest {
  reader: Reader;
  /** The program that draws diagrams, by its name in the theme's folder, and Mermaid's script, by its name in `assets`. */
  drawing: { program: string; mermaid: string };
  textFonts: TextFont[];
  /** Names in the theme's `assets` folder, and in an export's `_carrel` folder. */
  assets: string[];
  /** The packages in those files. */
  packages: PackagesByFile;
  /** Changes whenever the compiled theme changes. */
  digest: string;
}

/**
 * Compiles the theme into `outDir`, a self-contained folder:
 * `server/` renders pages, `assets/` goes into every export, `theme.json` names them, `islands.js` renders components.
 */
export async function buildTheme(outDir: string): Promise<void> {
  // Some packages have other code for development, which the bundler takes where the environment says so.
  process.env['NODE_ENV'] = 'production';
  const out = resolve(outDir);
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, 'assets'), { recursive: true });
  await buildServer(out);
  const { reader, files, packages, textFonts } = await buildReader(ROOT);
  for (const [name, content] of files) {
    const file = join(out, 'assets', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await writeFile(join(out, 'islands.js'), (await bundleScript(join(ROOT, 'src/islands/runtime/build.ts'))).contents);
  const mermaid = [...files.keys()].find((name) => name.startsWith('mermaid.')) ?? '';
  const drawing = { program: await writeDrawingProgram(ROOT, join(out, 'drawing')), mermaid };
  const assets = [...files.keys()].sort();
  const manifest: ThemeManifest = { reader, drawing, textFonts, assets, packages, digest: await digest(out) };
  await writeFile(join(out, 'theme.json'), JSON.stringify(manifest, null, 2) + '\n');
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

async function buildServer(out: string): Promise<void> {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const cacheDir = await mkdtemp(join(tmpdir(), 'carrel-theme-'));
  try {
    await buildAstro({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      output: 'server',
      outDir: out,
      cacheDir,
      compressHTML: true,
      devToolbar: { enabled: false },
      session: false,
      image: { service: { entrypoint: 'astro/assets/services/noop' } },
      adapter: adapter(),
      vite: {
        ssr: { noExternal: true },
        // Astro's names of chunks have a hash, which of some depends on the folder that the sources are in. Comments contain the paths
        // of modules relative to `cwd`, which is the current folder by default.
        build: { emptyOutDir: false, rolldownOptions: { cwd: ROOT, output: { chunkFileNames: chunkName } } },
        plugins: [withoutEnvironment],
      },
    });
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
  await forgetPlace(join(out, 'server'), [out, cacheDir, ROOT]);
  await rm(join(out, 'client'), { recursive: true, force: true });
}

function chunkName({ name }: { name: string }): string {
  return `chunks/${name.replaceAll(/[^\w.-]/g, '_')}.mjs`;
}

const modeOfBuild: Record<string, string> = { DEV: 'false', PROD: 'true', SSR: 'true', MODE: '"production"' };

// Where a module says `import.meta.env?.PROD`, Astro writes all variables of the environment whose names occur in the module, with their values;
// for `import.meta.env.DEV`, the variable of that name.
const withoutEnvironment = {
  name: 'carrel:without-environment',
  enforce: 'pre' as const,
  transform: (code: string) =>
    code.includes('import.meta.env')
      ? code
          .replaceAll('import.meta.env?.', 'import.meta.env.')
          .replace(/\bimport\.meta\.env\.(DEV|PROD|SSR|MODE)\b/g, (_, name: string) => modeOfBuild[name]!)
      : undefined,
};

// Astro writes the build folders and a random key (for server islands, which the theme does not use) into its output;
// the theme must be identical wherever and whenever it is built.
async function forgetPlace(folder: string, places: string[]): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.mjs')) continue;
    const file = join(folder, name);
    const code = await readFile(file, 'utf8');
    const placeless = places.reduce((text, place) => text.replaceAll(place.replace(/\/$/, ''), '/carrel'), code);
    const neutral = placeless.replace(/"key":"[A-Za-z0-9+/]{43}="/, '"key":"' + Buffer.alloc(32).toString('base64') + '"');
    if (neutral !== code) await writeFile(file, neutral);
  }
}

async function digest(dir: string): Promise<string> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map((entry) => join(entry.parentPath, entry.name).slice(dir.length)).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.replaceAll('\\', '/')).update(await readFile(join(dir, file)));
  return hash.digest('hex');
}
