import { expect, test } from 'vitest';
import { isSafeForFastParser } from '../../../src/markdown/parser-limits.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page, snippet } from './fixtures.ts';

const n = 8_000;

// Each of these ends the process, or takes it minutes, when the fast parser gets it.
const hostile: [string, string][] = [
  ['brackets 8,000 deep', `{${'('.repeat(n)}1${')'.repeat(n)}}`],
  ['arrow functions', `{${'a=>'.repeat(n * 2)}1}`],
  ['templates', `{${'`${'.repeat(n)}1${'}`'.repeat(n)}}`],
  ['conditions in an export', `export const a = 1;${'if(a)'.repeat(n * 2)}b`],
  ['labels in an export', `export const a = 1\n${'x:'.repeat(n * 3)}a`],
  ['else in an export', `export const a=()=>{${'if(a){}else '.repeat(n * 2)}{} }`],
  ['classes', `{${'class{a='.repeat(n * 2)}1${'}'.repeat(n * 2)}}`],
  ['spreads', `{[${'...['.repeat(n)}${']'.repeat(n)}]}`],
  ['casts', `{${'<T>'.repeat(40)}a}`],
  ['negations', `{${'!'.repeat(300_000)}1}`],
  ['sums', `{${'1+'.repeat(150_000)}1}`],
  ['elements', '<a>'.repeat(n) + '</a>'.repeat(n)],
  ['fragments', '<>'.repeat(n) + '</>'.repeat(n)],
  ['quotes', '> '.repeat(n) + 'x'],
  ['quotes without blanks', '>'.repeat(n * 10)],
  ['lists', '- '.repeat(n) + 'x'],
  ['components in lists', `<p :a="b"></p>\n\n${Array.from({ length: 400 }, (_, i) => `${'  '.repeat(i)}- <Note>`).join('\n')}`],
  ['emphasis', '**'.repeat(n) + 'x' + '**'.repeat(n)],
  ['character references', '&#x41;'.repeat(n * 5)],
  ['character references between lines that are no table', `x\n| a | b |\n|---|---|\n${'| &#x41;\n'.repeat(n * 5)}`],
  ['character references in a table without the columns of its head', `| a |\n|---|---|\n${'| &#x41;\n'.repeat(n * 5)}`],
];

test.each(hostile)('%s nested without end affect only that page', async (_name, source) => {
  const renderer = createRenderer(options);
  for (const kind of ['mdx', 'md'] as const) {
    const { html } = await renderer.render(page(`Before.\n\n${source}\n\nAfter.`, { kind, file: `page.${kind}` }));
    expect(html).toContain('Before.');
    expect(html).toContain('After.');
  }
  expect((await renderer.render(page('Next *page*.'))).html).toBe('<p>Next <em>page</em>.</p>');
});

test('MDX nested 8,000 deep is shown as Markdown and reported with its line', async () => {
  const renderer = createRenderer(options);
  const { degraded, problems } = await renderer.render(page(`Text.\n\n${hostile[0]![1]}`, { bodyLine: 4 }));
  expect(degraded).toBe(true);
  expect(problems).toMatchObject([{ kind: 'page-not-valid-mdx', page: 'guides/page.mdx', severity: 'warning' }]);
});

test('a page of 20 MB is shown as text', async () => {
  const renderer = createRenderer(options);
  const { html, degraded, problems } = await renderer.render(page('## Title\n\nSome <b>words</b> {here}.\n\n'.repeat(550_000)));
  expect(degraded).toBe(true);
  expect(problems).toMatchObject([{ kind: 'page-too-large' }]);
  expect(html).toContain('Some &lt;b&gt;words');
});

test('ordinary pages go to the fast parser', () => {
  const body = `import X from "/snippets/x.mdx"\n\n${'<Card title="x" href="/y">\n  Text with `code`, **bold** and {1}.\n</Card>\n\n| a | b |\n|---|---|\n\n'.repeat(200)}`;
  expect(isSafeForFastParser(body, 'mdx')).toBe(true);
  expect(
    isSafeForFastParser(
      '```ts\nfunction f<T>(a: Map<string, T>): Promise<T> { return a.get("x") ?? new T(); }\n```\n'.repeat(50),
      'mdx',
    ),
  ).toBe(true);
});

const row = '| `cluster.name` | string | `a=b` | The *name* of [it](#x) &amp; &lt;more&gt; for new ones, if in use! |\n';
const long: [string, string][] = [
  ['a table', `| a | b | c | d |\n|---|---|---|---|\n${row.repeat(4_200)}`],
  ['a table in HTML', `<table>\n${'<tr><td>cluster.name</td><td>The <b>name</b> &amp; more.</td></tr>\n'.repeat(6_000)}</table>`],
  ['a list', '- **name** (*string*): the `name` of [it](#x) &lt;x&gt; for new ones, if in use!\n'.repeat(5_500)],
  ['prose', 'It is *new* for you, with a query ?a=1&b=2 in it, if you do it! '.repeat(6_500)],
];
test.each(long)('%s of 400 KB is parsed like a short one', async (_name, source) => {
  expect(source.length).toBeGreaterThan(394_000);
  const renderer = createRenderer(options);
  for (const kind of ['mdx', 'md'] as const) {
    const { html, degraded } = await renderer.render(page(`${source}\n\nThe *end*.`, { kind, file: `page.${kind}` }));
    expect(degraded).toBe(false);
    expect(html).toMatch(/<p>The <em>end<\/em>\.<\/p>$/);
  }
});

test('a snippet that includes itself is removed and reported', async () => {
  const snippets = new Map([
    snippet('snippets/a.mdx', 'import B from "./b.mdx"\n\nA <B />'),
    snippet('snippets/b.mdx', 'import A from "/snippets/a.mdx"\n\nB <A />'),
  ]);
  const renderer = createRenderer({ ...options, snippets });
  const { html, problems } = await renderer.render(page('import A from "/snippets/a.mdx"\n\n<A />\n\nEnd.'));
  expect(html).toContain('End.');
  expect(problems.map(({ kind }) => kind)).toEqual(['snippet-too-deep']);
});

test('snippets that double at each level stop growing', async () => {
  const levels = 7;
  const snippets = new Map(
    Array.from({ length: levels }, (_, i) =>
      snippet(`snippets/s${i}.mdx`, i === levels - 1 ? 'leaf' : `import N from "./s${i + 1}.mdx"\n\n${'<N />\n\n'.repeat(20)}`),
    ),
  );
  const renderer = createRenderer({ ...options, snippets });
  const { html, problems } = await renderer.render(page('import N from "/snippets/s0.mdx"\n\n<N />'));
  expect(html.length).toBeLessThan(5_000_000);
  expect(problems.some(({ kind }) => kind === 'snippet-too-deep')).toBe(true);
});

test('children that a snippet repeats recursively stop growing', async () => {
  const snippets = new Map([snippet('snippets/twice.mdx', '{children}{children}')]);
  const renderer = createRenderer({ ...options, snippets });
  const depth = 60;
  const { html } = await renderer.render(
    page(`import T from "/snippets/twice.mdx"\n\n${'<T>'.repeat(depth)}x${'</T>'.repeat(depth)}`),
  );
  expect(html.length).toBeLessThan(5_000_000);
});
