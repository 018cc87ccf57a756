import { expect, test } from 'vitest';
import { fileRequests } from '../../../integration/scripts/script-facts.ts';
import { exported, page } from '../static-site/export-files.ts';

const reported = async (text: string, isModule = false) =>
  (await fileRequests('a.js', text, isModule)).map(({ kind, line, message }) => [kind, line, /"(.*)"/.exec(message)?.[1]]);

test.each([
  ['fetch("/data.json").then(show)', 'script-asks-file', '/data.json'],
  ['window.fetch(root + "searchindex.json?v=1")', 'script-asks-file', 'searchindex.json?v=1'],
  ['const index = "search.xml"; fetch(index)', 'script-asks-file', 'search.xml'],
  ['fetch(`./parts/menu.html`)', 'script-asks-file', './parts/menu.html'],
  ['request.open("GET", join(base, "search_index.json"))', 'script-asks-file', 'search_index.json'],
  ['new Worker(join(base, "search/worker.js"))', 'script-worker', undefined],
])('%s is reported', async (text, kind, requested) => {
  expect(await reported(`\n${text}`)).toEqual([[kind, 2, requested]]);
});

test.each([
  'fetch("https://api.example/data.json")',
  'fetch("//api.example/data.json")',
  'fetch("/api/data")',
  'fetch(url)',
  'window.open("/guide.html")',
  'new Worker(URL.createObjectURL(new Blob([code])))',
  '// fetch("/data.json")',
  'const a b; fetch("/data.json")',
  'import "./b.js"; fetch("/data.json")',
])('%s is not reported', async (text) => {
  expect(await reported(text)).toEqual([]);
});

test('a script that is nested too deeply to be parsed is skipped', async () => {
  expect(await reported(`x = ${'['.repeat(60_000)}${']'.repeat(60_000)}; fetch("/data.json")`)).toEqual([]);
});

test('file requests of a module are reported, and its workers by the bundle', async () => {
  expect(await reported('new Worker("/w.js");\nfetch("/data.json");\nexport {}', true)).toEqual([
    ['script-asks-file', 2, '/data.json'],
  ]);
});

test('what scripts of a built site cannot do from file:// is a warning', async () => {
  const { report } = await exported({
    'index.html': page('Words', { head: '<script src="theme.js"></script><script type="module" src="part.js"></script>' }),
    'theme.js': 'addEventListener("load", () => new Worker("search/worker.js"))',
    'part.js': 'export const data = fetch("data.json"); new Worker("w.js")',
    'search/worker.js': '',
    'w.js': '',
    'data.json': '{}',
  });
  expect(report.warnings.map(({ kind, severity, page, line }) => [kind, severity, page, line])).toEqual(
    expect.arrayContaining([
      ['script-worker', 'warning', 'theme.js', 1],
      ['script-asks-file', 'warning', 'part.js', 1],
      ['script-worker', 'warning', 'part.js', 1],
    ]),
  );
  expect(report.warnings).toHaveLength(3);
});
