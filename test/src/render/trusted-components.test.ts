import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportDocs } from '../../../src/export/export-docs.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const fixture = new URL('../../../fixtures/components', import.meta.url).pathname;

/** A docs folder of these files, which is exported with one cache. */
function docsOf(files: Record<string, string>) {
  const root = temporaryFolder();
  const docs = join(root, 'docs');
  const write = (name: string, text: string) => writeFiles(docs, { [name]: text });
  const json = { name: 'Docs', navigation: { pages: ['index', 'other'] } };
  writeFiles(docs, { 'docs.json': JSON.stringify(json), 'other.md': 'Other.', ...files });
  const run = async (trustComponents?: boolean, cache: string | false = join(root, 'cache')) => {
    const out = join(temporaryFolder(), 'site');
    const options = { source: docs, out, cache, deployment: 'client-hosted' as const, vendor: false, environment: {} };
    // Files that are a moment old count as settled.
    const report = await exportDocs({ ...options, now: Date.now() + 1000, trustComponents });
    return { report, files: filesOf(out), html: readFileSync(join(out, 'index.html'), 'utf8'), out };
  };
  return { docs, write, run };
}

const counter = `---
title: Home
---

import { Price } from '/snippets/price.jsx';

export const Counter = ({ children }) => {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>Count {count} {children}</button>;
};

<Counter>kept</Counter>

<Counter>

## Below

</Counter>

<Price amount={3} />
`;
const price = 'export const Price = ({ amount }) => { const text = amount.toFixed(2); return <b>{text} EUR</b>; };\n';

test('components that need to run are placeholders with their content, and the author learns of --trust-components', async () => {
  const { html, report, files } = await docsOf({ 'index.mdx': counter, 'snippets/price.jsx': price }).run();
  expect(html).toMatch(/<(?:div|span) class="c-component">.*The interactive component Counter is not shown here\..*kept/s);
  expect(html).toContain('The interactive component Price is not shown here.');
  expect(html).not.toContain('carrel-island');
  expect(Object.keys(files).filter((name) => name.includes('island'))).toEqual([]);
  const found = report.warnings.filter(({ kind }) => kind === 'inline-component');
  expect(found).toMatchObject([
    { page: 'index.mdx', line: 12, message: expect.stringContaining('<Counter>') },
    { page: 'index.mdx', line: 20, message: expect.stringContaining('<Price>') },
  ]);
  expect(found[0]!.hint).toContain('carrel export --trust-components');
});

test('trusted components are rendered, and only their pages load scripts', async () => {
  const { html, report, files } = await docsOf({ 'index.mdx': counter, 'snippets/price.jsx': price }).run(true);
  expect(html).toContain('<b>3.00 EUR</b>');
  expect(html).toMatch(/<h2 id="below">/);
  expect(html).toMatch(/<li>\s*<a href="#below">Below<\/a>/);
  expect(html).toMatch(
    /<carrel-island data-script="[\da-f]{10}" data-name="Counter"><button>Count 0 <carrel-slot data-name="children">kept/,
  );
  expect(html).toMatch(
    /<script defer src="_carrel\/islands\.\w+\.js"><\/script><script defer src="_carrel\/islands\/[\da-f]{10}\.js">/,
  );
  // The price only shows data.
  expect(Object.keys(files).filter((name) => name.startsWith('_carrel/islands'))).toHaveLength(2);
  expect(files['other/index.html']).not.toContain('island');
  expect(report.warnings).toEqual([]);
});

const overview = `import { Shelf } from './shelf.jsx';
const rows = [['plane', 'Planes'], ['saw', 'Saws']];
export const Overview = () => {
  const shown = rows.map(([name, title]) => <Card key={name} title={title} href="/other" icon="hammer">Of *iron*.</Card>);
  return <><Columns cols={3}>{shown}</Columns><Note>Mind <Tooltip tip="Sharp">the edge</Tooltip>.</Note></>;
};
export const Counted = () => {
  const [count, setCount] = useState(1);
  return <Frame caption="A counter"><Badge color="blue">{count}</Badge><button onClick={() => setCount(count + 1)}>More <Icon icon="plus" /></button></Frame>;
};
export const Own = () => { const text = String(1); return <Shelf>{text}</Shelf>; };
`;

test('built-in components are in scope in the JSX of trusted ones, as pages show them, unless the docs have their own', async () => {
  const { html, report } = await docsOf({
    'index.mdx': "import { Counted, Overview, Own } from '/snippets/overview.jsx';\n\n<Overview />\n\n<Counted />\n\n<Own />\n",
    'snippets/overview.jsx': overview,
    'snippets/shelf.jsx':
      'const Steps = ({ children }) => <i>{children}</i>;\nexport const Shelf = (props) => <Steps {...props} />;\n',
  }).run(true);
  expect(report.warnings).toEqual([]);
  expect(html).toContain('<div class="c-columns c-columns-3"><div class="c-card c-card-linked"><span class="c-card-icon">');
  expect(html).toMatch(/data-icon="hammer"[^>]*><svg class="c-icon" width="24"[^>]*>.*?<\/svg><\/carrel-icon>/);
  expect(html).toMatch(
    /<p class="c-card-title"><a href="other\/index\.html" class="c-card-target">Planes<\/a><\/p>Of \*iron\*\./,
  );
  expect(html).toMatch(/<div role="note" class="c-callout c-callout-note">.*<span role="tooltip" class="c-tooltip-tip">/);
  expect(html).toMatch(/data-name="Counted"><figure class="c-frame">.*<span class="c-badge c-badge-blue c-badge-sm">1<\/span>/);
  expect(html).toContain('<i>1</i>');
});

test('an export with a cache has the bytes of one without, after each change of a component and of trust', async () => {
  const { write, run } = docsOf({ 'index.mdx': counter, 'snippets/price.jsx': price });
  const same = async (trust: boolean) => {
    const [cached, afresh] = [await run(trust), await run(trust, false)];
    expect(cached.files).toEqual(afresh.files);
    return cached.html;
  };
  const first = await same(true);
  expect(await same(true)).toBe(first);
  expect(await same(false)).toContain('The interactive component Price');
  expect(await same(true)).toBe(first);
  write('snippets/price.jsx', price.replace('EUR', 'USD'));
  expect(await same(true)).toContain('<b>3.00 USD</b>');
  write('index.mdx', counter.replace('Count {count}', 'Counted {count}'));
  expect(await same(true)).toContain('Counted 0');
});

test('the fixture gives the same bytes in another folder', async () => {
  const folders = [temporaryFolder(), temporaryFolder()].map((folder) => join(folder, 'docs'));
  const exports = [];
  for (const source of folders) {
    cpSync(fixture, source, { recursive: true });
    const out = `${source}-site`;
    const options = { source, out, cache: false as const, deployment: 'client-hosted' as const, vendor: false };
    await exportDocs({ ...options, environment: {}, now: 0, trustComponents: true });
    exports.push(filesOf(out));
  }
  expect(Object.keys(exports[0]!).length).toBeGreaterThan(20);
  expect(exports[0]).toEqual(exports[1]);
});

test('a component that fails is named with its line, and the other pages and components are exported', async () => {
  const { html, report } = await docsOf({
    'index.mdx':
      "import { Loop, Throws, Fine } from '/snippets/bad.jsx';\n\n<Loop>loop</Loop>\n\n<Throws>throws</Throws>\n\n<Fine />\n",
    'snippets/bad.jsx':
      'export const Loop = () => { for (;;); };\nexport const Throws = () => {\n  throw new Error("no wood");\n};\nexport const Fine = () => { const text = String(1); return <i>{text}</i>; };\n',
  }).run(true);
  expect(html).toContain('<i>1</i>');
  expect(html).toMatch(/The interactive component Loop is not shown here\.<\/p>loop/);
  expect(html).toMatch(/data-mode="render"><div class="c-component">.*Throws is not shown here\.<\/p>throws/);
  expect(report.pages).toBe(2);
  expect(report.warnings.map(({ kind, page, line, message }) => [kind, page, line, message])).toEqual([
    [
      'component-failed',
      'index.mdx',
      3,
      '<Loop> failed, so a placeholder is shown: took more than 3 seconds (snippets/bad.jsx:1).',
    ],
    ['component-failed', 'index.mdx', 5, '<Throws> failed, so a placeholder is shown: no wood (snippets/bad.jsx:3).'],
  ]);
});

test('a file with a syntax error is reported once, with line and column, and its components are placeholders', async () => {
  const { html, report } = await docsOf({
    'index.mdx': "import { Bad } from '/snippets/bad.jsx';\n\n<Bad>kept</Bad>\n",
    'other.mdx': "import { Bad } from '/snippets/bad.jsx';\n\n<Bad />\n",
    'snippets/bad.jsx': 'export const Bad = () => {\n  const [n] = useState(1 +);\n  return <p>{n}</p>;\n};\n',
  }).run(true);
  expect(html).toMatch(/The interactive component Bad is not shown here\.<\/p>kept/);
  const [first, ...others] = report.warnings.filter(({ kind }) => kind !== 'page-address-taken');
  expect(first).toMatchObject({ kind: 'component-not-compiled', page: 'snippets/bad.jsx', line: 2, column: 27 });
  expect(others.map(({ kind, hint }) => [kind, hint])).toEqual([
    ['inline-component', 'Its file could not be compiled, which is reported for that file.'],
    ['inline-component', 'Its file could not be compiled, which is reported for that file.'],
  ]);
});

test('a docs folder cannot trust itself', async () => {
  const json = { name: 'Docs', trust: true, trustComponents: true, carrel: { trust: true }, navigation: { pages: ['index'] } };
  const { html } = await docsOf({
    'docs.json': JSON.stringify(json),
    'carrel.json': '{"trustComponents":true}',
    '.carrelrc': 'trust-components=true',
    'index.mdx': counter.replace('---\n\n', 'trust: true\ntrustComponents: true\n---\n\n'),
    'snippets/price.jsx': price,
  }).run();
  expect(html).toContain('The interactive component Counter is not shown here.');
  expect(html).not.toContain('carrel-island');
});

test('what a component reads of the clock is reported, and the bytes stay the same', async () => {
  const { run } = docsOf({
    'index.mdx': 'export const Year = () => { const now = new Date(); return <b>{now.getFullYear()}</b>; };\n\n<Year />\n',
  });
  const { html, report } = await run(true);
  expect(html).toContain('<b>2020</b>');
  expect(report.warnings).toMatchObject([{ kind: 'component-not-deterministic', severity: 'note', page: 'index.mdx', line: 3 }]);
});
