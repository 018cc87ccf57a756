import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readExportMessage, type ExportMessage } from '../../../integration/export-messages.ts';
import type { ExportReport } from '../../../integration/export/export-site.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { carrel, startCarrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

function docs(files: Record<string, string>): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'docs'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, 'docs', path), text);
  return root;
}

const home = { 'index.md': '# Home\n\nSome words.\n' };
const dead = { 'index.md': '# Home\n\n[Nowhere](/nowhere)\n' };
const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, n) => [
    `page-${n}.md`,
    `# Page ${n}\n\n\`\`\`js\nconst page = ${n};\n\`\`\`\n\n${'Words of the page. '.repeat(60)}\n`,
  ]),
);

/** As many as a cache of 64 KB cannot hold. */
const hundred = Object.fromEntries(Object.entries(many).slice(-100));

const twenty = Object.fromEntries(Object.entries(many).slice(-20));

const exportDocs = ['export', 'docs', '--out', 'site', '--cache', 'off'];

test('only the Markdown, for programs: they find and read the pages, and the next export is whole again', async () => {
  const cwd = docs({ ...home, 'heron.md': '# Herons\n\nA heron waits for fish. ![A heron](heron.svg)\n', 'heron.svg': '<svg/>' });
  const only = ['export', 'docs', '--out', 'site', '--cache', 'cache', '--only', 'markdown'];
  expect(await carrel(only, { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('Use it:    carrel mcp site\n') });
  const names = Object.keys(filesOf(join(cwd, 'site')));
  expect(names.filter((name) => !name.startsWith('_carrel/search/')).sort()).toEqual([
    'carrel.config.js',
    'carrel.json',
    'heron.md',
    'index.md',
    'llms.txt',
  ]);
  expect(names.length).toBeGreaterThan(7);
  expect((await carrel(['verify', 'site'], { cwd })).code).toBe(0);
  const { stdout } = await carrel(['ask', 'What does a heron wait for?', '--site', 'site'], { cwd });
  expect(stdout).toContain('A heron waits for fish.');
  expect(stdout).toContain('/site/heron.md');
  expect((await carrel(only.slice(0, -2), { cwd })).code).toBe(0);
  const whole = filesOf(join(cwd, 'site'));
  expect((await carrel(['export', 'docs', '--out', 'site2', '--cache', 'off'], { cwd })).code).toBe(0);
  expect(whole).toEqual(filesOf(join(cwd, 'site2')));
  expect((await carrel([...only, '--no-markdown'], { cwd })).code).toBe(2);
});

describe('exit codes', () => {
  test.each<[string, Record<string, string>, string[], number]>([
    ['a clean export ends with 0', home, [], 0],
    ['warnings alone end with 0', dead, [], 0],
    ['warnings end with 3 under --strict', dead, ['--strict'], 3],
    ['a clean export ends with 0 under --strict', home, ['--strict'], 0],
    ['an export that cannot be ends with 1', { 'docs.json': '{', ...home }, ['--strict'], 1],
  ])('%s', async (_, files, args, code) => {
    const root = docs(files);
    expect((await carrel([...exportDocs, ...args], { cwd: root })).code).toBe(code);
    expect(readdirSync(root).sort()).toEqual(code === 1 ? ['docs'] : ['docs', 'site']);
  });
});

describe('a cache never fails an export', () => {
  test('two concurrent exports share one that does not exist yet', async () => {
    const root = docs(twenty);
    const args = (out: string) => ['export', 'docs', '--out', out, '--cache', 'cache', '--report', `${out}.json`];
    const runs = await Promise.all(['one', 'two'].map((out) => carrel(args(out), { cwd: root })));
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(Array(2).fill([0, expect.not.stringContaining('locked')]));
    expect(filesOf(join(root, 'one'))).toEqual(filesOf(join(root, 'two')));
    expect(Object.keys(filesOf(join(root, 'one')))).toContain('page-399/index.html');
    expect(existsSync(join(root, 'two.json'))).toBe(true);
  });

  test.each<[string, string, (root: string) => void]>([
    ['a file where its folder should be', 'was not fully used', (root) => writeFileSync(join(root, 'cache'), '')],
    [
      'one that a newer Carrel wrote',
      'was not fully used',
      (root) => {
        mkdirSync(join(root, 'cache'));
        new DatabaseSync(join(root, 'cache/pages.sqlite')).exec('CREATE TABLE entry (id, text)');
      },
    ],
    ['a read-only folder', 'was not fully used', (root) => mkdirSync(join(root, 'cache'))],
    ['a full disk', 'was not fully used', (root) => mkdirSync(join(root, 'cache'))],
  ])('%s', async (name, message, prepare) => {
    const root = docs({ ...(name === 'a full disk' ? hundred : {}), ...home });
    prepare(root);
    const args = ['export', 'docs', '--out', 'site', '--cache', 'cache', '--report', 'report.json'];
    const mount = { 'a read-only folder': 'ro', 'a full disk': 'size=64k' }[name];
    const { code, stderr } = mount
      ? // Where nothing may be mounted, a folder that takes no files is as good.
        await startCarrel(args, { cwd: root }, [
          'unshare',
          '-rm',
          'sh',
          '-c',
          `mount -t tmpfs -o ${mount} none cache || chmod 555 cache; exec "$@"`,
          'sh',
        ]).ended
      : await carrel(args, { cwd: root });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    const { pages, warnings } = JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')) as ExportReport;
    expect([pages, warnings]).toEqual([
      name === 'a full disk' ? 101 : 1,
      [{ kind: 'cache-not-used', severity: 'note', message: expect.stringContaining(message), hint: expect.any(String) }],
    ]);
    expect(filesOf(join(root, 'site'))['index.html']).toContain('Some words.');
  });
});

test('the report lists results and issues; the folders of the report and of the zip are created', async () => {
  const root = docs(dead);
  const { code, stdout } = await carrel([...exportDocs, '--zip', 'out/a/site.zip', '--report', 'out/b/report.json'], {
    cwd: root,
  });
  expect(code).toBe(0);
  expect(stdout).toContain('link-without-target');
  expect(stdout).toContain('index.html');
  expect(readdirSync(join(root, 'out/a'))).toEqual(['site.zip']);
  const report = JSON.parse(readFileSync(join(root, 'out/b/report.json'), 'utf8')) as Record<string, unknown>;
  expect(report).toMatchObject({
    pages: 1,
    sections: expect.any(Number),
    files: expect.any(Number),
    bytes: expect.any(Number),
    seconds: { read: expect.any(Number), render: expect.any(Number), index: expect.any(Number), write: expect.any(Number) },
    warnings: [{ kind: 'link-without-target', severity: 'warning', page: 'index.md', line: 3, hint: expect.any(String) }],
    redirects: 0,
    navigation: { listed: 1, exported: 1, links: 0, missing: [] },
  });
  expect((await carrel(['verify', 'out/a/site.zip'], { cwd: root })).code).toBe(0);
  expect((await carrel(['verify', 'site'], { cwd: root })).code).toBe(0);
});

test('a book is written beside the export, or not at all', async () => {
  const root = docs(home);
  writeFiles(root, { 'built/index.html': '<!doctype html><title>Home</title><main>Some words.</main>' });
  // A book needs no folder for temporary files; what a killed export left beside it is removed.
  const env = { ...process.env, TMPDIR: join(root, 'none') };
  mkdirSync(join(root, 'books/.docs.epub.files.carrel-new-2147483646'), { recursive: true });
  symlinkSync(root, join(root, 'link'));
  const run = (...options: string[]) => carrel([...exportDocs, '--cache', 'off', ...options], { cwd: root, env });
  expect(await run('--epub', 'books/docs.epub')).toMatchObject({ code: 0, stdout: expect.stringContaining('books/docs.epub\n') });
  expect(readdirSync(join(root, 'books'))).toEqual(['docs.epub']);
  for (const [options, message] of [
    [['--epub', 'docs/a.epub'], 'The archive "'],
    [['--epub', 'a.epub', '--zip', 'link/a.epub'], '--zip and --epub name the same file.'],
    [['--pdf', 'docs/a.pdf', '--browser', process.execPath], 'The archive "'],
    [['--epub', 'a.pdf', '--pdf', 'link/a.pdf'], '--epub and --pdf name the same file.'],
    [['--pdf', 'a.pdf', '--only', 'markdown'], '--only markdown and --pdf exclude each other.'],
    [['--pdf', 'a.pdf', '--browser', 'no-such'], 'There is no browser "no-such", which --pdf needs.'],
    [['--epub', 'a.epub', '--report', 'a.epub'], 'The report and the archive are both "a.epub".'],
    [['--epub', 'a.epub', '--only', 'markdown'], '--only markdown and --epub exclude each other.'],
  ] as const)
    expect((await run(...options)).stderr).toContain(message);
  const { stderr } = await carrel(['export', 'built', '--epub', 'a.epub', '--paper', 'a4'], { cwd: root });
  expect(stderr).toContain('"built" is a folder of HTML, but --epub, --paper only apply to docs folders.');
  expect(readdirSync(root).sort()).toEqual(['books', 'built', 'docs', 'link', 'site']);
});

/** As a server starts an export, which ends with it. */
const startWatched = (root: string, ...args: string[]) =>
  startCarrel([...exportDocs, ...args, '--stop-at-stdin-end', '--progress-fd', '3'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });

test('progress is sent as JSON lines on the descriptor, counted from finished work, then the issues and the report', async () => {
  const { child, ended } = startWatched(docs(dead), '--zip', 'site.zip');
  const messages = messagesOf(child);
  // Its standard input is still open.
  expect((await ended).code).toBe(0);
  const progress = (await messages).flatMap((message) => (message.type === 'progress' ? [message] : []));
  expect([...new Set(progress.map(({ stage }) => stage))]).toEqual(['read', 'render', 'index', 'write', 'archive']);
  expect(progress.filter(({ done, total }) => done > total)).toEqual([]);
  expect((await messages).slice(progress.length)).toEqual([
    {
      type: 'problem',
      kind: 'link-without-target',
      severity: 'warning',
      page: 'index.md',
      line: 3,
      column: 11,
      message: expect.any(String),
      hint: expect.any(String),
    },
    expect.objectContaining({
      type: 'report',
      version: expect.any(String),
      pages: 1,
      navigation: { listed: 1, exported: 1, links: 0, missing: [] },
    }),
  ]);
  expect((await messages).at(-1)).not.toHaveProperty('warnings');
});

test('an error is the last JSON line on the descriptor', async () => {
  const root = docs({ 'docs.json': '{ "name": ' });
  const { child, ended } = startCarrel([...exportDocs, '--progress-fd', '3'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const messages = messagesOf(child);
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('Error (ConfigNotJson)')]);
  expect((await messages).at(-1)).toEqual({
    type: 'error',
    code: 'ConfigNotJson',
    message: expect.stringContaining('docs.json'),
    hint: expect.any(String),
  });
});

/** All that a program says on descriptor 3. */
async function messagesOf(child: ChildProcess): Promise<ExportMessage[]> {
  const messages: ExportMessage[] = [];
  for await (const line of createInterface(child.stdio[3] as Readable)) messages.push(readExportMessage(line)!);
  return messages;
}

test('a listener that disconnects loses the progress, not the export', async () => {
  const root = docs(twenty);
  const { child, ended } = startCarrel([...exportDocs, '--progress-fd', '3'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const progress = child.stdio[3] as Readable;
  await once(progress, 'data');
  progress.destroy();
  expect((await ended).code).toBe(0);
});

/** Ends when the first page is rendered. */
async function untilRendering(progress: Readable): Promise<void> {
  for await (const line of createInterface(progress)) if (line.includes('"render"')) return;
}

describe('an interrupted export', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('by %s: the previous export stays, and no other files', async (signal) => {
    const root = docs(home);
    await carrel([...exportDocs, '--zip', 'site.zip'], { cwd: root });
    const before = filesOf(join(root, 'site'));
    const archive = readFileSync(join(root, 'site.zip'));
    for (const [path, text] of Object.entries(many)) writeFileSync(join(root, 'docs', path), text);
    const { child, ended } = startCarrel([...exportDocs, '--zip', 'site.zip', '--progress-fd', '3'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    await untilRendering(child.stdio[3] as Readable);
    child.kill(signal);
    const { code, stderr } = await ended;
    expect(stderr).toContain('Error (Stopped): The export was stopped. Nothing was changed.');
    expect(code).toBe(1);
    expect(readdirSync(root).sort()).toEqual(['docs', 'site', 'site.zip']);
    expect(filesOf(join(root, 'site'))).toEqual(before);
    expect(readFileSync(join(root, 'site.zip')).equals(archive)).toBe(true);
  });

  test('by SIGKILL: the previous export stays, and the next one cleans up', async () => {
    const root = docs(home);
    await carrel(exportDocs, { cwd: root });
    const before = filesOf(join(root, 'site'));
    writeFileSync(join(root, '.site.zip.carrel-new-999999'), 'half an archive');
    for (const [path, text] of Object.entries(many)) writeFileSync(join(root, 'docs', path), text);
    const { child, ended } = startCarrel([...exportDocs, '--progress-fd', '3'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    await untilRendering(child.stdio[3] as Readable);
    child.kill('SIGKILL');
    await ended;
    expect(filesOf(join(root, 'site'))).toEqual(before);
    for (const path of Object.keys(many)) rmSync(join(root, 'docs', path));
    expect((await carrel([...exportDocs, '--zip', 'site.zip'], { cwd: root })).code).toBe(0);
    expect(readdirSync(root).sort()).toEqual(['docs', 'site', 'site.zip']);
  });
});

test('concurrent exports to the same folder leave one complete export and no other files', async () => {
  const root = docs(home);
  const one = ['export', 'docs', '--out', 'site', '--cache', 'cache', '--zip', 'site.zip'];
  const ended = await Promise.all(Array.from({ length: 3 }, () => carrel(one, { cwd: root })));
  expect(ended.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(Array(3).fill([0, '']));
  expect(readdirSync(root).sort()).toEqual(['cache', 'docs', 'site', 'site.zip']);
  expect((await carrel(['verify', 'site'], { cwd: root })).code).toBe(0);
  expect((await carrel(['verify', 'site.zip'], { cwd: root })).code).toBe(0);
});

describe('--paths', () => {
  const site = {
    'docs.json': JSON.stringify({
      name: 'Rooms',
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            groups: [
              { group: 'Start', pages: ['index', 'install', 'use'] },
              { group: 'More', pages: ['deep'] },
            ],
          },
          { tab: 'Other', pages: ['other', 'gone'] },
        ],
      },
      redirects: [
        { source: '/old', destination: '/install' },
        { source: '/older', destination: '/deep' },
      ],
    }),
    'index.md': '# Home\n',
    'install.md': '# Install\n\nSee [deep](/deep), [deep again](deep.md#there), [old](/older) and [use](/use).\n',
    'use.md': '# Use\n',
    'deep.md': '# Deep\n\n## There\n',
    'other.md': '# Other\n',
    'hidden.md': '# Hidden\n',
  };
  const exportPaths = (root: string, paths: string, ...more: string[]) =>
    carrel([...exportDocs, '--paths', paths, '--report', 'report.json', ...more], { cwd: root });

  test('exports only these pages, without references to the others', async () => {
    const root = docs(site);
    const { code, stderr } = await exportPaths(root, 'use, /install.md');
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const files = filesOf(join(root, 'site'));
    const manifest = JSON.parse(files['carrel.json']!) as { pages: { path: string }[]; redirects: { from: string }[] };
    expect(manifest.pages.map(({ path }) => path)).toEqual(['install', 'use']);
    expect(manifest.redirects.map(({ from }) => from)).toEqual(['old']);
    expect(Object.keys(files).filter((file) => /\.md$|^(?!_carrel).*\.html$/.test(file))).toEqual([
      '404.html',
      'index.html',
      'install.md',
      'install/index.html',
      'old/index.html',
      'use.md',
      'use/index.html',
    ]);
    expect(files['llms.txt']).toContain('Install');
    expect(files['llms.txt']).not.toContain('Deep');
    expect(files['index.html']).toContain('install/index.html');
    const page = files['install/index.html']!;
    expect(page).toContain('href="../use/index.html"');
    expect(page).not.toMatch(/>\s*Other\s*</);
    expect(page).not.toMatch(/>\s*More\s*</);
    const report = JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')) as Record<string, unknown>;
    expect(report).toMatchObject({
      pages: 2,
      navigation: { listed: 2, exported: 2, links: 0, missing: [] },
      warnings: [{ kind: 'link-to-page-left-out', severity: 'note', page: 'install.md', line: 3 }],
    });
  });

  test('links to excluded pages point to the URL of the site', async () => {
    const root = docs(site);
    expect((await exportPaths(root, 'install', '--site', 'https://docs.example.com/x')).code).toBe(0);
    const page = readFileSync(join(root, 'site/install/index.html'), 'utf8');
    expect(page).toContain('href="https://docs.example.com/x/deep/#there"');
    expect(readFileSync(join(root, 'site/install.md'), 'utf8')).toContain('(https://docs.example.com/x/use/)');
    expect(JSON.parse(readFileSync(join(root, 'report.json'), 'utf8'))).toMatchObject({ warnings: [] });
  });

  test('a page outside the navigation can be exported alone, and is the home page then', async () => {
    const root = docs(site);
    expect((await exportPaths(root, 'hidden')).code).toBe(0);
    expect(readFileSync(join(root, 'site/index.html'), 'utf8')).toContain('hidden/index.html');
  });

  test('only the languages of the pages are exported, and the first page decides the default', async () => {
    const root = docs({});
    cpSync(join(import.meta.dirname, '../../../fixtures/versions-languages'), join(root, 'docs'), { recursive: true });
    expect((await carrel([...exportDocs, '--out', 'whole'], { cwd: root })).code).toBe(0);
    type Pages = { pages: { path: string; language: string; docsVersion?: string }[]; indexes: { language: string }[] };
    const whole = JSON.parse(readFileSync(join(root, 'whole/carrel.json'), 'utf8')) as Pages;
    const other = whole.pages.find(({ language }) => language !== whole.pages[0]!.language)!;
    expect((await exportPaths(root, other.path)).code).toBe(0);
    const part = JSON.parse(readFileSync(join(root, 'site/carrel.json'), 'utf8')) as Pages;
    expect(part.pages).toEqual([other]);
    expect(part.indexes.map(({ language }) => language)).toEqual([other.language]);
    expect(readFileSync(join(root, 'site/404.html'), 'utf8')).toContain(`lang="${other.language}"`);
  });

  test('all paths without a page are reported, with similar ones', async () => {
    const root = docs(site);
    const { code, stderr } = await exportPaths(root, 'instal,use,nowhere/to/be/found,gone');
    expect(code).toBe(1);
    expect(stderr).toContain('Error (PathNotFound): The docs have no page "instal", "nowhere/to/be/found", "gone" to export.');
    expect(stderr).toContain('Near are: "install".');
    expect(readdirSync(root)).toEqual(['docs']);
  });

  test('an empty list is invalid usage', async () => {
    const { code, stderr } = await exportPaths(docs(site), ' , ');
    expect(code).toBe(2);
    expect(stderr).toContain('--paths: must name at least one page');
  });
});

describe('a language or version that the docs do not have', () => {
  test.each([
    ['--language', 'xx', 'Error (LanguageNotFound): The docs do not have a language "xx".'],
    ['--docs-version', 'v9', 'Error (VersionNotFound): The docs do not have a version "v9".'],
  ])('%s %s is reported with the existing ones', async (option, value, message) => {
    const root = temporaryFolder();
    const fixture = join(import.meta.dirname, '../../../fixtures/versions-languages');
    const { code, stderr } = await carrel(['export', fixture, '--out', 'site', '--cache', 'off', option, value], { cwd: root });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Use one of: ');
    expect(readdirSync(root)).toEqual([]);
  });
});

test('the export stops when its standard input ends', async () => {
  const root = docs(many);
  const { child, ended } = startWatched(root);
  await untilRendering(child.stdio[3] as Readable);
  child.stdin!.end();
  const { code, stderr } = await ended;
  expect(stderr).toContain('Error (Stopped)');
  expect(code).toBe(1);
  expect(readdirSync(root)).toEqual(['docs']);
});
