// Compiles a package for npm, as its `prepack`: node test/support/compile.ts . | integration | server [FOLDER]
// into its build/, or into a folder of another's own.
// In the working tree the packages import each other's sources by relative path; published packages import each other by name.
// The package of the root carries the two others in a node_modules of its build/, so that one archive installs by itself. What it needs of npm is
// bundled (`devDependencies`), or installed with it (`dependencies`); what only a server needs is installed with @carrel/server.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtSiteFolder } from '../../integration/reader-build/built-site-scripts.ts';
import { configSchema } from '../../src/source/config-schema.ts';
import { ensureTheme } from '../../src/setup/ensure-theme.ts';
import { bundleProgram } from './bundle-program.ts';
import { unpublished } from './unpublished.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages: Record<string, { sources: string; leaveOut: string[]; carried?: string[] }> = {
  '.': {
    sources: 'src',
    leaveOut: unpublished.src,
    // The first site of a fresh server, what `carrel init` writes, and what starts the program.
    carried: ['manual', 'example', 'cli/launch.cjs'],
  },
  integration: {
    sources: 'integration',
    leaveOut: unpublished.integration,
    carried: ['astro/components'],
  },
  // Files that are not TypeScript are copied unchanged.
  server: {
    sources: 'server',
    leaveOut: unpublished.server,
    carried: ['dashboard/style.css', 'dashboard/reference-home.md', 'database/migrations.sql', 'deploy'],
  },
};
const names: Record<string, string> = { integration: '@carrel/astro', server: '@carrel/server' };

const chosen = process.argv[2] ?? '.';
if (!packages[chosen]) fail(`"${chosen}" is not a package: name one of ${Object.keys(packages).join(', ')}`);
const target = process.argv[3] ?? join(root, chosen, 'build');
const compiled = join(root, 'build', `compiled-${process.pid}`);
const carriedPackages = chosen === '.' ? Object.entries(names) : [];
compile([chosen, ...carriedPackages.map(([folder]) => folder)]);
const modules = await place(chosen, target);
if (chosen === '.') writeFileSync(join(target, 'docs.schema.json'), `${JSON.stringify(configSchema(), null, 2)}\n`);
for (const [folder, name] of carriedPackages) {
  const carriedPackage = join(target, 'node_modules', name);
  modules.push(...(await place(folder, join(carriedPackage, 'build'))));
  const { version, license, type, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const manifest = { name, version, license, type, exports };
  writeFileSync(join(carriedPackage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
if (chosen === '.') await bundleProgram(root, target, modules);
rmSync(compiled, { recursive: true });

/** Compiles the sources of packages, in one run of the compiler, into one folder. */
function compile(chosenPackages: string[]): void {
  const config = join(root, 'build', `tsconfig.${process.pid}.json`);
  mkdirSync(join(root, 'build'), { recursive: true });
  const chosenSources = chosenPackages.map((name) => packages[name]!);
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: {
        noEmit: false,
        // Tests compile what the type check has read before them.
        noCheck: process.env.CARREL_TYPES_CHECKED === '1',
        declaration: chosen !== '.',
        rootDir: '..',
        outDir: compiled,
      },
      include: chosenSources.map(({ sources }) => `../${sources}/**/*.ts`),
      exclude: [
        // Relative to the folder of this configuration, and so is `**`.
        '../**/dist',
        '../**/build',
        '../**/node_modules',
        ...chosenSources.flatMap(({ sources, leaveOut }) => leaveOut.map((path) => `../${sources}/${path}*`)),
      ],
    }),
  );
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config], {
    cwd: root,
    stdio: 'inherit',
  });
  rmSync(config);
  if (status !== 0) fail(`${chosenPackages.join(', ')} cannot be compiled`);
}

/** Writes a package to `target`: its compiled sources, whose paths it returns, and the files that are not TypeScript. */
async function place(name: string, target: string): Promise<string[]> {
  const { sources, leaveOut, carried = [] } = packages[name]!;
  // The root's build/ also holds what the working tree compiles for itself.
  for (const entry of existsSync(target) ? readdirSync(target) : []) {
    if (!/^(theme|reader-scripts|compiled)-/.test(entry)) rmSync(join(target, entry), { recursive: true });
  }
  mkdirSync(target, { recursive: true });
  const placed: string[] = [];
  for (const file of filesBelow(join(compiled, sources))) {
    const path = relative(join(compiled, sources), file).replaceAll('\\', '/');
    if (leaveOut.some((start) => path.startsWith(start))) continue;
    const text = readFileSync(file, 'utf8').replaceAll(
      /(['"])(?:\.\.\/)+(integration|server)\/([^'"]+)\1/g,
      (_, quote, folder, rest) => `${quote}${names[folder]}/${rest.replace(/\.d\.ts$|\.ts$/, '.js')}${quote}`,
    );
    cpSync(file, join(target, path));
    writeFileSync(join(target, path), text);
    placed.push(join(target, path));
  }
  for (const path of carried) cpSync(join(root, sources, path), join(target, path), { recursive: true });
  for (const file of filesBelow(target).filter((file) => file.endsWith('.astro')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
  if (name === '.') cpSync(await ensureTheme(), join(target, 'theme'), { recursive: true });
  if (name === 'integration') cpSync(await builtSiteFolder(), join(target, 'reader-build/scripts'), { recursive: true });
  return placed;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
