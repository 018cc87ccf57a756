// Operations that a page describes by hand: `api` in its frontmatter, and its fields and examples.
import { expect, test } from 'vitest';
import type { Operation } from '../../../integration/reader/playground/operation.ts';
import { openDocs } from '../../../src/render/open-docs.ts';
import { docsFolder } from '../source/docs-folder.ts';

const frontmatter = (lines: string) => `---\ntitle: Create\n${lines}\n---\n\n`;

/** What a site with this page shows: its HTML, the data of its playground, its tag and the problems. */
async function shown(page: string, api?: unknown, files: Parameters<typeof docsFolder>[0] = {}) {
  const docs = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation: { pages: ['index', 'create'] }, api };
  const opened = await openDocs(docsFolder({ 'docs.json': docs, 'index.mdx': '# Home', 'create.mdx': page, ...files }));
  const facts = opened.site.pages.find(({ path }) => path === 'create')!;
  const { html, markdown, problems } = await (await opened.renderer()).render(facts.source);
  const asset = opened.assets.find(({ path }) => path.startsWith('_carrel/operation.'));
  const script = asset?.path.slice('_carrel/'.length);
  const data = asset && 'contents' in asset ? String(asset.contents).replace(/^__carrel_operation\(|\);\n$/g, '') : undefined;
  const hosts = opened.assets.find(({ path }) => path.endsWith('playground.json'));
  return {
    ...{ html, markdown, script, tag: facts.tag, hosts: hosts && 'contents' in hosts ? String(hosts.contents) : undefined },
    operation: data === undefined ? undefined : (JSON.parse(data) as Operation),
    problems: [...opened.site.problems, ...problems].map(({ kind, message }) => `${kind}: ${message}`),
  };
}

const fields = `
<Note>
  <ParamField path="id" type="string" placeholder="a1">The id.</ParamField>
</Note>
<ParamField query="limit" type="integer" default="20" />
<ParamField header="X-Trace" type="boolean" required />
<ParamField body="name" type="string" required>Name.</ParamField>
<ParamField body="tags" type="string[]" />
<ParamField body="address" type="Object[]">
  <Expandable title="address">
    <ResponseField name="city" type="string" required />
    <ResponseField name="zip" type="integer | null" />
  </Expandable>
</ParamField>
<ResponseField name="created" type="string" />
<ResponseExample>
\`\`\`json 201 Created
{ "id": "a1" }
\`\`\`
\`\`\`text 404
Nothing here
\`\`\`
</ResponseExample>
`;

test('the fields of a page are the form of its playground, its examples the answers', async () => {
  const api = 'api: "POST https://{region}.example.com/v1/things/{id}?x=1"\nauthMethod: bearer';
  const { operation, html, markdown, tag, problems } = await shown(frontmatter(api) + fields);
  expect(operation).toMatchObject({
    ...{ method: 'POST', path: '/v1/things/{id}', title: 'Create' },
    servers: [{ url: 'https://{region}.example.com', variables: [{ name: 'region', value: '' }] }],
    security: [[{ name: 'authorization', kind: 'bearer' }]],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a1' },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 20 } },
      { name: 'X-Trace', in: 'header', required: true, schema: { type: 'boolean' } },
    ],
    body: {
      required: true,
      contents: [
        {
          type: 'application/json',
          schema: {
            required: ['name'],
            properties: {
              name: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' } },
              address: {
                type: 'array',
                items: { properties: { city: { type: 'string' }, zip: { type: 'integer' } }, required: ['city'] },
              },
            },
          },
        },
      ],
    },
    answers: [
      { status: '201', type: 'application/json', example: { id: 'a1' } },
      { status: '404', type: 'text/plain', example: 'Nothing here' },
    ],
  });
  expect(html).toContain('data-carrel-operation');
  expect(html.indexOf('c-endpoint')).toBeLessThan(html.indexOf('param-limit'));
  expect(html).toContain('https://{region}.example.com/v1/things/a1');
  expect(markdown).toContain('`POST https://{region}.example.com/v1/things/{id}?x=1`');
  expect(tag).toBe('POST');
  expect(problems).toEqual([]);
});

test('the request as code that an author wrote is the only one', async () => {
  const own = '<RequestExample>\n```bash Mine\ncurl own\n```\n</RequestExample>\n';
  const { html } = await shown(frontmatter('api: GET /things') + own);
  expect(html).toContain('Mine');
  expect(html).not.toContain('Kotlin');
  expect((await shown(frontmatter('api: GET /things'))).html).toContain('Kotlin');
});

test.each([
  ['a server of docs.json', 'api: GET /things', { mdx: { server: 'https://a.example.com' } }, ['https://a.example.com'], []],
  [
    'several servers',
    'api: get /things',
    { mdx: { server: ['https://a.test', 'https://b.test'] } },
    ['https://a.test', 'https://b.test'],
    [],
  ],
  ['its own server', 'api: GET https://c.test/things', { mdx: { server: 'https://a.test' } }, ['https://c.test'], []],
  ['no server', 'api: GET /things', undefined, [], []],
  [
    'a key in a header',
    'api: GET /things',
    { mdx: { auth: { method: 'key', name: 'X-Key' } } },
    [],
    [[{ kind: 'header', field: 'X-Key' }]],
  ],
  [
    'its own authorization',
    'api: GET /things\nauthMethod: basic',
    { mdx: { auth: { method: 'key' } } },
    [],
    [[{ kind: 'basic' }]],
  ],
  ['no authorization', 'api: GET /things\nauthMethod: none', { mdx: { auth: { method: 'key' } } }, [], []],
])('a page has %s', async (_, lines, api, servers, security) => {
  const { operation, hosts, problems } = await shown(frontmatter(lines), api);
  expect(operation!.servers.map(({ url }) => url)).toEqual(servers);
  expect(JSON.parse(hosts!)).toEqual({ servers });
  expect(operation!.security).toMatchObject(security);
  expect(operation!.security).toHaveLength(security.length);
  expect(problems).toEqual([]);
});

test.each(['api: GET', 'api: things', 'api: GET things', 'api: GET javascript:alert(1)', 'api: [1]'])(
  'a page with "%s" is reported, and shows no operation',
  async (lines) => {
    const { html, operation, tag, problems } = await shown(frontmatter(lines) + 'Own text.');
    expect(html).toContain('Own text.');
    expect(html).not.toContain('c-endpoint');
    expect([operation, tag]).toEqual([undefined, undefined]);
    expect(problems).toEqual([expect.stringMatching(/^page-operation-invalid: "api" in the frontmatter of create\.mdx is /)]);
  },
);

test('the playground follows a snippet with fields, and settings that turn it off', async () => {
  const page = `${frontmatter('api: POST /things')}import Fields from '/snippets/fields.mdx';\n\n<Fields />\n`;
  const snippet = (name: string) => ({ 'snippets/fields.mdx': `<ParamField body="${name}" type="file" />` });
  const first = await shown(page, undefined, snippet('photo'));
  expect(first.operation!.body!.contents[0]).toMatchObject({
    type: 'multipart/form-data',
    schema: { properties: { photo: { isFile: true } } },
  });
  const second = await shown(page, undefined, snippet('scan'));
  expect(second.script).not.toBe(first.script);
  const off = await shown(page, { playground: { display: 'none' } }, snippet('photo'));
  expect([off.script, off.operation]).toEqual([undefined, undefined]);
  expect(off.html).toContain('c-endpoint');
});

test('no text of a page becomes an element of its playground', async () => {
  const attack = '</script><img src=x onerror=alert(1)>';
  const lines = `api: "POST https://a.test/x/${attack.replaceAll(' ', '/')}"`;
  const { html, script, hosts } = await shown(
    `${frontmatter(lines)}<ParamField body={${JSON.stringify(attack)}} type="string" />`,
  );
  expect(script).toBeDefined();
  expect(html).not.toMatch(/<img|<\/script>/);
  expect(hosts).toBe('{"servers":["https://a.test"]}\n');
});
