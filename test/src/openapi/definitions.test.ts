import { expect, test } from 'vitest';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { english, labelsOf } from '../../../integration/texts/index.ts';
import { readHtml } from '../../../integration/html/read-html.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { describedNodes } from '../../../src/openapi/described-nodes.ts';
import { readReference } from '../../../src/openapi/reference.ts';
import type { RemoteOptions } from '../../../src/openapi/remote-files.ts';
import { buildSite } from '../../../src/site/build-site.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { options } from '../markdown/fixtures.ts';
import { describedPaths } from '../site/site-of.ts';
import { docsFolder } from '../source/docs-folder.ts';

type Files = Parameters<typeof docsFolder>[0];

const shop = `
"What is sold."
type Tea { id: ID!, shops(first: Int = 3): [Shop!]! }
type Shop { teas: [Tea!] }
type Query { tea(id: ID!): Tea, shops: [Shop!]! }
type Mutation { addTea(input: TeaInput!): Tea }
type Subscription { teaAdded: Tea }
interface Node { id: ID! }
union Found = Tea | Shop
enum Kind { GREEN BLACK }
input TeaInput { name: String!, kind: Kind = GREEN, parent: TeaInput }
scalar Date
directive @access(role: String) on OBJECT
`;

const graphTab = (graphql: unknown) => ({
  tabs: [
    { tab: 'Docs', pages: ['index'] },
    { tab: 'Graph', graphql },
  ],
});

async function referenceOf(navigation: unknown, files: Files = {}, remote: RemoteOptions = {}) {
  const config = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation };
  const folder = docsFolder({ 'docs.json': config, 'index.mdx': '# Home', 'shop.graphql': shop, ...files });
  return readReference(await readSource(folder), remote);
}

const site = async (...given: Parameters<typeof referenceOf>) => buildSite((await referenceOf(...given)).source);

const titlesOf = (docs: Awaited<ReturnType<typeof site>>, context: string) =>
  docs.contexts.get(context)!.sidebar.map(({ title }) => title);

/** The page of a definition. */
async function render(schema: string, name: string, language?: string) {
  const reference = await referenceOf(graphTab('a.graphql'), { 'a.graphql': schema });
  const page = reference.source.pages.find(({ described }) => described?.name === name)!;
  const { document, described } = reference.describedBy(page)!;
  const renderer = createRenderer({
    ...options,
    pagePaths: new Set(reference.source.pages.map(({ path }) => path)),
    generated: (_, labels) => ({
      after: describedNodes(document, described, labels, {
        shown: page.frontmatter.description,
        links: page.described?.links,
      }),
    }),
  });
  return { ...(await renderer.render(page, language)), page };
}

const problemsOf = (docs: Awaited<ReturnType<typeof site>>) =>
  docs.problems
    .filter(({ kind }) => /^(?:specification|graphql)-/.test(kind))
    .map(({ kind, page, line, column, message }) => `${kind} ${page}:${line}:${column} ${message}`);

test('queries, mutations, subscriptions, types and directives are pages, in groups by kind', async () => {
  const docs = await site(graphTab('shop.graphql'));
  expect(describedPaths(docs).sort((a, b) => (a < b ? -1 : 1))).toEqual([
    'directive access graphql-reference/directives/access',
    'mutation addTea graphql-reference/mutations/addtea',
    'query shops graphql-reference/queries/shops',
    'query tea graphql-reference/queries/tea',
    'subscription teaAdded graphql-reference/subscriptions/teaadded',
    'type Date graphql-reference/scalars/date',
    'type Found graphql-reference/unions/found',
    'type Kind graphql-reference/enums/kind',
    'type Node graphql-reference/interfaces/node',
    'type Shop graphql-reference/objects/shop',
    'type Tea graphql-reference/objects/tea',
    'type TeaInput graphql-reference/inputs/teainput',
  ]);
  expect(titlesOf(docs, 'Graph')).toEqual(
    'Queries Mutations Subscriptions Objects Interfaces Unions Enums Inputs Scalars Directives'.split(' '),
  );
  expect(docs.navigation.listed).toBe(13);
  expect(problemsOf(docs)).toEqual([]);
});

test('the groups are in the language of the navigation', async () => {
  const docs = await site({
    languages: [
      { language: 'en', tabs: [{ tab: 'Docs', pages: ['index'] }] },
      { language: 'de', tabs: [{ tab: 'Graph', graphql: 'shop.graphql' }] },
    ],
  });
  expect(titlesOf(docs, 'de/Graph')[0]).toBe((await labelsOf('de')).reference.queries);
  expect((await labelsOf('de')).reference.queries).not.toBe(english.reference.queries);
});

test('a page shows the signature, arguments, fields with links to their types, and uses', async () => {
  const { html, markdown } = await render(shop, 'type Tea');
  expect(html).toMatch(/id="param-shops-first"/);
  expect(html).toMatch(/<a href="\/graphql-reference\/objects\/shop">\[Shop!\]!<\/a>/);
  expect(markdown).toContain('type Tea {\n  id: ID!\n  shops(first: Int = 3): [Shop!]!\n}');
  expect(markdown).toContain('[`Shop.teas`](/graphql-reference/objects/shop#param-teas)');
  expect(markdown).toContain('[`addTea`](/graphql-reference/mutations/addtea)');
  const union = await render(shop, 'type Found');
  expect(union.html).toMatch(/Possible types.*objects\/tea.*objects\/shop/s);
});

test('a mutation has an operation with variables and an answer, which fit the schema', async () => {
  const { markdown } = await render(shop, 'mutation addTea');
  expect(markdown).toContain('mutation AddTea($input: TeaInput!) {\n  addTea(input: $input) {\n    id\n');
  expect(markdown).toContain('{\n  "input": {\n    "name": "string"\n  }\n}');
  expect(markdown).toContain('"addTea": {\n      "id": "1"');
});

test('an operation has an end where types contain themselves, and inputs require themselves', async () => {
  const { markdown } = await render(
    `type Query { a(in: I!): A } type A { a: A!, b: B! } type B { a: [A!]!, b: B } input I { i: I!, l: [I!]! }`,
    'query a',
  );
  expect(markdown).toContain('query A($in: I!) {\n  a(in: $in) {\n    b {\n      __typename\n    }\n  }\n}');
  expect(markdown).toContain('"i": null');
});

test('deprecated fields, arguments and values say why, and defaults are shown', async () => {
  const { html } = await render(
    `type Query { "Old." a(x: Int = 3 @deprecated(reason: "Not **x**.")): Int @deprecated(reason: "Use b."), b: Int }`,
    'query a',
  );
  expect(html).toMatch(/Use b\./);
  expect(html).toMatch(/Not <strong>x<\/strong>\./);
  expect(html).toMatch(/c-field-default.*<code>3<\/code>/s);
});

test('a definition that cannot be read is reported with its place, and the others are pages', async () => {
  const broken = 'type Query { a: A }\n\n"""\nBroken.\n"""\ntype Bad {\n  a: \n}\n\ntype A { b: Int }\n';
  const docs = await site(graphTab('bad.graphql'), { 'bad.graphql': broken });
  expect(describedPaths(docs)).toEqual(['query a graphql-reference/queries/a', 'type A graphql-reference/objects/a']);
  expect(problemsOf(docs)).toEqual([
    expect.stringContaining('specification-invalid bad.graphql:8:1 A definition of the GraphQL'),
  ]);
});

test.each([
  ['a file that is not a schema', 'hello world', /could not be read: Unexpected Name "hello"/],
  ['a schema without definitions', '', /could not be read/],
  ['JSON that is not an introspection', '{ "a": 1 }', /no "__schema"/],
  ['introspection with a broken part', '{ "__schema": { "types": 3 } }', /could not be read/],
  ['lists without an end', `type Query { a: ${'['.repeat(100_000)} }`, /could not be read/],
])('%s is in the report as missing, and the rest of the site is exported', async (_, text, reason) => {
  const docs = await site(graphTab('/bad.graphql'), { 'bad.graphql': text });
  expect(docs.pages.map(({ path }) => path)).toEqual(['']);
  expect(docs.navigation.missing).toEqual([
    expect.objectContaining({ entry: '"graphql": "bad.graphql"', reason: expect.stringMatching(reason) }),
  ]);
});

test('a file that is not there is missing, and the other files of the schema are pages', async () => {
  const docs = await site(graphTab({ source: ['shop.graphql', 'more.graphql'], directory: 'g' }));
  expect(describedPaths(docs)).toContain('type Tea g/objects/tea');
  expect(docs.navigation.missing.map(({ entry, reason }) => `${entry} ${reason}`)).toEqual([
    '"graphql": "more.graphql" more.graphql could not be read: more.graphql is not in the docs folder',
  ]);
});

test('several files are one schema, with what extensions add', async () => {
  const docs = await site(graphTab(['shop.graphql', 'more.gql']), {
    'more.gql': 'extend type Query { order: Order } extend type Tea { price: Float } type Order { tea: Tea! }',
  });
  expect(describedPaths(docs)).toEqual(expect.arrayContaining(['query order graphql-reference/queries/order']));
  expect(problemsOf(docs)).toEqual([]);
});

test('the answer to an introspection query is a schema', async () => {
  const answer = { data: introspectionFromSchema(buildSchema(shop)) };
  const docs = await site(graphTab('schema.json'), { 'schema.json': answer });
  const same = await site(graphTab('shop.graphql'));
  expect(describedPaths(docs)).toEqual(describedPaths(same));
  expect(describedPaths(docs)).toHaveLength(12);
});

test('a schema of another host is downloaded, and named as missing where it cannot be', async () => {
  const url = 'https://api.example.com/schema';
  const found = await referenceOf(graphTab(url), {}, { download: async () => Buffer.from(shop) });
  expect(describedPaths(buildSite(found.source))).toHaveLength(12);
  expect(found.remoteFiles).toEqual([{ url, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), stored: false }]);
  const lost = await site(graphTab(url));
  expect(lost.navigation.missing).toEqual([expect.objectContaining({ reason: expect.stringContaining('downloads nothing') })]);
});

test('definitions that differ only in case, or whose path is taken, have their own pages and links', async () => {
  const reference = await referenceOf(graphTab('a.graphql'), {
    'a.graphql': 'type Query { a: Tea, b: TEA } type Tea { x: Int } type TEA { y: Int }',
    'graphql-reference/queries/a.mdx': '# Mine',
  });
  const docs = buildSite(reference.source);
  const paths = describedPaths(docs);
  expect(paths).toEqual(expect.arrayContaining(['query a graphql-reference/queries/a-2']));
  const teas = paths.filter((line) => /^type tea /i.test(line)).map((line) => line.split(' ')[2]);
  expect(teas.sort((a, b) => String(a).localeCompare(String(b)))).toEqual([
    'graphql-reference/objects/tea',
    'graphql-reference/objects/tea-2',
  ]);
  const linksOf = (name: string) => reference.source.pages.find((page) => page.described?.name === name)!.described!.links!;
  expect(linksOf('query a')['type Tea']).not.toBe(linksOf('query b')['type TEA']);
});

test('types that are defined twice or not at all are reported with their place', async () => {
  const docs = await site(graphTab('a.graphql'), {
    'a.graphql': 'type Query { a: Gone }\ntype A { x: Int }\ntype A { y: Int }\nenum A { Z }',
  });
  expect(problemsOf(docs)).toEqual([
    'specification-invalid a.graphql:3:1 "A" is defined twice.',
    'specification-invalid a.graphql:4:1 "A" is defined twice.',
    'specification-invalid a.graphql:4:1 "A" is of the kind object, and here enum.',
    'specification-invalid a.graphql:1:17 "Gone" is not defined, but "a" has this type.',
  ]);
});

test('a schema on an entry that is not a tab is shown after the pages, with a note', async () => {
  const docs = await site({ groups: [{ group: 'G', pages: ['index'], graphql: 'shop.graphql' }] });
  expect(describedPaths(docs)).toHaveLength(12);
  expect(docs.navigation.listed).toBe(13);
  expect(problemsOf(docs)).toEqual([expect.stringMatching(/^graphql-outside-tab docs\.json:.*"graphql" is set on "G"/)]);
});

test('a tab with groups lists the schema after them', async () => {
  const docs = await site({ tabs: [{ tab: 'T', graphql: 'shop.graphql', groups: [{ group: 'Intro', pages: ['index'] }] }] });
  expect(titlesOf(docs, 'T').slice(0, 2)).toEqual(['Intro', 'Queries']);
  expect(docs.navigation.listed).toBe(13);
});

test('only the pages that a change concerns are rendered again', async () => {
  const digests = async (text: string) =>
    new Map(
      (await referenceOf(graphTab('a.graphql'), { 'a.graphql': text })).source.pages.flatMap(({ described, digest }) =>
        described ? [[described.name, digest]] : [],
      ),
    );
  const before = await digests(shop);
  const changed = async (from: string, to: string) => {
    const after = await digests(shop.replace(from, to));
    return [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name);
  };
  expect(await changed('scalar Date', 'scalar Date scalar Time')).toEqual(['type Time']);
  expect(await changed('"What is sold."', '"What we sell."')).toEqual(['type Tea']);
  expect(await changed('directive @access(role: String)', 'directive @access(role: Int)')).toEqual(['directive access']);
  expect(await changed('GREEN BLACK', 'GREEN BLACK WHITE')).toEqual(['type Kind']);
});

test('no string of a schema becomes a script', async () => {
  const attack =
    '<script>boom()</script><img src=x onerror=boom()>[a](javascript:boom())\\n\\n{boom()}\\n\\n<boom onclick=\\"x()\\">';
  const text = `"${attack}"`;
  const deprecated = `@deprecated(reason: ${text})`;
  const schema = `
    ${text} type Query { ${text} a(${text} x: String = ${text} ${deprecated}): T ${deprecated} }
    ${text} type T implements N { ${text} a(${text} x: String = ${text}): E ${deprecated} }
    ${text} interface N { ${text} a: E }
    ${text} union U = T
    ${text} enum E { ${text} A ${deprecated} }
    ${text} input I { ${text} x: String = ${text} ${deprecated} }
    ${text} scalar S @specifiedBy(url: "javascript:boom()")
    ${text} directive @d(${text} x: String = ${text}) on OBJECT`;
  const names = ['query a', 'type T', 'type N', 'type U', 'type E', 'type I', 'type S', 'directive d'];
  for (const name of names) {
    const { html } = await render(schema, name);
    const tags = new Set<string>();
    const attributes: string[] = [];
    readHtml(html, {
      open(tag) {
        tags.add(tag.name);
        for (const { name: key, value } of tag.attributes)
          if (/^on/i.test(key) || (/^(?:href|src|style|action)$/i.test(key) && /javascript:/i.test(value ?? '')))
            attributes.push(`${key}=${value}`);
      },
      close() {},
      text() {},
    });
    expect(html, name).toContain('boom');
    expect(
      [...tags].filter((tag) => /script|boom|iframe|object|embed/.test(tag)),
      name,
    ).toEqual([]);
    expect(attributes, name).toEqual([]);
  }
});
