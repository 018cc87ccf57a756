import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeFrame } from '../../../src/source/code-frame.ts';
import { githubText, sarifText } from '../../../src/cli/problem-formats.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { folderOf as folder } from '../../integration/output/archives.ts';
import { carrel } from './carrel.ts';

const config = '{ "navigation": { "pages": ["index", "other"] } }';
const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`;
const clean = { 'docs/docs.json': config, 'docs/index.mdx': page('A', '[b](/other)'), 'docs/other.mdx': page('B', 'Text.') };
const unlabelled = { ...clean, 'docs/other.mdx': page('B', '<Tabs>\n<Tab>one</Tab>\n</Tabs>') };
const broken = { ...clean, 'docs/index.mdx': page('A', '[b](/othr)') };
const check = (root: string, ...args: string[]) => carrel(['check', 'docs', '--cache', 'off', ...args], { cwd: root });

describe('exit codes', () => {
  test.each<[string, Record<string, string>, string[], number]>([
    ['docs without issues end with 0, under --strict too', clean, ['--strict'], 0],
    ['warnings alone end with 0', unlabelled, [], 0],
    ['warnings end with 3 under --strict', unlabelled, ['--strict'], 3],
    ['errors end with 1', broken, [], 1],
    ['errors end with 1 under --strict', broken, ['--strict'], 1],
    ['docs that cannot be read end with 1', { ...clean, 'docs/docs.json': '{' }, ['--format', 'json'], 1],
    ['an unknown format ends with 2', clean, ['--format', 'xml'], 2],
  ])('%s', async (_, files, args, code) => {
    const root = folder(files);
    expect((await check(root, ...args)).code).toBe(code);
    expect(readdirSync(root)).toEqual(['docs']);
  });
});

test('mistakes on pages for some readers are found for these readers', async () => {
  const limited = { ...clean, 'docs/other.mdx': '---\ntitle: B\ngroups: ["a, b"]\n---\n\n[c](/missing)\n' };
  const root = folder(limited);
  expect((await check(root)).code).toBe(0);
  const { code, stdout } = await check(root, '--groups', 'staff,a%2C b');
  expect([code, stdout]).toEqual([1, expect.stringContaining('/missing')]);
  expect((await check(root, '--groups', ',')).code).toBe(2);
});

test('an error is shown with its line and the lines around it', async () => {
  const { stdout } = await check(folder(broken));
  expect(stdout).toContain(`
      3 | ---
      4 |
    > 5 | [b](/othr)
        |     ^
      6 |
`);
  expect(stdout).toMatch(/\nChecked 2 pages in \d+\.\d s: 1 error\n$/);
});

test('tabs, steps and callouts of other generators are not repeated headings', async () => {
  const tabs = '=== "Linux"\n\n    one\n\n=== "macOS"\n\n    two\n\n::: tip\nText\n:::\n\n::: tip\nText\n:::';
  const root = folder({ 'docs/index.md': `# A\n\n${tabs}\n\n## B\n\n## B\n` });
  const { problems } = JSON.parse((await check(root, '--format', 'json')).stdout);
  expect(problems).toEqual([expect.objectContaining({ kind: 'heading-repeated', line: 21 })]);
});

test.each(['src/manual', 'src/example'])('%s has no issues', async (docs) => {
  const { stdout } = await carrel(['check', join(import.meta.dirname, '../../..', docs), '--cache', 'off', '--format', 'json']);
  const { pages, problems } = JSON.parse(stdout);
  expect(pages).toBeGreaterThan(3);
  expect(problems).toEqual([]);
});

test('fifty issues are printed, or all of them', async () => {
  const links = Array.from({ length: 60 }, (_, n) => `[x](/gone-${n})`).join('\n\n');
  const root = folder({ ...clean, 'docs/index.mdx': page('A', links) });
  const lines = ({ stdout }: { stdout: string }) => stdout.split('\n').filter((line) => line.startsWith('  error ')).length;
  const some = await check(root);
  expect(lines(some)).toBe(50);
  expect(some.stdout).toContain('… and 10 more (10 link-without-target): --all prints all of them.');
  expect(lines(await check(root, '--all'))).toBe(60);
});

test('a check and an export share the cache, and the export has the bytes that it has alone', async () => {
  const root = temporaryFolder();
  cpSync(join(import.meta.dirname, '../../../fixtures/layout'), join(root, 'docs'), { recursive: true });
  const run = async (...args: string[]) => {
    const { code, stderr } = await carrel(args, { cwd: root });
    // The site has broken links, which are errors of a check alone.
    expect(code, stderr).toBe(args[0] === 'check' ? 1 : 0);
  };
  await run('check', 'docs', '--cache', 'shared');
  await run('export', 'docs', '--out', 'after', '--cache', 'shared');
  await run('export', 'docs', '--out', 'alone', '--cache', 'off');
  const [after, alone] = [filesOf(join(root, 'after')), filesOf(join(root, 'alone'))];
  expect(Object.keys(alone)).toContain('tables/index.html');
  expect(after).toEqual(alone);
});

test('a folder of built HTML is checked, and nothing is written', async () => {
  const root = folder({
    'docs/index.html':
      '<!doctype html><html lang="en"><title>A</title><main><h1>A</h1><a href="b.html">b</a> <a href="/c">c</a></main></html>',
    'docs/b.html': '<!doctype html><html lang="en"><title>B</title><main><h1>B</h1><p>Text.</p><img src="x.png"></main></html>',
  });
  const { stdout, code } = await check(root, '--format', 'json');
  const { pages, problems } = JSON.parse(stdout) as { pages: number; problems: { kind: string; page: string }[] };
  expect(pages).toBe(2);
  expect(problems.map(({ kind, page: file }) => `${kind} ${file}`)).toEqual([
    'link-without-target index.html',
    'asset-without-file b.html',
  ]);
  expect(code).toBe(1);
  expect(readdirSync(join(root, 'docs'))).toEqual(['b.html', 'index.html']);
});

test('a file that is not valid is an issue with its position for other programs', async () => {
  const { stdout } = await check(folder({ ...clean, 'docs/docs.json': '{\n  "a": 1\n  "b": 2\n}' }), '--format', 'github');
  expect(stdout).toBe(
    '::error file=docs/docs.json,line=2,col=9,title=ConfigNotJson::docs.json is not valid JSON at line 2, column 9: a comma is missing after this value. Correct it there.\n',
  );
});

const odd = {
  kind: 'link-without-target',
  severity: 'warning',
  page: 'a,b: 100%/ü.mdx',
  line: 3,
  column: 7,
  message: '100% of\nthe links, "::error::" too.',
  hint: 'Correct them.',
} as const;
const places = { root: '/work/docs', workingFolder: '/work' };

test('annotations of GitHub cannot be ended or changed by what authors write', () => {
  expect(githubText([odd, { kind: 'page-draft', severity: 'note', message: 'y' }], places)).toBe(
    '::warning file=docs/a%2Cb%3A 100%25/ü.mdx,line=3,col=7,title=link-without-target::100%25 of%0Athe links, "::error::" too. Correct them.\n' +
      '::notice title=page-draft::y',
  );
});

test('SARIF has a rule for each kind, and results with their positions', () => {
  const log = JSON.parse(sarifText([odd, { ...odd, severity: 'error', column: undefined }], places)) as {
    version: string;
    runs: { tool: { driver: { name: string; rules: { id: string }[] } }; results: unknown[] }[];
  };
  expect(log.version).toBe('2.1.0');
  expect(log.runs).toHaveLength(1);
  const [{ tool, results }] = log.runs as [(typeof log.runs)[0]];
  expect(tool.driver).toMatchObject({ name: 'carrel', rules: [{ id: 'link-without-target' }] });
  const artifactLocation = { uri: 'docs/a,b:%20100%25/%C3%BC.mdx', uriBaseId: 'ROOT' };
  const result = { ruleId: 'link-without-target', ruleIndex: 0, message: { text: `${odd.message} Correct them.` } };
  expect(results).toEqual([
    {
      ...result,
      level: 'warning',
      locations: [{ physicalLocation: { artifactLocation, region: { startLine: 3, startColumn: 7 } } }],
    },
    { ...result, level: 'error', locations: [{ physicalLocation: { artifactLocation, region: { startLine: 3 } } }] },
  ]);
});

test('a frame marks several columns, cuts long lines around them, and shows no control characters', () => {
  expect(codeFrame('a\nb\tc d\ne', 2, [1, 3])).toBe('  1 | a\n> 2 | b c d\n    | ^ ^\n  3 | e');
  const long = codeFrame(`${'x'.repeat(500)}\u001b[31m!`, 1, [501])!;
  const [text = '', marks = ''] = long.split('\n');
  expect(text).toContain('\\u{1b}[31m!');
  expect(text[marks.indexOf('^')]).toBe('\\');
  expect(text.length).toBeLessThan(140);
  expect(codeFrame('a', 2, [1])).toBeUndefined();
});
