import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '../../../integration/manifest.ts';
import { carrel } from './carrel.ts';

const root = mkdtempSync(join(tmpdir(), 'carrel-bundle-'));
const fixtures = join(import.meta.dirname, '../../../fixtures');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (...args: string[]) => carrel(args, { cwd: root });
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const manifestOf = (folder: string): Manifest => JSON.parse(read(folder, 'carrel.json'));
const write = (name: string, text: string) => writeFileSync(join(root, name), text);

beforeAll(async () => {
  for (const [fixture, out] of [
    ['plain-folder', 'coffee'],
    ['versions-languages', 'lights'],
  ] as const)
    await done('export', join(fixtures, fixture), '--out', out, '--zip', `${out}.zip`, '--cache', 'cache');
  await done('signing-key', 'new', 'release', '--no-password');
  write(
    'both.yaml',
    `name: All products *2*
description: What we ship.
version: "7"
sites:
  - { bundle: coffee.zip, title: Coffee, path: coffee-2.1, description: "Machines <with> steam." }
  - { bundle: ./lights, title: Lights }
`,
  );
  await done('bundle', 'both.yaml', '--out', 'both');
});

test('each site stays byte for byte in its folder, and the manifest lists them', async () => {
  const { site, version, sites, pages, files, indexes } = manifestOf('both');
  const [coffee, lights] = [manifestOf('coffee'), manifestOf('lights')];
  expect({ site, version }).toEqual({ site: 'All products *2*', version: '7' });
  expect(sites).toEqual([
    { path: 'coffee-2.1', title: 'Coffee', version: coffee.version, generator: coffee.generator },
    { path: 'lights', title: 'Lights', version: lights.version, generator: lights.generator },
  ]);
  expect(pages).toHaveLength(1 + coffee.pages.length + lights.pages.length);
  for (const [name, folder] of [
    ['coffee', 'coffee-2.1'],
    ['lights', 'lights'],
  ] as const) {
    const names = readdirSync(join(root, name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name: file } of names) {
      const path = join(parentPath, file).slice(join(root, name).length + 1);
      expect(read('both', folder, path) === read(name, path), path).toBe(true);
      expect(files, path).toHaveProperty([`${folder}/${path}`]);
    }
  }
  expect(indexes.map(({ language }) => language)).toEqual(['en', 'ar', 'de']);
  const { stdout } = await run('verify', 'both');
  expect(stdout).toMatch(/ {2}coffee-2\.1\/: Coffee, version \w+, \d+ pages, not signed\n {2}lights\/: Lights, /);
});

test('the start page links to each site, and so does llms.txt', () => {
  const page = read('both', 'index.html');
  expect(page).toMatch(/<a [^>]*href="coffee-2\.1\/index\.html"[^>]*>Coffee<\/a>/);
  expect(page).toContain('Machines &#x3C;with> steam.');
  expect(page).toContain('All products *2*');
  const list = read('both', 'llms.txt');
  expect(list).toContain('- [Coffee](coffee-2.1/llms.txt): Machines <with> steam.\n- [Lights](lights/llms.txt)');
  expect(list).toContain('- [Coffee: Parts](coffee-2.1/03-parts.md)');
});

test('a question finds what one of the sites says, in a folder and in a zip', async () => {
  const zip = await done('bundle', 'coffee', 'lights.zip', '--out', 'all.zip');
  expect(zip).toContain('Serve it:  carrel serve all.zip');
  const { stdout } = await run('ask', 'How much does the filter cost?', '--bundle', 'all.zip');
  expect(stdout).toMatch(/Filter \| \$3\n\n\[1\] Parts\n {4}[\w-]+\/03-parts\/index\.html/);
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('each language has the sites in it, and that of the start page has all of them', async () => {
  const ask = async (question: string, language: string) =>
    (await run('ask', question, '--site', 'both', '--language', language, '--json')).stdout;
  expect(await ask('Wann die Lampe anzünden?', 'de')).toContain('lights/de/v2/lighting');
  expect(await ask('How much does the filter cost?', 'de')).not.toContain('coffee-2.1');
  write('german.yaml', 'language: de\nsites:\n  - { bundle: coffee }\n  - { bundle: lights }\n');
  await done('bundle', 'german.yaml', '--out', 'german');
  expect(read('german', 'index.html')).toContain('<html lang="de"');
  const { stdout } = await run('ask', 'How much does the filter cost?', '--site', 'german');
  expect(stdout).toMatch(/german\/[\w-]+\/03-parts/);
});

test('the servers of all playgrounds are in one list', async () => {
  await done('export', join(fixtures, 'playground'), '--out', 'api', '--cache', 'cache');
  await done('bundle', 'coffee', 'api', '--out', 'with-api');
  const { servers, tokens = [] }: Record<string, string[]> = JSON.parse(read('api', '_carrel/playground.json'));
  expect(servers!.length).toBeGreaterThan(0);
  expect(JSON.parse(read('with-api', '_carrel/playground.json'))).toEqual({ servers: servers!.toSorted(), tokens });
});

test('an export with an index of an older format is named', async () => {
  cpSync(join(root, 'coffee'), join(root, 'old'), { recursive: true });
  const { indexes, files, ...manifest } = manifestOf('old');
  const meta = `${indexes[0]!.folder}/meta.js`;
  const text = read('old', meta).replace(String.raw`\"format\":2`, String.raw`\"format\":1`);
  write(`old/${meta}`, text);
  const listed = { ...files, [meta]: { sha256: hash('sha256', text), size: Buffer.byteLength(text) } };
  write('old/carrel.json', JSON.stringify({ ...manifest, indexes, files: listed }));
  const { code, stderr } = await run('bundle', 'old', 'lights', '--out', 'wrong');
  expect(readdirSync(root).filter((file) => file.startsWith('.'))).toEqual([]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/index of ".*old" has format 1, and a collection needs format 2/)]);
});

test('an index is read only from the files of its site', async () => {
  cpSync(join(root, 'coffee'), join(root, 'hostile'), { recursive: true });
  const { indexes, ...manifest } = manifestOf('hostile');
  for (const folder of [join('../../../lights', manifestOf('lights').indexes[0]!.folder), '_carrel/search/none/en']) {
    write('hostile/carrel.json', JSON.stringify({ ...manifest, indexes: [{ ...indexes[0]!, folder }] }));
    const { code, stderr } = await run('bundle', 'hostile', '--out', 'wrong');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`hostile" has no file "${folder}/meta.js"`)]);
  }
});

test('descriptions and names are text, whatever they look like', async () => {
  write(
    'texts.yaml',
    `sites:
  - { bundle: coffee, title: "Coffee [x](javascript:x)", path: coffee, description: "import and export of data" }
  - { bundle: lights, title: "Two\\nlines", path: lights, description: "first\\n\\nexport const x = 1" }
`,
  );
  await done('bundle', 'texts.yaml', '--out', 'texts');
  const page = read('texts', 'index.html');
  expect(page).toContain('<p>import and export of data</p>');
  expect(page).toContain('<p>export const x = 1</p>');
  expect(read('texts', 'llms-full.txt')).toBe(
    '# Documentation\n\n- [Coffee \\[x\\](javascript:x)](coffee/llms-full.txt)\n- [Two lines](lights/llms-full.txt)\n',
  );
});

test('a zip takes no folder beside it away', async () => {
  mkdirSync(join(root, '.own.zip.carrel-folder'));
  await done('bundle', 'coffee', '--out', 'own.zip');
  expect(existsSync(join(root, '.own.zip.carrel-folder'))).toBe(true);
  rmSync(join(root, '.own.zip.carrel-folder'), { recursive: true });
  const killed = spawnSync(process.execPath, ['-e', '']).pid;
  mkdirSync(join(root, `.own.zip-folder.carrel-new-${killed}`));
  await done('bundle', 'coffee', '--out', 'own.zip');
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('the same exports give the same bytes, from folders and from zips', async () => {
  await done('bundle', 'coffee', 'lights', '--out', 'one.zip', '--label', '1');
  await done('bundle', 'coffee.zip', 'lights.zip', '--out', 'two.zip', '--label', '1');
  expect(readFileSync(join(root, 'one.zip')).equals(readFileSync(join(root, 'two.zip')))).toBe(true);
});

test('one signature covers all, and the manifest says who had signed the sites', async () => {
  cpSync(join(root, 'lights'), join(root, 'signed'), { recursive: true });
  await done('sign', 'signed', '--key', 'release.key');
  const args = ['bundle', 'coffee', 'signed', '--out', 'of-signed', '--sign', 'release.key'];
  expect((await run(...args, '--public-key', 'release.pub')).stderr).toContain('"' + join(root, 'coffee') + '" is not signed');
  expect(existsSync(join(root, 'of-signed'))).toBe(false);
  await done(...args);
  const [coffee, lights] = manifestOf('of-signed').sites!;
  expect(coffee).not.toHaveProperty('signature');
  expect(lights!.signature).toEqual({ keyId: expect.stringMatching(/^[0-9A-F]{16}$/), isChecked: false });
  await done('bundle', 'signed', '--out', 'of-checked', '--public-key', 'release.pub', '--sign', 'release.key');
  const trusted = ['of-checked', '--public-key', 'release.pub'];
  expect(await done('verify', ...trusted)).toMatch(/ {2}lighthouse-keeper\/: .*, signed by [0-9A-F]{16}\n/);
  expect(await done('verify', 'of-checked')).toMatch(/ {2}lighthouse-keeper\/: .*, signed by [0-9A-F]{16} \(not checked\)\n/);
  const isChecked = async (...args: string[]) => JSON.parse(await done('verify', '--json', ...args)).sites[0].signature.isChecked;
  expect([await isChecked(...trusted), await isChecked('of-checked')]).toEqual([true, false]);
  expect((await run('verify', 'of-signed', '--public-key', 'release.pub')).code).toBe(0);
  write('of-signed/lighthouse-keeper/index.html', 'changed');
  expect((await run('verify', 'of-signed', '--public-key', 'release.pub')).stderr).toContain('"lighthouse-keeper/index.html"');
});

test('a delta makes the newer collection of an older one', async () => {
  await done('export', join(fixtures, 'plain-folder'), '--out', 'coffee-b', '--label', 'b', '--cache', 'cache');
  write('newer.yaml', read('both.yaml').replace('coffee.zip', 'coffee-b').replace('version: "7"', 'version: "8"'));
  await done('bundle', 'newer.yaml', '--out', 'newer.zip');
  await done('delta', 'both', 'newer.zip', '--out', 'update.zip');
  expect(await done('apply', 'both', 'update.zip', '--out', 'updated', '--zip', 'updated.zip')).toContain('version 8');
  expect(readFileSync(join(root, 'updated.zip')).equals(readFileSync(join(root, 'newer.zip')))).toBe(true);
});

test('sites for other readers need their groups', async () => {
  for (const [group, folder] of [
    ['partner', 'for-partners'],
    ['beta', 'for-beta'],
  ] as const) {
    await done('export', join(fixtures, 'plain-folder'), '--out', folder, '--groups', group, '--cache', 'cache');
  }
  write(
    'mixed.yaml',
    'sites:\n  - { bundle: for-partners, path: a }\n  - { bundle: for-beta, path: b }\n  - { bundle: lights }\n',
  );
  const { stderr } = await run('bundle', 'mixed.yaml', '--out', 'mixed');
  expect(stderr).toMatch(/for-partners" is for readers in partner, and ".*for-beta" for readers in beta\./);
  expect(stderr).toContain('--groups beta,partner');
  expect((await run('bundle', 'mixed.yaml', '--out', 'mixed', '--groups', 'beta')).code).toBe(1);
  await done('bundle', 'mixed.yaml', '--out', 'mixed', '--groups', 'beta,partner');
  expect(manifestOf('mixed').audience).toEqual(['beta', 'partner']);
  await done('bundle', 'for-beta', '--out', 'beta');
  expect(manifestOf('beta').audience).toEqual(['beta']);
  await done('export', join(fixtures, 'plain-folder'), '--out', 'for-both', '--groups', 'beta,partner', '--cache', 'cache');
  await done('export', join(fixtures, 'plain-folder'), '--out', 'for-comma', '--groups', 'beta%2C partner', '--cache', 'cache');
  write('comma.yaml', 'sites:\n  - { bundle: for-comma, path: a }\n  - { bundle: for-both, path: b }\n');
  const comma = await run('bundle', 'comma.yaml', '--out', 'comma');
  expect([comma.code, comma.stderr]).toEqual([1, expect.stringContaining('--groups beta,beta%2C partner,partner,')]);
});

test.each([
  ['coffee', 'coffee.zip', 'both have the path'],
  ['both', 'lights', 'is a collection itself, of Coffee, Lights.'],
  ['coffee', 'nowhere.zip', 'There is no bundle'],
  ['both.yaml', 'lights', 'is not a readable zip'],
])('%s and %s: %s', async (one, other, message) => {
  const { code, stderr } = await run('bundle', one, other, '--out', 'wrong');
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(existsSync(join(root, 'wrong'))).toBe(false);
});

test.each([
  ['sites: 3', 'is not valid: sites'],
  ['sites: [', 'cannot be read'],
  ['sites: [{ bundle: coffee, titel: x }]', 'titel'],
  ['{ version: 24.10, sites: [{ bundle: coffee }] }', 'version must be in quotes'],
  ['sites: [{ bundle: coffee, path: _carrel }]', 'is not lower-case words'],
  ['sites: [{ bundle: coffee, path: llms.txt }]', 'ends like the name of a file'],
  ['sites: [{ bundle: coffee, path: con }]', 'has the name of a device of Windows'],
  [`sites: [{ bundle: coffee, path: ${'a'.repeat(61)} }]`, 'is longer than 60 characters'],
  ['sites: [{ bundle: coffee, title: "日本" }]', 'has no letters for a path'],
])('a configuration with %s', async (text, message) => {
  write('wrong.yaml', text);
  const { code, stderr } = await run('bundle', 'wrong.yaml', '--out', 'wrong');
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(existsSync(join(root, 'wrong'))).toBe(false);
});

test('an export is never overwritten by the collection that it is in, nor its configuration', async () => {
  cpSync(join(root, 'coffee'), join(root, 'configured'), { recursive: true });
  write('configured/all.yaml', 'sites: [{ bundle: ../lights }]');
  const { code, stderr } = await run('bundle', 'configured/all.yaml', '--out', 'configured');
  expect([code, stderr]).toEqual([1, expect.stringContaining('would change')]);
  expect(existsSync(join(root, 'configured/all.yaml'))).toBe(true);
  for (const out of ['coffee', 'coffee/all', '.', 'coffee.zip']) {
    const { code, stderr } = await run('bundle', 'coffee', 'coffee.zip', '--out', out);
    expect([code, stderr], out).toEqual([1, expect.stringContaining('would change')]);
  }
});
