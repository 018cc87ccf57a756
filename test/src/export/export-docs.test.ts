import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Deployment } from '../../../integration/manifest.ts';
import type { PageSettings } from '../../../integration/page-settings.ts';
import { providerOrigins } from '../../../server/hosting/with-settings.ts';
import { exportDocs } from '../../../src/export/export-docs.ts';
import { generatePages, shapes, writeDocs } from '../../bench/generate-docs.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

/** A folder with generated docs, and how they are exported: again into the same folder with the cache, or afresh without. */
async function generatedDocs(shape: (typeof shapes)[number], count = 16) {
  const root = temporaryFolder();
  const [docs, out, cache] = [join(root, 'docs'), join(root, 'site'), join(root, 'cache')];
  const pages = generatePages(count, shape);
  mkdirSync(docs);
  await writeDocs(docs, pages, shape);
  const run = async (options: { out: string; cache: string | false }) => {
    // Files that are a moment old count as settled.
    const now = Date.now() + 1000;
    await exportDocs({ source: docs, deployment: 'client-hosted', vendor: false, environment: {}, now, ...options });
    return filesOf(options.out);
  };
  return {
    ...{ docs, out, cache },
    files: pages.map((page) => join(docs, `${page.path}.md`)),
    again: () => run({ out, cache }),
    afresh: () => run({ out: join(temporaryFolder(), 'site'), cache: false }),
  };
}

test('a page is written again when one of its images has another size', async () => {
  const { docs, files, out, again, afresh } = await generatedDocs(shapes[0], 6);
  const drawing = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"></svg>`;
  writeFileSync(join(docs, 'drawing.svg'), drawing(40));
  appendFileSync(files[5]!, '\n![A drawing](/drawing.svg)\n');
  const images = () => Object.entries(filesOf(out)).flatMap(([, text]) => /<img[^>]*drawing\.svg[^>]*>/.exec(text)?.[0] ?? []);
  await again();
  expect(images()).toEqual([expect.stringContaining('width="40" height="20"')]);
  writeFileSync(join(docs, 'drawing.svg'), drawing(80));
  expect(await again()).toEqual(await afresh());
  expect(images()).toEqual([expect.stringContaining('width="80" height="20"')]);
});

test('the Markdown of a page is a script too where the menu of the page copies it, except on the internet', async () => {
  const root = temporaryFolder();
  const [source, cache] = [join(root, 'docs'), join(root, 'cache')];
  mkdirSync(source);
  const write = (name: string, option: string) =>
    writeFileSync(join(source, `${name}.md`), `---\ncontextual: { options: [${option}] }\n---\n\n# ${name}\n\n## “Ü”\n`);
  const scripts = async (deployment: Deployment) => {
    const out = join(root, deployment);
    await exportDocs({ source, deployment, vendor: false, environment: {}, now: Date.now(), out, cache });
    const files = filesOf(out);
    const found = Object.keys(files).filter((path) => path.endsWith('.md.js'));
    const read = (path: string): unknown => runInNewContext(files[path]!, { __carrel_script: (value: unknown) => value });
    expect(found.map(read)).toEqual(found.map((path) => files[path.slice(0, -'.js'.length)]));
    return found;
  };
  write('index', 'view');
  write('copied', 'copy');
  write('linked', "{ title: Ask, href: 'https://x.example/?q=$page' }");
  expect(await scripts('client-hosted')).toEqual(['copied.md.js', 'linked.md.js']);
  expect(await scripts('client-hosted')).toEqual(['copied.md.js', 'linked.md.js']);
  write('linked', 'view');
  expect(await scripts('client-hosted')).toEqual(['copied.md.js']);
  expect(await scripts('air-gapped')).toEqual(['copied.md.js']);
  expect(await scripts('cloud')).toEqual([]);
});

test.each(shapes)(
  'after each change of docs in the shape %s, an export with a cache has the bytes of one without',
  async (shape) => {
    const { files, again, afresh } = await generatedDocs(shape);
    const changes: [file: string, change: (file: string) => void][] = [
      [files[5]!, (file) => appendFileSync(file, '\nOne sentence more.\n')],
      [files[9]!, (file) => writeFileSync(file, '---\ntitle: Another title\n---\n\n## New part\n\nOther words.\n')],
      [files[5]!, (file) => appendFileSync(file, '\n## One part more\n\nWith words.\n')],
      [files[13]!, (file) => rmSync(file)],
    ];
    const first = await again();
    expect(first).toEqual(await afresh());
    expect(await again()).toEqual(first);
    for (const [file, change] of changes) {
      change(file);
      expect(await again()).toEqual(await afresh());
    }
  },
);

test.each<[string, (file: string, text: string) => void]>([
  [
    'replaced by one with the same size and time',
    (file, text) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(`${file}.new`, text);
      utimesSync(`${file}.new`, atime, mtime);
      renameSync(`${file}.new`, file);
    },
  ],
  [
    'rewritten with the same size, and its time set back',
    (file, text) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, text);
      utimesSync(file, atime, mtime);
    },
  ],
])('a file is read again when it was %s', async (_, change) => {
  const { files, again } = await generatedDocs('flat', 3);
  writeFileSync(files[1]!, '# Page\n\nThe word is before.\n');
  await again();
  change(files[1]!, '# Page\n\nThe word is behind.\n');
  const exported = await again();
  expect(exported['page-1/index.html']).toContain('The word is behind.');
});

test('a page of the export that was removed or changed by hand is written again, and what was added stays', async () => {
  const { out, again } = await generatedDocs('flat', 3);
  await again();
  const whole = await again();
  rmSync(join(out, 'page-1/index.html'));
  writeFileSync(join(out, 'page-2/index.html'), 'changed');
  writeFileSync(join(out, 'page-2/added.html'), 'added');
  expect(await again()).toEqual({ ...whole, 'page-2/added.html': 'added' });
});

test('what was changed by hand in the folders of the export is written again, and what was added stays', async () => {
  const { out, again } = await generatedDocs('flat', 9);
  await again();
  const whole = await again();
  const changes: (() => void)[] = [
    () => writeFileSync(join(out, 'page-1/added.html'), 'added'),
    () => mkdirSync(join(out, 'page-2/added')),
    () => rmSync(join(out, 'page-3'), { recursive: true }),
    () => writeFileSync(join(out, '_carrel/added.js'), 'added'),
    () => {
      renameSync(join(out, 'page-4'), join(out, 'page-5/page-4'));
      symlinkSync('page-5/page-4', join(out, 'page-4'));
    },
    () => {
      cpSync(join(out, 'page-6'), join(out, 'copy'), { recursive: true, preserveTimestamps: true });
      writeFileSync(join(out, 'copy/added.html'), 'added');
      rmSync(join(out, 'page-6'), { recursive: true });
      renameSync(join(out, 'copy'), join(out, 'page-6'));
    },
  ];
  for (const change of changes) {
    change();
    // The changed folder is the start of the export after the next one.
    expect(await again()).toMatchObject(whole);
    expect(await again()).toMatchObject(whole);
  }
  expect(readdirSync(join(out, 'page-2')).sort()).toEqual(['added', 'index.html']);
  const added = Object.keys(await again()).filter((path) => !Object.hasOwn(whole, path));
  expect(added).toEqual(['_carrel/added.js', 'page-1/added.html', 'page-5/page-4/index.html', 'page-6/added.html']);
});

test('an export starts from any earlier one, also when the cache forgot which one it was', async () => {
  const { files, out, cache, again, afresh } = await generatedDocs('flat', 4);
  const page = files[2]!;
  const text = readFileSync(page, 'utf8');
  const database = new DatabaseSync(join(cache, 'pages.sqlite'), { open: false });
  const withDatabase = <Result>(use: () => Result): Result => {
    database.open();
    try {
      return use();
    } finally {
      database.close();
    }
  };
  await again();
  await again();
  rmSync(page);
  await again();
  const state = withDatabase(() => database.prepare("SELECT key, value FROM entry WHERE key LIKE 'export-%'").all());
  expect(state.length).toBeGreaterThan(0);
  writeFileSync(page, text);
  await again();
  // As if the process was killed before it stored what it knows of its export.
  withDatabase(() => {
    for (const { key, value } of state) database.prepare('UPDATE entry SET value = ? WHERE key = ?').run(value!, key!);
  });
  rmSync(page);
  const without = await afresh();
  expect(await again()).toEqual(without);
  expect(await again()).toEqual(without);
  expect(existsSync(join(out, 'page-2'))).toBe(false);
});

test.each([
  ['cut off', 'substr(value, 1, length(value) / 2)'],
  ['empty', "''"],
])('an export is the same when all values of its cache are %s', async (_, value) => {
  const { cache, again } = await generatedDocs('deep', 12);
  const whole = await again();
  const database = new DatabaseSync(join(cache, 'pages.sqlite'));
  database.exec(`UPDATE entry SET value = ${value} WHERE key LIKE 'texts-%' OR key LIKE 'export-%'`);
  database.close();
  expect(await again()).toEqual(whole);
});

test.each([
  ['client-hosted', 'it could not be downloaded: its host is not on the public internet'],
  ['air-gapped', 'this export downloads nothing'],
] as const)('a %s export names the specification that it has no copy of', async (deployment, reason) => {
  const source = temporaryFolder();
  const url = 'https://127.0.0.1:9/openapi.json';
  const navigation = {
    groups: [
      { group: 'Home', pages: ['index'] },
      { group: 'API', openapi: url },
    ],
  };
  writeFileSync(join(source, 'docs.json'), JSON.stringify({ name: 'Docs', navigation }));
  writeFileSync(join(source, 'index.mdx'), '# Home\n');
  const options = { source, out: join(temporaryFolder(), 'site'), deployment, vendor: false, cache: false as const };
  const report = await exportDocs({ ...options, environment: {}, now: Date.now() });
  expect(report.navigation.missing).toEqual([
    { entry: `"openapi": "${url}"`, at: 'API', reason: `${url} could not be read: ${reason}` },
  ]);
});

test.each([
  ['client-hosted', 'it could not be downloaded: its host is not on the public internet'],
  ['air-gapped', 'this export downloads nothing'],
] as const)(
  'a %s export shows an operation whose schema is in a private network, without the schema',
  async (deployment, reason) => {
    const source = temporaryFolder();
    const navigation = { pages: ['index', 'GET /a'] };
    const content = '{ application/json: { schema: { $ref: "https://127.0.0.1:9/x.json" } } }';
    const responses = `{ '200': { description: The answer, content: ${content} } }`;
    writeFileSync(join(source, 'docs.json'), JSON.stringify({ name: 'Docs', navigation }));
    writeFileSync(join(source, 'index.mdx'), '# Home\n');
    writeFileSync(
      join(source, 'api.yaml'),
      `openapi: 3.1.0\npaths: { /a: { get: { summary: First, responses: ${responses} } } }\n`,
    );
    const out = join(temporaryFolder(), 'site');
    const options = { source, out, deployment, vendor: false, cache: false as const };
    const report = await exportDocs({ ...options, environment: {}, now: Date.now() });
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'specification-reference-broken', page: 'api.yaml', line: 2 },
        message: expect.stringContaining(`is broken: ${reason}.`),
      }),
    );
    expect(readFileSync(join(out, 'api-reference/first/index.html'), 'utf8')).toContain('The answer');
  },
);

/** Exports one page with these integrations, and returns what its `carrel.config.js` sets and the names of its scripts. */
async function settingsOf(
  deployment: Deployment,
  { integrations, settings }: { integrations?: object; settings?: PageSettings },
): Promise<{ features: unknown; text: string; scripts: string[] }> {
  const root = temporaryFolder();
  const [docs, out] = [join(root, 'docs'), join(root, 'site')];
  mkdirSync(docs);
  writeFileSync(join(docs, 'docs.json'), JSON.stringify({ name: 'D', navigation: { pages: ['index'] }, integrations }));
  writeFileSync(join(docs, 'index.mdx'), 'Hello.');
  await exportDocs({ source: docs, out, deployment, settings, vendor: false, cache: false, environment: {}, now: 0 });
  const text = readFileSync(join(out, 'carrel.config.js'), 'utf8');
  const context: { __carrel_config?: { features: unknown } } = {};
  runInNewContext(text, context);
  return {
    text,
    features: JSON.parse(JSON.stringify(context.__carrel_config?.features ?? null)) as unknown,
    scripts: readdirSync(join(out, '_carrel')).map((name) => name.replace(/\.\w+\.js$/, '')),
  };
}

test('an export knows the analytics of docs.json, which are on in the type cloud alone', async () => {
  const fathom = { siteId: 'ABCDEFGH' };
  const integrations = { fathom, mixpanel: { projectToken: 'a' }, pirsch: { id: '<script>' } };
  const cloud = await settingsOf('cloud', { integrations });
  expect(cloud.features).toEqual({ analytics: { mode: 'providers', providers: { fathom } } });
  expect(cloud.text).not.toMatch(/mixpanel|<script>/);
  expect(cloud.scripts).toContain('providers');
  const hosted = await settingsOf('client-hosted', { integrations });
  expect(hosted.features).toEqual({ analytics: { mode: 'off', providers: { fathom } } });
  const airGapped = await settingsOf('air-gapped', { integrations });
  expect(airGapped.features).toBeNull();
  expect(airGapped.scripts).not.toContain('providers');
  expect(airGapped.scripts).toContain('consent');
});

test('the 404 page has the tabs of other pages, with their icons', async () => {
  const root = temporaryFolder();
  const tabs = ['book', 'code'].map((icon) => ({ tab: icon, icon, pages: [icon] }));
  writeFiles(root, {
    'docs.json': JSON.stringify({ name: 'A', navigation: { tabs } }),
    'book.md': '# Book',
    'code.md': '# Code',
  });
  const out = join(temporaryFolder(), 'site');
  await exportDocs({ source: root, out, deployment: 'client-hosted', vendor: false, cache: false, environment: {}, now: 0 });
  const iconsIn = (page: string) =>
    readFileSync(join(out, page), 'utf8')
      .match(/class="c-header-tabs[^]*?<\/nav>/)?.[0]
      .match(/<svg/g);
  expect(iconsIn('code/index.html')).toHaveLength(2);
  expect(iconsIn('404.html')).toEqual(iconsIn('code/index.html'));
});

test('settings are written beside those of docs.json', async () => {
  const fathom = { siteId: 'ABCDEFGH' };
  const settings: PageSettings = { features: { search: { enabled: false }, analytics: { mode: 'providers', consent: 'none' } } };
  const { features, text } = await settingsOf('client-hosted', { integrations: { fathom }, settings });
  expect(features).toEqual({ ...settings.features, analytics: { mode: 'providers', consent: 'none', providers: { fathom } } });
  // The server reads them too.
  expect(providerOrigins(text).scripts).toEqual(['https://cdn.usefathom.com']);
});

test.each<[Deployment, PageSettings, string]>([
  [
    'air-gapped',
    { features: { analytics: { mode: 'both' } } },
    'features.analytics.mode cannot be "both" in an air-gapped export',
  ],
  ['air-gapped', { features: { assistant: { url: 'https://8.8.8.8' } } }, 'features.assistant.url is "https://8.8.8.8"'],
  ['cloud', { deployment: 'air-gapped', features: {} }, 'deployment is "air-gapped", but the export is cloud'],
])('%s with the settings %j is refused', async (deployment, settings, message) => {
  await expect(settingsOf(deployment, { settings })).rejects.toMatchObject({
    code: 'SettingsNotPossible',
    message: expect.stringContaining(message),
  });
});

test('of the public folder of a project around the docs, an export has the files that its pages use', async () => {
  const root = temporaryFolder();
  const [docs, out, cache] = [join(root, 'content/docs'), join(root, 'site'), join(root, 'cache')];
  writeFiles(root, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'package.json': '{}',
    'public/img/used.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"></svg>',
    'public/img/linked.pdf': 'x',
    'public/img/other.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    'content/docs/index.md': '# Home\n\n![Used](/img/used.svg) [Paper](/img/linked.pdf)\n',
    'content/docs/more.md': '# More\n',
    'content/docs/own.txt': 'x',
  });
  const run = async (options: { out: string; cache: string | false }) => {
    const now = Date.now() + 1000;
    const { warnings } = await exportDocs({
      ...{ source: docs, deployment: 'client-hosted', vendor: false, environment: {}, now, ...options },
    });
    expect(warnings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    return filesOf(options.out);
  };
  const published = (files: Record<string, string>) => Object.keys(files).filter((path) => /^public|own/.test(path));
  const first = await run({ out, cache });
  expect(published(first)).toEqual(['own.txt', 'public/img/linked.pdf', 'public/img/used.svg']);
  expect(first['index.html']).toMatch(/<img[^>]* src="public\/img\/used\.svg"[^>]* width="40"/);
  expect(first['index.html']).toContain('href="public/img/linked.pdf"');

  appendFileSync(join(docs, 'more.md'), '\n![Other](/img/other.svg)\n');
  const second = await run({ out, cache });
  expect(published(second)).toEqual([...published(first), 'public/img/other.svg'].sort());
  expect(second).toEqual(await run({ out: join(temporaryFolder(), 'site'), cache: false }));
});
