import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import errorCodes from '../integration/error-codes.json' with { type: 'json' };
import problemKinds from '../integration/problem-kinds.json' with { type: 'json' };
import apiErrorCodes from '../server/platform/error-codes.json' with { type: 'json' };
import { factsOf } from '../integration/diagnostics.ts';
import { manifestSchema } from '../integration/manifest.ts';
import { optionsSchema } from '../integration/options.ts';
import { stages } from '../integration/export-messages.ts';
import { limitPresets, limits } from '../server/platform/limits.ts';
import { metaOf, optionsShape, type OptionKey } from '../server/platform/options.ts';
import { command as askCommand } from '../src/cli/ask.ts';
import { command as devCommand } from '../src/cli/dev.ts';
import { command as evalCommand } from '../src/cli/eval.ts';
import { command as exportRemoteCommand } from '../src/cli/export-remote.ts';
import { command as exportCommand } from '../src/cli/export.ts';
import { command as publishCommand } from '../src/cli/publish.ts';
import { command as serveCommand } from '../src/cli/serve.ts';
import { command as serverCommand } from '../src/cli/server.ts';
import { command as verifyCommand } from '../src/cli/verify.ts';
import { referencePages } from './support/write-reference.ts';

const root = join(import.meta.dirname, '..');

function manual(page: string): string {
  return readFileSync(join(root, 'src/manual', `${page}.mdx`), 'utf8');
}

/** Those of the names that the sources of the folders have as a text. */
function namesInSources(folders: string[], names: string[]): Set<string> {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root, exclude: ['**/{build,node_modules}/**'] },
  );
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const quoted = new Set([...text.matchAll(/(?<=')[\w-]+(?=')/g)].map(([name]) => name));
  return new Set(names.filter((name) => quoted.has(name)));
}

/** The names in the first column of the tables below a heading: `a`, `b`. */
function namesIn(page: string, heading: string): string[] {
  const [, below = ''] = manual(page).split(`\n## ${heading}\n`);
  const rows = below.split('\n## ')[0]!.match(/^\| `.*?(?= \|)/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)).sort();
}

const kinds = Object.values(problemKinds).flatMap((section) => Object.keys(section));
const codes = Object.keys(errorCodes);

test('the pages of commands, problems and errors, and the folders of CONTRIBUTING are those of the code (node src/setup/run.mjs test/support/write-reference.ts writes them)', async () => {
  for (const [file, text] of Object.entries(await referencePages()))
    expect(readFileSync(join(root, file), 'utf8'), file).toBe(text);
});

test('what the manual says of a kind of problem or the code of an error can happen', () => {
  const apiCodes = Object.keys(apiErrorCodes);
  const named = namesInSources(['src', 'server', 'integration'], [...kinds, ...codes, ...apiCodes]);
  expect([...kinds, ...codes, ...apiCodes].filter((name) => !named.has(name))).toEqual([]);
});

test('the names of problems and errors have the shapes that the manual promises', () => {
  expect([kinds.length > 50, codes.length > 20]).toEqual([true, true]);
  expect(kinds.filter((kind) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(kind))).toEqual([]);
  expect([...codes, ...Object.keys(apiErrorCodes)].filter((code) => !/^([A-Z][a-z]*)+$/.test(code))).toEqual([]);
});

test.each([
  ['dev', devCommand],
  ['export', exportCommand],
  ['publish-command', publishCommand],
  ['serve', serveCommand],
  ['verify', verifyCommand],
  ['ask', askCommand],
  ['eval', evalCommand],
])('the page of carrel %s names every option, and no other', (page, command) => {
  const named = new Set(manual(page).match(/(?<=[`"[\s])--[a-z][a-z-]*/g));
  expect([...named].sort()).toEqual(
    Object.keys(command.options.shape)
      .map((name) => `--${name}`)
      .sort(),
  );
});

test.each<[string, string, { options: { shape: object } }]>([
  ['server', 'carrel server', serverCommand],
  ['server', 'carrel export-remote', exportRemoteCommand],
])('the page "%s" names every option of %s, and no other', (page, heading, command) => {
  expect(namesIn(page, heading).filter((name) => name.startsWith('--'))).toEqual(
    Object.keys(command.options.shape)
      .map((name) => `--${name}`)
      .sort(),
  );
});

test('every picture of the manual is shown, and together they stay small in the package', () => {
  const folder = join(root, 'src/manual/images');
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.webp'));
  const pages = readdirSync(join(root, 'src/manual')).filter((name) => name.endsWith('.mdx'));
  const texts = pages.map((name) => readFileSync(join(root, 'src/manual', name), 'utf8'));
  expect(pictures.length).toBeGreaterThan(3);
  expect(pictures.filter((name) => !texts.some((text) => text.includes(`](/images/${name})`)))).toEqual([]);
  expect(pictures.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(600_000);
});

test('every file that the README and CONTRIBUTING link to exists', () => {
  const files = ['README.md', 'CONTRIBUTING.md'];
  const links = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)/g)]);
  expect(links.length).toBeGreaterThan(20);
  expect(links.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the manual names every check of carrel doctor that has a name of its own', () => {
  const sources = readdirSync(join(root, 'server/health/doctor')).map((file) =>
    readFileSync(join(root, 'server/health/doctor', file), 'utf8'),
  );
  const text = [...sources, readFileSync(join(root, 'src/cli/doctor.ts'), 'utf8')].join('\n');
  const names = [...text.matchAll(/(?:examine|checkClock)\('([a-z-]+)'|\['((?:sites-)?port)',/g)].map(([, a, b]) => a ?? b!);
  expect(namesIn('operate', 'carrel doctor')).toEqual([...new Set(names)].sort());
});

test('the manual explains every option of the server with its variable, default and meaning, and no other', () => {
  const keys = (Object.keys(optionsShape) as OptionKey[]).filter((key) => !Object.hasOwn(limits, key));
  const rows = keys.map((key) => {
    const { env, description } = metaOf(key);
    const fallback = defaultOf(optionsShape[key]);
    const shown = [undefined, ''].includes(fallback as '') || Array.isArray(fallback) ? '–' : `\`${String(fallback)}\``;
    return `| \`${env}\` | \`${key}\` | ${shown} | ${description} |`;
  });
  expect(tableOf('Options').sort()).toEqual(rows.sort());
});

test('the manual explains every limit with its value in both presets, and no other', () => {
  const { internal, public: atPublic } = limitPresets;
  const rows = (Object.keys(limits) as (keyof typeof limits)[]).map(
    (key) => `| \`${key}\` | ${internal[key] ?? '–'} | ${atPublic[key] ?? '–'} | ${metaOf(key).description} |`,
  );
  expect(tableOf('Limits')).toEqual(rows);
});

/** The rows of four columns below a heading of the page on the configuration. */
function tableOf(heading: string): string[] {
  const [, text = ''] = manual('configuration').split(`\n## ${heading}\n`);
  const rows = text.split('\n## ')[0]!.match(/^\| `.*$/gm)!;
  return rows.filter((row) => row.split(' | ').length === 4);
}

/** The default of an option, wherever in its schema it stands. */
function defaultOf(schema: { def: unknown }): unknown {
  type Definition = { type: string; defaultValue?: unknown; innerType?: typeof schema; in?: typeof schema };
  for (let at: typeof schema | undefined = schema; at;) {
    const definition = at.def as Definition;
    if (definition.type === 'default') return definition.defaultValue;
    at = definition.innerType ?? definition.in;
  }
  return undefined;
}

test('the page of carrel export names the stages of its progress', () => {
  expect(manual('export').replace(/\s+/g, ' ')).toContain(stages.map((stage) => `\`${stage}\``).join(', '));
});

test('the manual explains every option of the Astro integration with its default, and no other', () => {
  const fields = manual('astro-options').matchAll(/<ResponseField name="(\w+)" type="[^"]+"(?: default="([^"]*)")?>/g);
  expect([...fields].map(([, name, fallback]) => `${name} = ${fallback}`).sort()).toEqual(
    Object.entries(optionsSchema.shape)
      .map(([name, schema]) => `${name} = ${JSON.stringify(defaultOf(schema))?.replaceAll('"', "'")}`)
      .sort(),
  );
});

test("the page of a build's errors and warnings names all that an Astro site may hear", () => {
  const all = [...namesInSources(['integration'], [...kinds, ...codes])];
  // Of bundles, their signatures and deltas, of a docs folder, of `carrel check` and of embedding models, which carrel() does not have.
  const isOthers = (name: string) =>
    /^(bundle-|Bundle|Manifest|LimitedWord|Sign|Delta)|^(download-not-made|embeddings-failed|file-without-use|link-to-limited-page|remote-media-replaced|link-with-base|config-in-subfolder)$/.test(
      name,
    ) || factsOf(name).isAdvice;
  const named = ['Warnings', 'Info', 'Errors'].flatMap((heading) => namesIn('astro-problems', heading));
  expect(named.sort()).toEqual(all.filter((name) => !isOthers(name)).sort());
});

test('the page of carrel check explains all advice on docs, and no other', () => {
  expect(namesIn('check', 'Advice')).toEqual([...kinds].filter((kind) => factsOf(kind).isAdvice).sort());
});

test('the manual explains every key of carrel.json, and no other', () => {
  expect(namesIn('bundles', 'carrel.json')).toEqual(Object.keys(manifestSchema.shape).sort());
});

test('the manual explains every code that a job can fail with, and no other', () => {
  const sources = ['server/jobs', 'server/sources', 'server/platform'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const codes = sources.flatMap((text) => [
    ...text.matchAll(/new JobError\(\s*'(\w+)'/g),
    // The table of what git prints, and what a queue abandons.
    ...text.matchAll(/code: '((?:Git|Runs)\w+)'/g),
  ]);
  // Codes of `publicAddresses` and of outages, which are passed on.
  const expected = new Set([
    ...codes.map(([, code]) => code!),
    'HostUnknown',
    'DatabaseUnavailable',
    'StorageUnavailable',
    'AddressPrivate',
  ]);
  expect(namesIn('jobs', 'When something goes wrong')).toEqual([...expected].sort());
});
