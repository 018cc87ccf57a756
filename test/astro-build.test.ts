import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { carrel } from './src/cli/carrel.ts';
import { writeLargeSite } from './support/large-site.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carrel-astro-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['fixtures/docs-json-site', 'a large navigation'])(
  'an Astro build of %s, exported by the integration, is the export of the command line',
  async (given) => {
    const isLarge = given === 'a large navigation';
    const name = given.replaceAll(/\W/g, '-');
    const docs = isLarge ? join(folder, 'large') : join(root, given);
    if (isLarge) await writeLargeSite(docs);
    const [built, exported] = [join(folder, `${name}-built`), join(folder, `${name}-exported`)];
    const builder = ['test/support/astro-build.ts', docs, join(folder, `${name}-site`), built];
    execFileSync(process.execPath, builder, { cwd: root, stdio: 'pipe' });
    expect(await carrel(['export', docs, '--out', exported, '--cache', 'off'])).toMatchObject({ code: 0 });
    const files = (of: string) =>
      readdirSync(of, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(of, join(entry.parentPath, entry.name)))
        .sort();
    expect(files(built).length).toBeGreaterThan(10);
    const hasNavigation = files(built).some((file) => /^_carrel\/navigation\.\w+\.js$/.test(file));
    expect(hasNavigation).toBe(isLarge);
    expect(existsSync(join(built, '_carrel/pages'))).toBe(isLarge);
    expect(files(built)).toEqual(files(exported));
    expect(files(built).filter((file) => !readFileSync(join(built, file)).equals(readFileSync(join(exported, file))))).toEqual(
      [],
    );
  },
);
