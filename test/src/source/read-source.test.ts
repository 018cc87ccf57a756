import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSource } from '../../../src/source/read-source.ts';
import { largestPage, readTexts, SourceChanged, type OpenedTexts } from '../../../src/source/read-texts.ts';
import { buildSite } from '../../../src/site/build-site.ts';
import { expectLinear } from '../../support/linear.ts';
import { docsFolder } from './docs-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const config = { name: 'Docs', navigation: { pages: ['index'] } };

test('reads configuration, pages, snippets and assets of a folder', async () => {
  const source = await readSource(
    docsFolder({
      'docs.json': config,
      'index.mdx': '---\ntitle: Home\n---\nimport Note from "/parts/note.mdx"\n',
      'guides/setup.md': '# Setup\n',
      'snippets/tip.mdx': 'Tip',
      'parts/note.mdx': 'Note',
      'parts/button.jsx': 'export const A = () => null;',
      'images/a.png': 'x',
      'README.md': 'About this repository',
      'package.json': '{}',
      'node_modules/x/index.md': 'x',
    }),
  );
  expect(source.pages.map(({ path, file, kind }) => [path, file, kind])).toEqual([
    ['', 'index.mdx', 'mdx'],
    ['guides/setup', 'guides/setup.md', 'md'],
  ]);
  expect([...source.snippets.keys()]).toEqual(['parts/button.jsx', 'parts/note.mdx', 'snippets/tip.mdx']);
  expect(source.assets.map((asset) => asset.path)).toEqual(['images/a.png']);
  expect(source.pages[0]).toMatchObject({
    frontmatter: { title: 'Home' },
    bodyLine: 3,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(source.configFile).toBe('docs.json');
  expect(source.problems).toEqual([]);
});

test('files for agents are published unchanged, and of the rest of .mintlify only the server gets the instructions', async () => {
  const files = {
    'index.mdx': 'Home',
    'skill.md': '---\nname: docs\n---\nText',
    'guides/skill.md': 'A page',
    '.mintlify/Assistant.md': 'Be brief.',
    '.mintlify/skills/deploy/SKILL.md': 'Deploy',
    '.mintlify/skills/deploy/scripts/run.sh': 'run',
    '.mintlify/assistant/skills/a/skill.md': 'Private',
  };
  const { pages, assets, problems } = await readSource(docsFolder({ 'docs.json': config, ...files }));
  expect(pages.map(({ path }) => path)).toEqual(['', 'guides/skill']);
  expect(assets.map(({ path }) => path)).toEqual([
    '_carrel/assistant.md',
    'skill.md',
    '.well-known/agent-skills/deploy/SKILL.md',
    '.well-known/agent-skills/deploy/scripts/run.sh',
  ]);
  expect(problems).toEqual([]);
  const named = { name: 'Docs', navigation: { pages: ['index', 'skill'] } };
  const withPage = await readSource(docsFolder({ 'docs.json': named, ...files }));
  expect(withPage.pages.map(({ path }) => path)).toContain('skill');
  expect(withPage.assets.map(({ path }) => path)).not.toContain('skill.md');
});

test('reads the pages of a folder named "build" that the navigation lists, and the images of GitBook', async () => {
  const { pages, assets } = await readSource(
    docsFolder({
      'docs.json': { name: 'Docs', navigation: { groups: [{ group: 'Build', pages: ['build/start'] }] } },
      'build/start.mdx': 'x',
      'dist/index.md': 'x',
      '.gitbook/assets/a.png': 'x',
      '.gitbook/includes/part.md': 'x',
    }),
  );
  expect(pages.map(({ path }) => path)).toEqual(['build/start']);
  expect(assets.map(({ path, file }) => [path, file.endsWith('/.gitbook/assets/a.png')])).toEqual([
    ['gitbook/assets/a.png', true],
  ]);
});

test('names the HTML files that other generators would publish', async () => {
  const html = Array.from({ length: 7 }, (_, i) => [`website/static/demo/${i}.html`, '<p>x'] as const);
  const { problems, assets } = await readSource(
    docsFolder({ 'a.md': 'x', 'layouts/page.html': 'x', 'public/map.HTM': '<p>x', ...Object.fromEntries(html) }),
  );
  expect(problems.map(({ kind, message }) => `${kind} ${message}`)).toEqual([
    'html-file-not-exported HTML files of the folder "public" are not exported, because they could run scripts: public/map.HTM.',
    'html-file-not-exported HTML files of the folder "website/static" are not exported, because they could run scripts: ' +
      '0 1 2 3 4'.replace(/\d/g, 'website/static/demo/$&.html').replaceAll(' ', ', ') +
      ' and 2 more.',
  ]);
  expect(assets).toEqual([]);
});

test('a whole Astro project is reported, unless it has a docs.json', async () => {
  const project = { 'astro.config.mjs': 'export default {}', 'src/content/docs/index.md': '# Home' };
  const { problems } = await readSource(docsFolder(project));
  expect(problems).toMatchObject([{ kind: 'astro-project', severity: 'warning', page: 'astro.config.mjs' }]);
  const navigation = { pages: ['src/content/docs/index'] };
  const docs = { ...project, 'docs.json': JSON.stringify({ name: 'Docs', navigation }) };
  expect((await readSource(docsFolder(docs))).problems).toEqual([]);
});

test('finds snippets of the older folder under the newer name too', async () => {
  const files = {
    'docs.json': config,
    'index.mdx': 'x',
    '_snippets/old.mdx': 'old',
    '_snippets/both.mdx': 'old',
    'snippets/both.mdx': 'new',
  };
  const { snippets } = await readSource(docsFolder(files));
  expect([...snippets].map(([name, { body }]) => `${name} ${body}`)).toEqual([
    '_snippets/both.mdx old',
    '_snippets/old.mdx old',
    'snippets/both.mdx new',
    'snippets/old.mdx old',
  ]);
});

test('a page that is imported and in the navigation stays a page', async () => {
  const source = await readSource(
    docsFolder({
      'docs.json': { navigation: { pages: ['a', '/b.mdx'] } },
      'a.mdx': 'import B from "./b.mdx"\n\n<B />',
      'b.mdx': 'B',
    }),
  );
  expect(source.pages.map((page) => page.path)).toEqual(['a', 'b']);
  expect([...source.snippets.keys()]).toEqual(['b.mdx']);
});

test('reads mint.json when docs.json does not exist', async () => {
  const source = await readSource(
    docsFolder({ 'mint.json': { name: 'Old', navigation: [{ group: 'A', pages: ['a'] }] }, 'a.mdx': 'A' }),
  );
  expect(source.config?.navigation).toEqual({ groups: [{ group: 'A', pages: ['a'] }] });
  expect(source.configFile).toBe('mint.json');
});

test('takes pages of more than 64 levels of groups into the deepest group', async () => {
  let group: object = { group: 'Level 2000', root: 'b', pages: ['c'] };
  for (let level = 1999; level > 0; level--) group = { group: `Level ${level}`, pages: [group] };
  const source = await readSource(
    docsFolder({ 'docs.json': { navigation: { groups: [group] } }, 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' }),
  );
  expect(source.problems).toMatchObject([{ kind: 'navigation-too-deep', severity: 'warning', page: 'docs.json' }]);
  const text = JSON.stringify(source.config?.navigation);
  expect(text).toContain('{"group":"Level 64","pages":["b","c"]}');
  expect(text).not.toContain('Level 65');
});

test('takes README as the index of a folder without configuration', async () => {
  const source = await readSource(docsFolder({ 'README.md': '# Home', 'guides/readme.md': '# Guides' }));
  expect(source.config).toBeNull();
  expect(source.pages.map((page) => page.path)).toEqual(['', 'guides']);
});

test('excludes what .mintignore lists', async () => {
  const source = await readSource(
    docsFolder({ 'docs.json': config, '.mintignore': 'drafts/\n', 'index.mdx': 'x', 'drafts/a.mdx': 'x' }),
  );
  expect(source.pages.map((page) => page.path)).toEqual(['']);
});

describe('files of tools', () => {
  const files = {
    'index.md': '# Home',
    'claude.md': '# Claude, the model',
    'AGENTS.md': '# Instructions',
    'guides/CLAUDE.md': '# Instructions',
    'guides/review.prompt.md': 'Review this.',
    'llms.mdx': 'Template',
    'newsfragments/12.feature.md': 'A fragment.',
  };
  const excluded = ['AGENTS.md', 'guides/CLAUDE.md', 'guides/review.prompt.md', 'llms.mdx', 'newsfragments/12.feature.md'];

  test('are excluded, and each is reported with how to include it', async () => {
    const { pages, problems } = await readSource(docsFolder(files));
    expect(pages.map(({ file }) => file).sort()).toEqual(['claude.md', 'index.md']);
    const reported = problems.filter(({ kind }) => kind === 'tool-file-excluded');
    expect(reported.map(({ page, severity }) => [page, severity])).toEqual(excluded.map((file) => [file, 'note']));
    expect(reported[0]?.hint).toContain('"!AGENTS.md" to .mintignore');
  });

  test('are pages where the navigation or .mintignore names them', async () => {
    const navigation = { pages: ['index', 'AGENTS', 'guides/review.prompt.md'] };
    const named = await readSource(docsFolder({ ...files, 'docs.json': { name: 'Docs', navigation } }));
    expect(named.pages.map(({ file }) => file).sort()).toEqual(['AGENTS.md', 'claude.md', 'guides/review.prompt.md', 'index.md']);
    const unignored = await readSource(docsFolder({ ...files, '.mintignore': '!guides/CLAUDE.md\n!newsfragments/**\n' }));
    expect(unignored.pages.map(({ file }) => file).sort()).toEqual([
      'claude.md',
      'guides/CLAUDE.md',
      'index.md',
      'newsfragments/12.feature.md',
    ]);
  });
});

test.each<[string, Record<string, string | object> | null, string]>([
  ['a missing folder', null, 'FolderNotFound'],
  ['an empty folder', {}, 'FolderEmpty'],
  ['a folder without any page', { 'docs.json': config, 'logo.svg': '<svg/>' }, 'NoPages'],
  ['a configuration that is no JSON', { 'docs.json': '{', 'index.md': 'x' }, 'ConfigNotJson'],
  ['a configuration that is a list', { 'docs.json': '[]', 'index.md': 'x' }, 'ConfigNotObject'],
  ['a $ref in a circle', { 'docs.json': { $ref: 'a.json' }, 'a.json': { $ref: 'docs.json' }, 'index.md': 'x' }, 'ReferenceCycle'],
  ['a $ref that leaves the folder', { 'docs.json': { $ref: '../a.json' }, 'index.md': 'x' }, 'ReferenceOutside'],
])('refuses %s with a message and a hint', async (_, files, code) => {
  const folder = files ? docsFolder(files) : '/no/such/folder';
  await expect(readSource(folder)).rejects.toMatchObject({ name: 'ExportError', code, hint: expect.any(String) });
});

test('refuses a file instead of a folder', async () => {
  const folder = docsFolder({ 'a.md': 'x' });
  await expect(readSource(join(folder, 'a.md'))).rejects.toThrow('is a file, not a folder');
});

test.each([
  [['a.md', 'a.mdx'], 'a.mdx'],
  [['a/index.mdx', 'a.md'], 'a.md'],
  [['a/index.md', 'a/index.mdx'], 'a/index.mdx'],
  [['caf\u00e9.md', 'cafe\u0301.md'], 'cafe\u0301.md'],
])('shows the first of %j, which have one URL, and reports the other', async (files, winner) => {
  const source = await readSource(docsFolder({ 'docs.json': config, ...Object.fromEntries(files.map((file) => [file, file])) }));
  expect(source.pages.map((page) => page.file)).toEqual([winner]);
  expect(source.problems).toEqual([
    expect.objectContaining({
      kind: 'page-address-taken',
      page: files.find((file) => file !== winner),
      message: expect.stringContaining(winner),
    }),
  ]);
});

test('prefers an index to a README in a folder without configuration', async () => {
  const source = await readSource(docsFolder({ 'README.md': 'x', 'index.md': 'x' }));
  expect(source.pages.map((page) => page.file)).toEqual(['index.md']);
});

test('reports two pages whose paths differ only in case, and keeps both', async () => {
  const source = await readSource(docsFolder({ 'Setup.md': 'x', 'setup.md': 'x' }));
  expect(source.pages.map((page) => page.path)).toEqual(['Setup', 'setup']);
  expect(source.problems.map((problem) => problem.kind)).toEqual(['page-addresses-differ-by-case']);
});

test('keeps file names verbatim, in composed form', async () => {
  const names = ['with space.md', 'hash#tag.md', '100%.md', 'what?.md', 'con.md', 'cafe\u0301.md', '入门.md', 'a.b.md'];
  const source = await readSource(docsFolder(Object.fromEntries(names.map((name) => [name, 'x']))));
  expect(source.pages.map((page) => page.path)).toEqual([
    '100%',
    'a.b',
    'caf\u00e9',
    'con',
    'hash#tag',
    'what?',
    'with space',
    '入门',
  ]);
});

test('shows a page that is not UTF-8 with the line of the first wrong byte', async () => {
  const source = await readSource(docsFolder({ 'a.md': Buffer.from('# A\n\ncaf\xe9\n', 'latin1') }));
  expect(source.pages[0]!.body).toBe('# A\n\ncaf\uFFFD\n');
  expect(source.problems).toEqual([expect.objectContaining({ kind: 'page-not-utf8', page: 'a.md', line: 3 })]);
});

test('reads a page in UTF-16 and reports it', async () => {
  const source = await readSource(docsFolder({ 'a.md': Buffer.from('\uFEFF# Ä\n', 'utf16le') }));
  expect(source.pages[0]!.body).toBe('# Ä\n');
  expect(source.problems[0]!.message).toContain('UTF-16LE');
});

test('skips a page of 20 MB and reports it', async () => {
  const folder = docsFolder({ 'a.md': 'x' });
  writeFileSync(join(folder, 'big.md'), 'x '.repeat(10 * 1024 * 1024));
  const source = await readSource(folder);
  expect(largestPage).toBe(5 * 1024 * 1024);
  expect(source.pages.map((page) => page.path)).toEqual(['a']);
  expect(source.problems[0]).toMatchObject({
    kind: 'page-too-large',
    page: 'big.md',
    message: expect.stringContaining('20.0 MB'),
  });
});

test.each(['`', '~'])('the time to read a long line of %s grows with its length', (sign) => {
  const folder = docsFolder({ 'a.md': 'x' });
  expectLinear(16_000, (size) => {
    writeFileSync(join(folder, 'a.md'), sign.repeat(size));
    expect(readTexts(folder, ['a.md'], [])[0]!.body()).toHaveLength(size);
  });
});

test('keeps the texts of a small folder, and reads the others of a large one again', async () => {
  const text = `# Title\n\n${'A line of text.\n'.repeat(320_000)}`;
  const names = Array.from({ length: 15 }, (_, index) => `page-${String(index).padStart(2, '0')}.md`);
  const folder = docsFolder(Object.fromEntries(names.map((name) => [name, text])));
  const { pages } = await readSource(folder, { cache: { get: () => undefined, set: () => undefined } });
  expect(pages.map(({ body }) => body === text)).toEqual(names.map(() => true));
  for (const name of names) writeFileSync(join(folder, name), '# Changed\n');
  expect(pages[0]!.body).toBe(text);
  expect(() => pages.at(-1)!.body).toThrow(SourceChanged);
});

test('of a folder that is opened again, only the files are read that changed or include one that did, or are not saved', () => {
  const folder = docsFolder({ 'a.md': 'Text.\n', 'b.md': '--8<-- "part.txt"\n', 'part.txt': 'Old.\n' });
  for (const name of ['a.md', 'b.md', 'part.txt']) utimesSync(join(folder, name), 1000, 1000);
  const openedTexts: OpenedTexts = new Map();
  const read = (unsaved?: ReadonlyMap<string, string>) =>
    readTexts(folder, ['a.md', 'b.md'], [], { openedTexts, unsaved, now: Date.now() + 1000 });
  const first = read();
  expect(read().map((text, index) => text === first[index])).toEqual([true, true]);
  writeFileSync(join(folder, 'part.txt'), 'New text.\n');
  const next = read();
  expect([next[0] === first[0], next[1]!.body()]).toEqual([true, expect.stringContaining('New text.')]);
  expect(read(new Map([['a.md', 'Typed.']]))[0]!.body()).toBe('Typed.');
  expect(read()[0]!.body()).toBe('Text.\n');
});

test('a body that is not read until it is needed is the same, and read once', async () => {
  const folder = docsFolder({
    'yaml.md': '---\ntitle: "A: b"\ntags: [one, { two: 3 }]\n---\n\nText.\n',
    'windows.md': '\uFEFF---\r\ntitle: A\r\n---\r\nText.\r\n',
    'toml.md': '+++\ntitle = "A"\n+++\nText.\n',
    'faulty.md': '---\ntitle: a: b\n---\nText.\n',
    'bare.md': '---\ntitle: A\n---',
    'open.md': '---\ntitle: A\n\nText.\n',
    'dialect.md': '---\nlayout: home\ntitle: A\n---\n::: tip\nText.\n:::\n\n!!! note\n    Text.\n',
  });
  const values = new Map<string, string>();
  const cache = { get: (key: string) => values.get(key), set: (key: string, value: string) => void values.set(key, value) };
  const read = async () => (await readSource(folder, { cache, now: Date.now() + 5000 })).pages;
  const bodies = (pages: { body: string }[]) => pages.map(({ body }) => body);
  const before = bodies(await read());
  const pages = await read();
  expect(bodies(pages)).toEqual(before);
  for (const { file } of pages) writeFileSync(join(folder, file), 'changed');
  expect(bodies(pages)).toEqual(before);
});

test('follows symbolic links inside the folder only, and never in circles', async () => {
  const outside = docsFolder({ 'secret.md': 'secret' });
  const folder = docsFolder({ 'a.md': 'x', 'shared/s.md': 'x', 'v2/b.md': 'x' });
  symlinkSync(join(outside, 'secret.md'), join(folder, 'secret.md'));
  symlinkSync(outside, join(folder, 'outside'));
  symlinkSync('shared', join(folder, 'linked'));
  symlinkSync('../a.md', join(folder, 'v2/a.md'));
  symlinkSync('gone.md', join(folder, 'gone-link.md'));
  symlinkSync('..', join(folder, 'v2/up'));
  mkdirSync(join(folder, 'one'));
  mkdirSync(join(folder, 'two'));
  symlinkSync('../two', join(folder, 'one/two'));
  symlinkSync('../one', join(folder, 'two/one'));
  const source = await readSource(folder);
  expect(source.pages.map((page) => page.path)).toEqual(['a', 'linked/s', 'shared/s', 'v2/a', 'v2/b']);
  expect(source.problems.map(({ kind, page }) => `${kind} ${page}`).sort()).toEqual([
    'symlink-broken gone-link.md',
    'symlink-loop one/two/one/two',
    'symlink-loop two/one/two/one',
    'symlink-loop v2/up',
    'symlink-outside-folder outside',
    'symlink-outside-folder secret.md',
  ]);
});

test('publishes nothing of the git repository that the docs are in', async () => {
  const files = { 'docs.json': '{"navigation":["a"]}', 'a.md': 'x\n\n--8<-- ".git/config"\n', '.git/config': 'token' };
  const folder = docsFolder(files);
  mkdirSync(join(folder, '.mintlify'));
  symlinkSync('../.git', join(folder, '.mintlify/skills'));
  symlinkSync('../.git/config', join(folder, '.mintlify/Assistant.md'));
  symlinkSync('.git/config', join(folder, 'skill.md'));
  symlinkSync('.git/config', join(folder, 'page.md'));
  const source = await readSource(folder);
  expect(source.pages.map(({ path }) => path)).toEqual(['a']);
  expect(source.pages[0]!.body).toMatch(/^x/);
  expect(source.pages[0]!.body).not.toContain('token');
  expect(source.assets).toEqual([]);
});

test('reports files whose names are not UTF-8', async () => {
  const folder = docsFolder({ 'a.md': 'x' });
  for (const name of ['b\xff.md', 'c\xff.png'])
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]), 'x');
  const source = await readSource(folder);
  expect(source.pages.map((page) => page.path)).toEqual(['a']);
  expect(source.problems.map((problem) => problem.kind)).toEqual(['file-not-readable', 'file-not-readable']);
});

test('skips and reports files that would replace those of the export itself', async () => {
  const source = await readSource(
    docsFolder({ 'a.md': 'x', '_carrel/reader.0123456789.js': 'x', '_Carrel/a.css': 'x', 'carrel.js': 'x' }),
  );
  expect(source.assets.map((asset) => asset.path)).toEqual(['carrel.js']);
  expect(source.problems).toMatchObject([
    { kind: 'file-name-reserved', page: '_Carrel/a.css' },
    { kind: 'file-name-reserved', page: '_carrel/reader.0123456789.js' },
  ]);
});

test('never waits for a pipe', async () => {
  const folder = docsFolder({ 'a.md': 'x' });
  execFileSync('mkfifo', [join(folder, 'pipe.md')]);
  symlinkSync('pipe.md', join(folder, 'link.md'));
  const source = await readSource(folder);
  expect(source.pages.map((page) => page.path)).toEqual(['a']);
});

test('refuses a configuration that is a link out of the folder', async () => {
  const outside = docsFolder({ 'docs.json': config });
  const folder = docsFolder({ 'index.md': 'x' });
  symlinkSync(join(outside, 'docs.json'), join(folder, 'docs.json'));
  await expect(readSource(folder)).rejects.toMatchObject({ code: 'ConfigOutside' });
});

test('reads the same folder with the same result at any path', async () => {
  const files = { 'docs.json': config, 'b.md': 'x', 'a.md': 'x', 'index.md': 'x', 'images/z.png': 'x', 'images/a.png': 'x' };
  const [one, two] = await Promise.all([readSource(docsFolder(files)), readSource(docsFolder(files))]);
  const placeless = (source: typeof one) => ({
    ...source,
    root: '',
    positions: undefined,
    assets: source.assets.map(({ path, size }) => ({ path, size })),
  });
  expect(placeless(one)).toEqual(placeless(two));
});

describe('a configuration below the folder', () => {
  const config = { $schema: 'https://mintlify.com/docs.json', name: 'Docs', navigation: { pages: ['index'] } };

  test.each(['docs.json', 'mint.json'])('is reported with what to type: %s', async (name) => {
    const { problems, config: own } = await readSource(
      docsFolder({ 'README.md': '# Tool', [`docs/${name}`]: config, 'docs/index.mdx': 'x' }),
    );
    expect(own).toBeNull();
    expect(problems.map(({ kind, severity, page, message }) => ({ kind, severity, page, message }))).toEqual([
      {
        kind: 'config-in-subfolder',
        severity: 'warning',
        page: `docs/${name}`,
        message: `Found docs/${name}, but the exported folder does not have a docs.json itself, so it is read as plain Markdown.`,
      },
    ]);
    expect(problems[0]!.hint).toMatch(/^Did you mean: carrel export \S*\/docs\?$/);
  });

  test.each([
    ['a site has its own', { 'docs.json': config, 'index.mdx': 'x', 'inner/docs.json': config }],
    ['it is data', { 'index.md': 'x', 'data/docs.json': [1, 2], 'more/docs.json': { name: 'Docs' } }],
    ['it is ignored', { 'index.md': 'x', 'node_modules/tool/docs.json': config }],
  ])('is not reported where %s', async (_, files) => {
    expect((await readSource(docsFolder(files))).problems).toEqual([]);
  });
});

test.each(['index.md', 'Index.md', 'INDEX.MD', 'README.md', 'Readme.md'])(
  '%s is the page of its folder where there is no configuration',
  async (name) => {
    const { pages } = await readSource(docsFolder({ [name]: '# Home', [`guide/${name}`]: '# Guide' }));
    expect(pages.map(({ path }) => path)).toEqual(['', 'guide']);
  },
);

test('a page with syntax of another generator has its title and body in ours, and its problems have lines of the file', async () => {
  const { pages, problems } = await readSource(
    docsFolder({ 'index.md': '---\nweight: 1\n---\n# {{% heading "whatsnext" %}}\n\n{{< shiny >}}Text.{{< /shiny >}}\n' }),
  );
  expect(pages[0]?.heading?.text).toBe("What's next");
  expect(pages[0]?.body).toBe("# What's next\n\nText.\n");
  expect(problems).toMatchObject([{ kind: 'unknown-syntax', page: 'index.md', line: 6 }]);
});

test('a page changes with the files that it includes, which are not pages if they are partials', async () => {
  const files = {
    'index.md': '--8<-- "_parts/a.md"\n',
    'other.md': '{% include a.md %}\n',
    '_parts/a.md': 'One',
    '_includes/a.md': 'Three',
  };
  const root = docsFolder(files);
  const stored = new Map<string, string>();
  const cache = { get: (key: string) => stored.get(key), set: (key: string, value: string) => void stored.set(key, value) };
  const now = Date.now() + 60_000;
  const first = await readSource(root, { cache, now });
  expect(first.pages.map(({ file, body }) => [file, body])).toEqual([
    ['index.md', 'One\n'],
    ['other.md', '\nThree\n\n'],
  ]);
  writeFileSync(join(root, '_parts/a.md'), 'Two');
  const second = await readSource(root, { cache, now });
  expect(second.pages[0]?.body).toBe('Two\n');
  expect(second.pages[0]?.digest).not.toBe(first.pages[0]?.digest);
  expect(second.pages[1]?.digest).toBe(first.pages[1]?.digest);
});

test('an include of DocFX is read from a folder above the page', async () => {
  const { pages, problems } = await readSource(
    docsFolder({ 'product/core/a.md': '[!INCLUDE [x](~/core/includes/x.md)]\n', 'product/core/includes/x.md': 'Text of x.\n' }),
  );
  expect(pages.map(({ path, body }) => [path, body.trim()])).toEqual([['product/core/a', 'Text of x.']]);
  expect(problems).toEqual([]);
});

test('an include never reads outside the docs folder', async () => {
  const root = docsFolder({ 'docs/index.md': '--8<-- "../secret.md"\n\n{% include link.md %}\n', 'secret.md': 'secret' });
  symlinkSync(join(root, 'secret.md'), join(root, 'docs/link.md'));
  const { pages, problems } = await readSource(join(root, 'docs'));
  expect(pages[0]?.body).toBe('`../secret.md`\n\n`link.md`\n');
  expect(problems.filter(({ kind }) => kind === 'snippet-outside-folder').map(({ line }) => line)).toEqual([1, 3]);
});

describe('with roots of includes', () => {
  const project = (files: Record<string, string>) =>
    docsFolder({
      'docs/index.md': '# Home',
      'code/a.py': 'print()',
      'other/b.md': 'Text of b.',
      'secret.md': 'secret',
      ...files,
    });
  const shown = async (files: Record<string, string>, page: string, includeRoots: string[] = [], docs = 'docs') => {
    const root = project({ [`${docs}/guides/x.md`]: page, ...files });
    writeFiles(root, { '.git/config': 'password' });
    symlinkSync(join(root, 'secret.md'), join(root, 'code/link.md'));
    const { pages, problems } = await readSource(join(root, docs), { includeRoots: includeRoots.map((one) => join(root, one)) });
    const kinds = problems.flatMap(({ kind }) => (kind.startsWith('snippet') ? [kind] : []));
    return [pages.find(({ file }) => file === 'guides/x.md')?.body.trim(), ...kinds];
  };
  const code = '```py\nprint()\n```';
  const snippets = (path: string) => ({
    'mkdocs.yml': `markdown_extensions:\n  - pymdownx.snippets:\n      base_path: ${path}\n`,
  });

  test.each([
    ['a path from the root', '{* a.py *}', ['code']],
    ['a path from the folder of the configuration', '{* code/a.py *}', ['code']],
    ['a path from the page', '{* ../../code/a.py *}', ['code']],
    ['a path from a folder further down', '{* ../../../code/a.py *}', ['.']],
  ])('%s is read', async (_, page, roots) => {
    expect(await shown({}, page, roots)).toEqual([code]);
  });

  test('an included file can include others of its root', async () => {
    expect(await shown({ 'code/c.md': '--8<-- "d.md"', 'code/d.md': 'Text of d.' }, '{! c.md !}', ['code'])).toEqual([
      'Text of d.',
    ]);
  });

  test.each([
    ['beside the root', '--8<-- "../secret.md"', ['code']],
    ['that a link leads to', '--8<-- "link.md"', ['code']],
    ['of git', '--8<-- "../../.git/config"', ['.']],
    ['in a root that is not named', '--8<-- "../../other/b.md"', ['code']],
  ])('a file %s is not read', async (_, page, roots) => {
    expect(await shown({}, page, roots)).toEqual([`\`${page.slice(8, -1)}\``, 'snippet-outside-folder']);
  });

  test.each([
    ['base_path', snippets('[docs, other]'), '--8<-- "b.md"', 'Text of b.'],
    [
      'base_path of a mapping',
      { 'mkdocs.yml': 'markdown_extensions:\n  mdx_include:\n    base_path: other\n' },
      '{! b.md !}',
      'Text of b.',
    ],
    [
      'the folder of mkdocs.yml without base_path',
      { 'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.snippets\n' },
      '{* code/a.py *}',
      code,
    ],
  ])('are those of mkdocs.yml: %s', async (_, files, page, body) => {
    expect(await shown(files, page)).toEqual([body]);
  });

  test.each([
    ['is outside the repository', snippets('../'), '--8<-- "../secret.md"'],
    ['is the data of git', snippets('.git'), '--8<-- "config"'],
    ['belongs to other docs', { 'mkdocs.yml': `docs_dir: other\n${snippets('code')['mkdocs.yml']}` }, '--8<-- "a.py"'],
  ])('are not those of a mkdocs.yml whose base_path %s', async (_, files, page) => {
    expect(await shown(files, page)).toHaveLength(2);
  });

  test('that do not exist are an error', async () => {
    await expect(shown({}, '# X', ['none'])).rejects.toThrow(/The folder ".*none" of --include-root does not exist/);
  });
});

test('a page whose include was missing is read again', async () => {
  const root = docsFolder({ 'index.md': '--8<-- "a.md"\n' });
  const stored = new Map<string, string>();
  const cache = { get: (key: string) => stored.get(key), set: (key: string, value: string) => void stored.set(key, value) };
  const now = Date.now() + 60_000;
  await readSource(root, { cache, now });
  writeFileSync(join(root, 'a.md'), 'Here.');
  const { pages } = await readSource(root, { cache, now });
  expect(pages.find(({ file }) => file === 'index.md')?.body).toBe('Here.\n');
});

test('rewrites give pages other paths than their files, which the navigation names', async () => {
  const files = {
    'GettingStarted.md': '# Start',
    'use/01-load.mdx': '# Load',
    'use/index.md': '# Use',
    'home.md': '# Home',
    'other.md': '# Other',
  };
  const rewrites = { GettingStarted: '/getting-started', '/use/01-load.mdx': 'use/load/', home: '/', other: 'use/index' };
  const navigation = { pages: ['home', 'GettingStarted', 'use/01-load', 'use/index'] };
  const source = await readSource(docsFolder({ ...files, 'docs.json': { name: 'x', navigation, rewrites } }));
  expect(source.pages.map(({ path, file }) => `${path} ${file}`)).toEqual([
    ' home.md',
    'getting-started GettingStarted.md',
    'use other.md',
    'use/load use/01-load.mdx',
  ]);
  expect(source.problems.map(({ kind, page }) => `${kind} ${page}`)).toEqual(['page-address-taken use/index.md']);
  const site = buildSite(source);
  expect([...site.contexts.values()].map(({ sidebar }) => sidebar.map((node) => node.href))).toEqual([
    ['/', '/getting-started', '/use/load', '/use'],
  ]);
});

test.each(['../up', '/_carrel/x', 'a b?c', '.git/x', 'https://example.com'])(
  '%j is not a path that a page can have',
  async (path) => {
    const config = { name: 'x', navigation: { pages: ['a'] }, rewrites: { a: path } };
    const { pages, problems } = await readSource(docsFolder({ 'a.md': '# A', 'docs.json': config }));
    expect([pages[0]?.path, problems.length]).toEqual(['a', 1]);
  },
);

test("pages of Jekyll have their permalink, and those of a collection the collection's path", async () => {
  const files = {
    '_docs/setup.md': '# Setup',
    '_docs/old.md': '---\npermalink: /docs/new/\n---\n',
    '_docs/home.md': '---\npermalink: /\n---\n',
    '_docs/up.md': '---\npermalink: /../../up/\n---\n',
    '_docs/script.md': '---\npermalink: /_carrel/x/\n---\n',
    '_docs/dated.md': '---\npermalink: /:year/:title\n---\n',
    '_posts/2026-01-01-new.md': '# New',
  };
  const { pages } = await readSource(docsFolder({ ...files, '_config.yml': 'title: x\n' }));
  expect(pages.map(({ path, file }) => `${path} ${file}`)).toEqual([
    ' _docs/home.md',
    '_posts/2026-01-01-new _posts/2026-01-01-new.md',
    'docs/dated _docs/dated.md',
    'docs/new _docs/old.md',
    'docs/script _docs/script.md',
    'docs/setup _docs/setup.md',
    'docs/up _docs/up.md',
  ]);
  const plain = await readSource(docsFolder(files));
  expect(plain.pages.map(({ path }) => path)).toContain('_docs/setup');
});

test("Hugo's _index is the page of its folder", async () => {
  const { pages } = await readSource(docsFolder({ '_index.md': '# Home', 'guides/_index.md': '# Guides' }));
  expect(pages.map(({ path }) => path)).toEqual(['', 'guides']);
});
