import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const day = 24 * 60 * 60 * 1000;

export type AstroMajor = 6 | 7;

export interface StaticSiteBuild {
  /** The project's folder. */
  folder: string;
  /** The output of Astro. */
  dist: string;
  /** The export of the integration. */
  offline: string;
  /** The log of the build. */
  output: string;
}

/**
 * Builds a site of `fixtures/static-sites` with Astro 6 or 7 and the published form of the integration: compiled, in node_modules.
 * The build is cached in `test/astro-N/.sites` and reused while fixture, integration, packages and environment are the same.
 * Throws with the log of the build if it fails.
 */
export async function buildStaticSite(
  name: string,
  { astro, environment = {} }: { astro: AstroMajor; environment?: Record<string, string> },
): Promise<StaticSiteBuild> {
  const fixture = join(root, 'fixtures/static-sites', name);
  const packages = join(root, `test/astro-${astro}`);
  const sites = join(packages, '.sites');
  const compiled = digestOf(integrationSources());
  const integration = await kept(join(sites, `integration-${compiled}`), compileIntegration);
  const key = digestOf([...filesBelow(fixture), join(packages, 'package-lock.json')], compiled + JSON.stringify(environment));
  const folder = await kept(join(sites, `${name}-${key}`), async (fresh) => {
    cpSync(fixture, fresh, { recursive: true });
    mkdirSync(join(fresh, 'node_modules/@carrel'), { recursive: true });
    symlinkSync(integration, join(fresh, 'node_modules/@carrel/astro'), 'junction');
    const astroBinary = join(packages, 'node_modules/astro/bin/astro.mjs');
    const failure = `"${name}" cannot be built with Astro ${astro} in ${fresh}`;
    const output = await node([astroBinary, 'build'], fresh, environment, failure);
    writeFileSync(join(fresh, 'output.txt'), output);
  });
  const output = readFileSync(join(folder, 'output.txt'), 'utf8');
  return { folder, dist: join(folder, 'dist'), offline: join(folder, 'dist-offline'), output };
}

const underWay = new Map<string, Promise<string>>();

/** Returns the folder, which `make` fills if it does not exist: in a temporary folder that is then moved, so it is never incomplete. */
function kept(folder: string, make: (fresh: string) => Promise<void>): Promise<string> {
  const making = underWay.get(folder) ?? keep(folder, make).finally(() => underWay.delete(folder));
  underWay.set(folder, making);
  return making;
}

async function keep(folder: string, make: (fresh: string) => Promise<void>): Promise<string> {
  if (!existsSync(folder)) {
    const place = dirname(folder);
    mkdirSync(place, { recursive: true });
    removeUnused(place);
    const fresh = mkdtempSync(join(place, `fresh-${basename(folder)}-`));
    try {
      await make(fresh);
      renameSync(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true });
      // Another process may have made the same folder in the meantime.
      if (!existsSync(folder)) throw error;
    }
  }
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

function removeUnused(place: string): void {
  for (const name of readdirSync(place)) {
    const folder = join(place, name);
    // Another process may have moved or removed it.
    const { mtimeMs = Infinity } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > day) rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles the integration as `npm pack` does, with its dependencies where npm installs them. */
async function compileIntegration(fresh: string): Promise<void> {
  const script = join(root, 'test/support/compile.ts');
  await node(
    [script, 'integration', join(fresh, 'build')],
    root,
    { CARREL_TYPES_CHECKED: '1' },
    'The integration cannot be compiled',
  );
  const manifest = readFileSync(join(root, 'integration/package.json'), 'utf8');
  writeFileSync(join(fresh, 'package.json'), manifest);
  for (const name of Object.keys(JSON.parse(manifest).dependencies)) {
    const link = join(fresh, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    const places = [join(root, 'integration/node_modules', name), join(root, 'node_modules', name)];
    symlinkSync(places.find((place) => existsSync(place)) ?? places[1]!, link, 'junction');
  }
}

function integrationSources(): string[] {
  return [
    ...filesBelow(join(root, 'integration')),
    ...filesBelow(join(root, 'src/setup')),
    ...['package-lock.json', 'tsconfig.json', 'test/support/compile.ts', 'test/support/build-static-site.ts'].map((file) =>
      join(root, file),
    ),
  ];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|[\\/])(build|dist|node_modules|\.astro)[\\/]/.test(relative(folder, file)))
    .sort();
}

function digestOf(files: string[], more = ''): string {
  const hash = createHash('sha256').update(more);
  for (const file of files) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Runs Node and returns its output; throws with the output if it fails. */
async function node(args: string[], cwd: string, environment: Record<string, string>, failure: string): Promise<string> {
  // The settings of a test runner would change the output of Vite and its plugins.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_|VITE|SITE_|(TEST|DEV|PROD|MODE|SSR|BASE_URL|FORCE_COLOR)$)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...environment };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${failure}:\n${stdout}\n${stderr}`, { cause: error });
  }
}
