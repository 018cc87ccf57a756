import { describe, expect, test, vi } from 'vitest';
import { english } from '../../../integration/texts/index.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { describedNodes } from '../../../src/openapi/described-nodes.ts';
import { readReference } from '../../../src/openapi/reference.ts';
import { buildSite, type SiteOptions } from '../../../src/site/build-site.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { describedPaths, outline } from '../site/site-of.ts';
import { options } from '../markdown/fixtures.ts';
import { docsFolder } from '../source/docs-folder.ts';

const labels = english.reference;

const specification = {
  openapi: '3.1.0',
  paths: {
    '/users': {
      get: { summary: 'List all users', tags: ['User accounts'] },
      post: { summary: 'Create a user', tags: ['User accounts'] },
    },
    '/users/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { tags: ['User accounts'], summary: 'Get userId', 'x-mint': { href: '/reference/one-user' } },
      delete: { summary: 'Delete', 'x-excluded': true },
      patch: { summary: 'Patch a user', 'x-hidden': true },
    },
    '/status': { get: {} },
  },
  webhooks: { created: { post: { summary: 'User created', tags: ['Events'] } } },
};
const yaml = 'openapi: 3.0.3\npaths:\n  /search:\n    get:\n      summary: Search\n      tags: [Search]\n';
const pages = { 'index.mdx': '# Home', 'guide.mdx': '# Guide' };
type Files = Parameters<typeof docsFolder>[0];

async function site(navigation: unknown, more: Record<string, unknown> = {}, files: Files = {}, siteOptions?: SiteOptions) {
  const docs = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation };
  const folder = docsFolder({
    'docs.json': { ...docs, ...more },
    'api/users.json': specification,
    'api/search.yaml': yaml,
    ...pages,
    ...files,
  });
  return buildSite((await readReference(await readSource(folder))).source, siteOptions);
}

/** The source of a site whose navigation names one operation, and what its page shows, as text. */
async function pagesOf(entry: string, files: Files) {
  const docs = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation: { pages: ['index', entry] } };
  const reference = await readReference(await readSource(docsFolder({ 'docs.json': docs, 'index.mdx': '# Home', ...files })));
  const contentOf = (name: string) => {
    const page = reference.source.pages.find(({ described }) => described?.name === name);
    const { document, described } = reference.describedBy(page!)!;
    return JSON.stringify(describedNodes(document, described, labels));
  };
  return { source: reference.source, contentOf };
}

describe('the operations of an API specification', () => {
  test('are pages in groups of their tags, those that the navigation names and all where it names the specification alone', async () => {
    const docs = await site({
      tabs: [
        { tab: 'Docs', pages: ['index'] },
        {
          tab: 'API',
          openapi: 'api/users.json',
          groups: [
            { group: 'Guides', pages: ['guide', 'GET /users'] },
            { group: 'All users' },
            { group: 'Search', openapi: { source: '/api/search.yaml', directory: '/find' } },
          ],
        },
      ],
    });
    expect(outline(docs, 'API')).toEqual([
      '- Guides',
      '  Guide /guide',
      '  List all users /api-reference/user-accounts/list-all-users',
      '- All users',
      '  GET /status /api-reference/get-status',
      '  + User accounts',
      '    List all users /api-reference/user-accounts/list-all-users',
      '    Create a user /api-reference/user-accounts/create-a-user',
      '    Get userId /reference/one-user',
      '  + Events',
      '    User created /api-reference/events/user-created',
      '- Search',
      '  + Search',
      '    Search /find/search/search',
    ]);
    expect(docs.navigation).toEqual({ listed: 8, exported: 8, links: 0, missing: [] });
    expect(docs.problems).toEqual([]);
  });

  test.each([
    ['GET /users/{id}/', 'GET /users/{id}'],
    ['GET /users/{userId}', 'GET /users/{id}'],
    ['GET /v1/search', 'GET /search'],
    ['GET /user', 'GET /users'],
    ['POST /status', 'GET /status'],
    ['webhook create', 'webhook created'],
  ])('%s names none, and the message names %s', async (wanted, similar) => {
    const docs = await site({ pages: ['index', wanted, 'own'] }, {}, { 'own.mdx': `---\ntitle: Own\nopenapi: ${wanted}\n---` });
    const messages = docs.problems.map(({ message }) => message);
    expect(messages).toHaveLength(2);
    for (const message of messages) expect(message).toContain(`folder; the most similar one is "${similar}".`);
  });

  test('have links in their descriptions to pages beside theirs and to schemas that have a page', async () => {
    const description =
      'See [the guide](../guide), [a parcel](#/components/schemas/Parcel) and [a box](#/components/schemas/Box).';
    const post = {
      openapi: '3.1.0',
      paths: { '/parcels': { get: { summary: 'List', description } } },
      components: { schemas: { Parcel: { type: 'object' }, Box: { type: 'object' } } },
    };
    const { source, contentOf: _ } = await pagesOf('post.json GET /parcels', {
      'post.json': post,
      'guide.mdx': '# Guide',
      'parcel.mdx': '---\nopenapi-schema: Parcel\n---',
    });
    const page = source.pages.find(({ described }) => described?.name === 'GET /parcels')!;
    expect(page.path).toBe('api-reference/list');
    const renderer = createRenderer({ ...options, pagePaths: new Set(['guide', 'parcel', 'api-reference/list']) });
    const { html, problems } = await renderer.render({ ...page, body: description, frontmatter: {} });
    expect(html).toContain('<a href="/guide">the guide</a>, <a href="/parcel">a parcel</a> and <a>a box</a>.');
    expect(problems).toEqual([]);
  });

  test.each([
    ['""', ''],
    ['an empty list', []],
    ['a text of blanks', ' '],
    ['null', null],
  ])('%s as specification of an entry is reported', async (_, openapi) => {
    const docs = await site({
      groups: [
        { group: 'Guides', pages: ['index'] },
        { group: 'API', openapi },
      ],
    });
    expect(docs.problems.map(({ message }) => message)).toEqual([expect.stringContaining('openapi')]);
  });

  test.each([
    ['groups', { groups: [{ group: 'API', openapi: 'api/search.yaml' }] }],
    ['an operation', { pages: ['GET /search'] }],
    ['a specification', { openapi: 'api/search.yaml' }],
  ])('%s of an anchor on all pages have their pages', async (_, entry) => {
    const docs = await site({ pages: ['index'], global: { anchors: [{ anchor: 'API', ...entry }] } });
    expect(describedPaths(docs)).toEqual(['GET /search api-reference/search/search']);
    expect(docs.navigation).toEqual({ listed: 2, exported: 2, links: 0, missing: [] });
    expect(docs.problems).toEqual([]);
  });

  test.each([
    [
      'an anchor on all pages with a link',
      { pages: ['index'], global: { anchors: [{ anchor: 'A', href: 'https://a.example' }] } },
    ],
    ['an anchor on all pages alone', { pages: ['index'], global: { anchors: [{ anchor: 'A' }] } }],
  ])('%s has no pages of the specification of the site', async (_, navigation) => {
    const docs = await site(navigation, { api: { openapi: 'api/search.yaml' } });
    expect(describedPaths(docs)).toEqual([]);
  });

  test('operations are counted where the entries beside are no pages', async () => {
    const openapi = { source: 'api/search.yaml', directory: 'ref' };
    const docs = await site({ tabs: [{ tab: 'API', openapi, anchors: [{ anchor: 'Guides', pages: ['index'] }] }] });
    expect(docs.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('1 of 1 operations have no page, because other entries stand beside it'),
    ]);
  });

  describe.each([
    ['groups of a tab', (rest: object, own: object[]) => ({ tabs: [{ tab: 'API', ...rest, groups: own }] })],
    ['pages of a group', (rest: object, own: object[]) => ({ groups: [{ group: 'API', ...rest, pages: own }] })],
    ['groups of a version', (rest: object, own: object[]) => ({ versions: [{ version: 'v1', ...rest, groups: own }] })],
    [
      'groups of an item',
      (rest: object, own: object[]) => ({
        tabs: [{ tab: 'T', menu: [{ item: 'API', ...rest, groups: own }] }],
      }),
    ],
  ])('of a specification beside the %s', (_, navigation) => {
    const own = [{ group: 'Guides', pages: ['index', 'guide'] }];
    const all = [
      'GET /status ref/get-status',
      'GET /users ref/user-accounts/list-all-users',
      'POST /users ref/user-accounts/create-a-user',
      'GET /users/{id} reference/one-user',
      'webhook created ref/events/user-created',
    ];

    test('have pages after them where a directory is named', async () => {
      const docs = await site(navigation({ openapi: { source: 'api/users.json', directory: 'ref' } }, own));
      expect(describedPaths(docs).toSorted()).toEqual(all.toSorted());
      expect(docs.navigation).toEqual({ listed: 7, exported: 7, links: 0, missing: [] });
      expect(docs.problems).toEqual([]);
    });

    test('have no second page where an entry below or a page of the author has one', async () => {
      const below = [...own, { group: 'All', openapi: { source: 'api/users.json', directory: 'ref' } }];
      const docs = await site(navigation({ openapi: { source: 'api/users.json', directory: 'ref' } }, below));
      expect(describedPaths(docs).toSorted()).toEqual(all.toSorted());
    });

    test.each([
      ['an entry names one', { pages: ['GET /users'] }, {}],
      ['a page of the author has one', { pages: ['status'] }, { 'status.mdx': '---\nopenapi: GET /status\n---' }],
    ])('are counted where %s', async (__, entry, files) => {
      const openapi = { source: 'api/users.json', directory: 'ref' };
      const docs = await site(navigation({ openapi }, [...own, { group: 'Some', ...entry }]), {}, files);
      expect(docs.problems).toEqual([
        expect.objectContaining({
          kind: 'specification-page-missing',
          severity: 'note',
          message: expect.stringMatching(/^"openapi": "api\/users.json" of "(?:API|v1)": 4 of 5 operations have no page/),
        }),
      ]);
    });

    test('are counted where no directory is named', async () => {
      const docs = await site(navigation({ openapi: 'api/users.json' }, own));
      expect(docs.problems.map(({ message }) => message)).toEqual([expect.stringContaining('5 of 5 operations have no page')]);
    });

    test('are reported where the specification is missing', async () => {
      const docs = await site(navigation({ openapi: 'api/other.json' }, own));
      expect(docs.problems.map(({ message }) => message)).toEqual([
        expect.stringContaining('api/other.json is not in the docs folder'),
      ]);
    });
  });

  test.each([
    ['a specification that the entry names', 'api/search.yaml get /search', undefined, 'GET /search api-reference/search/search'],
    ['any specification of the folder', 'GET /search', undefined, 'GET /search api-reference/search/search'],
    [
      'the specification that the site names',
      'GET /users',
      '/api/users.json',
      'GET /users api-reference/user-accounts/list-all-users',
    ],
    ['a hidden operation', 'PATCH /users/{id}', undefined, 'PATCH /users/{id} api-reference/patch-a-user'],
    ['a webhook', 'webhook created', undefined, 'webhook created api-reference/events/user-created'],
  ])('an entry can name %s', async (_, entry, openapi, expected) => {
    const docs = await site({ pages: ['index', entry] }, openapi ? { api: { openapi } } : {});
    expect(describedPaths(docs)).toEqual([expected]);
    expect(docs.navigation).toEqual({ listed: 2, exported: 2, links: 0, missing: [] });
  });

  test.each([
    ['path from the page', '../api/users.json GET /users'],
    ['path from the folder of the docs', '/api/users.json GET /users'],
    ['file name without extension', 'users get /users'],
    ['operation alone', 'GET /users'],
  ])('a page names its operation by the %s', async (_, openapi) => {
    const docs = await site(
      { pages: ['index', 'ref/users'] },
      {},
      { 'ref/users.mdx': `---\nopenapi: ${openapi}\n---\nOwn text.` },
    );
    expect(describedPaths(docs)).toEqual(['GET /users ref/users']);
    expect(docs.pages.find(({ path }) => path === 'ref/users')?.title).toBe('List all users');
    expect(docs.problems).toEqual([]);
  });

  describe('a schema of a specification', () => {
    const components = {
      schemas: {
        Parcel: {
          type: 'object',
          title: 'A parcel',
          description: 'What is sent.',
          required: ['number'],
          properties: {
            number: { type: 'string', readOnly: true, example: 'P-7' },
            secret: { type: 'string', writeOnly: true },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Parcel' } },
          },
        },
        'page<of>50%': { type: 'array', items: { type: 'integer' }, example: [5, 6] },
      },
    };
    const files = { 'post.json': { openapi: '3.1.0', paths: {}, components }, 'other.json': specification };

    test.each([
      ['name', 'Parcel'],
      ['specification and name', 'post.json Parcel'],
      ['file name without extension', 'post Parcel'],
    ])('a page shows it by its %s', async (_, entry) => {
      const page = `---\nopenapi-schema: ${entry}\n---\nOwn text.`;
      const docs = await site({ pages: ['index', 'types/parcel'] }, {}, { ...files, 'types/parcel.mdx': page });
      expect(describedPaths(docs)).toEqual(['schema Parcel types/parcel']);
      expect(docs.pages.find(({ path }) => path === 'types/parcel')?.title).toBe('A parcel');
      expect(docs.problems).toEqual([]);
    });

    test('its page has the fields that are sent and those that are received, and an example', async () => {
      const { contentOf } = await pagesOf('post.json schema Parcel', files);
      const content = contentOf('schema Parcel');
      expect(content).toContain('"name":"number"');
      expect(content).toContain('"name":"secret"');
      expect(content.match(/What is sent\./g)).toHaveLength(1);
      expect(content).toContain(labels.recursive);
      expect(content).toContain('P-7');
    });

    test('an entry of the navigation has a page for it, whatever its name', async () => {
      const { source, contentOf } = await pagesOf('schema page<of>50%', files);
      expect(source.pages.flatMap(({ path, described }) => (described ? path : []))).toEqual(['api-reference/page-of-50']);
      expect(contentOf('schema page<of>50%')).toContain('integer[]');
      expect(contentOf('schema page<of>50%')).toContain('[\\n  5,\\n  6\\n]');
    });

    test('one that no specification has is reported', async () => {
      const page = '---\nopenapi-schema: post.json Box\n---\nOwn text.';
      const docs = await site({ pages: ['index', 'box'] }, {}, { ...files, 'box.mdx': page });
      expect(docs.problems.map(({ message }) => message)).toEqual([
        'box.mdx shows its own text, but not "post.json Box": not found in post.json.',
      ]);
    });

    test('is not listed where the navigation lists a whole specification', async () => {
      const whole = { ...specification, components };
      const docs = await site(
        { pages: ['index'], groups: [{ group: 'API', openapi: 'whole.json' }] },
        {},
        { 'whole.json': whole },
      );
      expect(describedPaths(docs).filter((path) => path.startsWith('schema'))).toEqual([]);
    });
  });

  test('a summary that is too long for a title stands before the description', async () => {
    const long =
      `This event occurs when a parcel moves. See [parcels](https://example.com/parcels). ${'More. '.repeat(20)}`.trim();
    const webhook = (summary: string) => ({ post: { summary, description: 'A parcel moved.' } });
    const events = {
      openapi: '3.1.0',
      webhooks: { moved: webhook(long), 'two-lines': webhook('One.\nTwo.'), late: webhook('Late') },
    };
    const docs = await site({ openapi: 'events.json' }, {}, { 'events.json': events });
    expect(describedPaths(docs).sort()).toEqual([
      'webhook late api-reference/late',
      'webhook moved api-reference/webhook-moved',
      'webhook two-lines api-reference/webhook-two-lines',
    ]);
    expect(docs.pages.map(({ title }) => title)).toEqual(expect.arrayContaining(['Late', 'moved', 'two-lines']));
    const { contentOf } = await pagesOf('webhook moved', { 'events.json': events });
    expect(contentOf('webhook moved')).toContain(JSON.stringify(`${long}\n\nA parcel moved.`).slice(1, -1));
  });

  test('two operations with the same path get a number; the same one listed twice is one page', async () => {
    const same = (summary: string) => ({ summary, tags: ['Things'] });
    const twins = {
      openapi: '3.0.0',
      paths: { '/a': { get: same('Get it') }, '/b': { get: same('Get it') }, '/c': { get: same('Get it') } },
    };
    const docs = await site(
      {
        groups: [
          { group: 'Home', pages: ['index', 'GET /b'] },
          { group: 'API', openapi: 'twins.json' },
        ],
      },
      {},
      { 'twins.json': twins },
    );
    expect(describedPaths(docs).sort()).toEqual([
      'GET /a api-reference/things/get-it-2',
      'GET /b api-reference/things/get-it',
      'GET /c api-reference/things/get-it-3',
    ]);
  });

  test('have the paths that rewrites name', async () => {
    const rewrites = { 'POST /users': '/users/create' };
    const { pages: made } = await site({ groups: [{ group: 'API', openapi: '/api/users.json' }] }, { rewrites });
    expect(made.map(({ path }) => path)).toContain('users/create');
    expect(made.map(({ path }) => path)).not.toContain('api-reference/user-accounts/create-a-user');
  });

  test('a path of an author’s page stays with that page', async () => {
    const docs = await site({ pages: ['index', 'GET /search'] }, {}, { 'api-reference/search/search.mdx': '# Mine' });
    expect(describedPaths(docs)).toEqual(['GET /search api-reference/search/search-2']);
  });

  test('no specification names a path outside the site or in the folder of our own scripts', async () => {
    const at = (href: string) => ({ get: { summary: href, 'x-mint': { href } } });
    const hostile = {
      openapi: '3.0.0',
      paths: {
        '/a': at('../../etc/passwd'),
        '/b': at('/_carrel/site'),
        '/c': at('https://example.com/x'),
        '/d': at('javascript:x()'),
      },
    };
    const navigation = {
      groups: [
        { group: 'Home', pages: ['index'] },
        { group: 'API', openapi: { source: 'hostile.json', directory: '../..' } },
      ],
    };
    expect(describedPaths(await site(navigation, {}, { 'hostile.json': hostile })).sort()).toEqual([
      'GET /a etc/passwd',
      'GET /b api-reference/carrel-site',
      'GET /c api-reference/https-example-com-x',
      'GET /d api-reference/javascript-x',
    ]);
  });

  test('belong to their language', async () => {
    const navigation = {
      languages: [
        { language: 'en', pages: ['index', 'GET /search'] },
        { language: 'de', pages: ['guide', 'GET /users'] },
      ],
    };
    expect(describedPaths(await site(navigation, {}, {}, { language: 'en' }))).toEqual([
      'GET /search api-reference/search/search',
    ]);
  });

  test('can be redirected to', async () => {
    const redirects = [{ source: '/old', destination: '/api-reference/search/search' }];
    const docs = await site({ pages: ['index', 'GET /search'] }, { redirects });
    expect(docs.redirects).toEqual([{ from: 'old', to: '/api-reference/search/search' }]);
  });
});

describe('a specification of several files', () => {
  const split = {
    'api/openapi.yaml': `
openapi: 3.0.3
components: { schemas: { Person: { $ref: 'schemas/User.yaml' }, Team: { type: string } } }
paths:
  /users: { $ref: 'paths/users.yaml' }
  /broken:
    get:
      summary: Broken
      responses:
        200: { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Gone' } } } }
        201: { description: B, content: { application/json: { schema: { $ref: 'schemas/Gone.yaml' } } } }
        202: { description: C, content: { application/json: { schema: { $ref: '../../secret.json' } } } }
        203: { description: D, content: { application/json: { schema: { $ref: 'file:///etc/hosts' } } } }
        204: { description: E, content: { application/json: { schema: { $ref: 'schemas/User.yaml#/nothing' } } } }
        205: { description: E, content: { application/json: { schema: { $ref: 'http://10.0.0.1/x.json' } } } }
`,
    'api/paths/users.yaml': `
post:
  summary: Create a user
  parameters: [{ $ref: '../parameters.yaml#/Limit' }]
  requestBody: { content: { application/json: { schema: { $ref: '../schemas/User.yaml' } } } }
`,
    'api/parameters.yaml': 'Limit: { name: limit, in: query, schema: { type: integer } }\n',
    'api/schemas/User.yaml': `
type: object
required: [name]
properties:
  name: { type: string, nullable: true, example: Ada }
  team: { $ref: 'Team.yaml' }
  example: { $ref: '#/properties/team' }
`,
    'api/schemas/Team.yaml': `
type: object
properties:
  members: { type: array, items: { $ref: 'Member.yaml#/Member' } }
`,
    'api/schemas/Member.yaml': `
Member: { properties: { user: { $ref: 'User.yaml' }, next: { $ref: '#/Member' } } }
`,
  };

  test('is one reference, also where three files refer to each other, and broken references are reported with their place', async () => {
    const folder = docsFolder({
      'docs.json': {
        ...{ name: 'Docs', theme: 'mint', colors: { primary: '#000000' } },
        navigation: { groups: [{ group: 'API', openapi: 'api/openapi.yaml' }] },
      },
      ...pages,
      ...split,
      '../secret.json': '{"type":"object","properties":{"secret":{}}}',
    });
    const reference = await readReference(await readSource(folder));
    const [broken, users] = reference.source.pages.filter(({ described }) => described);
    const { described, document } = reference.describedBy(users!)!;
    const renderer = createRenderer({
      ...options,
      generated: (_, labels) => ({ after: describedNodes(document, described, labels) }),
    });
    const { markdown } = await renderer.render(users!);
    expect(markdown.slice(markdown.indexOf('## Query'))).toMatchInlineSnapshot(`
      "## Query parameters

      - \`limit\` (integer, query)

      ## Body

      \`application/json\`

      - \`name\` (string | null, body, required): Example: \`Ada\`

      - \`team\` (Team-2, body): **fields**

        - \`members\` (Member[]): **fields**

          - \`user\` (Person): Contains the same fields again.

          - \`next\` (Member): Contains the same fields again.

      - \`example\` (Team-2, body): **fields**

        - \`members\` (Member[]): **fields**

          - \`user\` (Person): Contains the same fields again.

          - \`next\` (Member): Contains the same fields again."
    `);
    expect(reference.describedBy(broken!)?.described.title).toBe('Broken');
    expect(reference.source.problems.map(({ page, line, message }) => `${page}:${line} ${message}`)).toMatchInlineSnapshot(`
      [
        "api/openapi.yaml:10 "$ref": "#/components/schemas/Gone" at #/paths/~1broken/get/responses/200/content/application~1json/schema is broken: api/openapi.yaml does not have it.",
        "api/openapi.yaml:11 "$ref": "schemas/Gone.yaml" at #/paths/~1broken/get/responses/201/content/application~1json/schema is broken: api/schemas/Gone.yaml is not in the docs folder.",
        "api/openapi.yaml:12 "$ref": "../../secret.json" at #/paths/~1broken/get/responses/202/content/application~1json/schema is broken: it is outside the docs folder.",
        "api/openapi.yaml:13 "$ref": "file:///etc/hosts" at #/paths/~1broken/get/responses/203/content/application~1json/schema is broken: file: is not read.",
        "api/openapi.yaml:14 "$ref": "schemas/User.yaml#/nothing" at #/paths/~1broken/get/responses/204/content/application~1json/schema is broken: api/schemas/User.yaml does not have it.",
        "api/openapi.yaml:15 "$ref": "http://10.0.0.1/x.json" at #/paths/~1broken/get/responses/205/content/application~1json/schema is broken: http: is not read.",
      ]
    `);
  });
});

test('two operations with one id and an undefined path parameter are reported with their line, and shown', async () => {
  const mistakes = 'openapi: 3.1.0\npaths:\n  /a:\n    get: { operationId: same }\n  /b/{id}:\n    get: { operationId: same }\n';
  const docs = await site({ openapi: 'mistakes.yaml' }, {}, { 'mistakes.yaml': mistakes });
  expect(describedPaths(docs)).toEqual(['GET /a api-reference/get-a', 'GET /b/{id} api-reference/get-b-id']);
  expect(docs.problems.map(({ kind, page, line, message }) => [kind, `${page}:${line}`, message])).toEqual([
    ['specification-invalid', 'mistakes.yaml:6', '"same" is the operation id of GET /a and of GET /b/{id}.'],
    ['specification-invalid', 'mistakes.yaml:6', 'GET /b/{id} does not define its path parameter "id".'],
  ]);
});

test('two operations whose paths differ only in the names of parameters are reported, and both shown', async () => {
  const id = (name: string) => `{ parameters: [{ name: ${name}, in: path, required: true }] }`;
  const twice = `openapi: 3.1.0\npaths:\n  /a/{x}:\n    get: ${id('x')}\n  /a/{y}:\n    get: ${id('y')}\n    post: ${id('y')}\n`;
  const docs = await site({ openapi: 'twice.yaml' }, {}, { 'twice.yaml': twice });
  expect(describedPaths(docs)).toEqual([
    'GET /a/{x} api-reference/get-a-x',
    'GET /a/{y} api-reference/get-a-y',
    'POST /a/{y} api-reference/post-a-y',
  ]);
  expect(docs.problems.map(({ kind, page, line, message }) => [kind, `${page}:${line}`, message])).toEqual([
    ['specification-invalid', 'twice.yaml:6', 'GET /a/{x} and GET /a/{y} are the same path with other names of its parameters.'],
  ]);
});

test('groups come in the order of the tags, by the names of x-group, and x-mint sets what a page shows, not its path', async () => {
  const metadata = { title: 'Every user', description: 'All of them.', tag: 'NEW' };
  const api = {
    openapi: '3.1.0',
    tags: [{ name: 'z', 'x-group': 'Last letter' }, { name: 'a' }],
    paths: {
      '/a': { get: { tags: ['a'], summary: 'A' } },
      '/none': { get: { summary: 'None' } },
      '/z': { get: { tags: ['z'], summary: 'Z', 'x-mint': { metadata, content: '**Before** the reference.' } } },
      '/new': { get: { tags: ['new'], summary: 'New' } },
    },
  };
  const docs = await site({ openapi: 'tags.json' }, {}, { 'tags.json': api });
  expect(outline(docs, 'site')).toEqual([
    'None /api-reference/none',
    '- Last letter',
    '  Every user /api-reference/z/z',
    '- a',
    '  A /api-reference/a/a',
    '- new',
    '  New /api-reference/new/new',
  ]);
  const page = docs.pages.find(({ title }) => title === 'Every user');
  expect(page).toMatchObject({ description: 'All of them.', tag: 'NEW' });
  expect(page?.source.body).toBe('**Before** the reference.');
});

test('an operation that x-mint limits to groups has no page in an export, which leaves out the file, and both are reported', async () => {
  const limited = { get: { summary: 'Limited', 'x-mint': { groups: ['staff'] } } };
  const open = { get: { summary: 'Open', 'x-mint': { groups: [] } } };
  const docs = await site(
    { openapi: 'api.json' },
    {},
    { 'api.json': { openapi: '3.1.0', paths: { '/a': limited, '/b': open } } },
  );
  expect(docs.pages.map(({ title }) => title)).toContain('Open');
  expect(docs.pages.map(({ title }) => title)).not.toContain('Limited');
  expect(outline(docs, 'site').join()).not.toContain('Limited');
  expect(docs.problems.map(({ kind }) => kind)).toEqual(['file-without-use', 'page-limited-to-groups']);
});

test('parts of a schema that no value fits are reported with their line, and no library prints them', async () => {
  const printed = vi.spyOn(console, 'warn');
  const text = `openapi: 3.1.0
paths:
  /a:
    get:
      responses:
        '200':
          description: OK
          content: { application/json: { schema: { $ref: '#/components/schemas/Both' } } }
components:
  schemas:
    Text: { type: string }
    Number: { type: number, allOf: [{ type: integer }] }
    Both:
      allOf:
        - { $ref: '#/components/schemas/Text' }
        - { type: object, properties: { from: { type: string, format: date-time, minLength: 40 } } }
`;
  const { source, contentOf } = await pagesOf('api/both.yaml GET /a', { 'api/both.yaml': text });
  expect(source.problems.map(({ kind, page, line, message }) => [kind, `${page}:${line}`, message])).toEqual([
    [
      'specification-invalid',
      'api/both.yaml:13',
      'The parts of "allOf" at #/components/schemas/Both have different types, string and object: no value fits.',
    ],
  ]);
  expect(contentOf('GET /a')).toContain('"from"');
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

test('an example that does not fit its schema is reported with its file and line, and shown', async () => {
  const text = `openapi: 3.0.3
paths:
  /a:
    post:
      parameters:
        - { name: limit, in: query, example: many, schema: { type: integer } }
        - { name: when, in: query, schema: { type: string, nullable: true, example: null } }
      requestBody:
        content:
          application/json:
            schema: { $ref: 'parts/user.yaml#/User' }
            examples:
              bad:
                value: { name: Ada, address: { zip: 8001 } }
              fits: { value: { name: Ada } }
          application/xml: { schema: { $ref: 'parts/user.yaml#/User' }, example: '<user/>' }
      responses:
        '200':
          description: OK
          content: { application/json: { schema: { $ref: 'parts/user.yaml#/User' }, example: { name: Ada } } }
`;
  const part = `User:
  type: object
  required: [id, name]
  properties:
    id: { type: integer, readOnly: true }
    name: { type: string }
    age:
      type: integer
      example: old
    address: { type: object, properties: { zip: { type: string } } }
    parent: { $ref: '#/User' }
`;
  const files = { 'api/user.yaml': text, 'api/parts/user.yaml': part };
  const { source, contentOf } = await pagesOf('api/user.yaml POST /a', files);
  const at = '#/paths/~1a/post';
  expect(source.problems.map(({ kind, page, line, message }) => [kind, `${page}:${line}`, message])).toEqual([
    ['specification-example-invalid', 'api/user.yaml:6', `The example at ${at}/parameters/0/example must be integer.`],
    [
      'specification-example-invalid',
      'api/user.yaml:14',
      `The example at ${at}/requestBody/content/application~1json/examples/bad/value does not fit its schema: /address/zip must be string.`,
    ],
    [
      'specification-example-invalid',
      'api/user.yaml:20',
      `The example at ${at}/responses/200/content/application~1json/example does not fit its schema: "id" is required.`,
    ],
    ['specification-example-invalid', 'api/parts/user.yaml:9', 'The example at #/User/properties/age/example must be integer.'],
  ]);
  expect(contentOf('POST /a')).toContain('many');
  expect(contentOf('POST /a')).toContain('8001');
});

test('examples are checked of the components that pages can show', async () => {
  const wrong = (more = '') => `{ type: object, ${more}properties: { age: { type: integer, example: old } } }`;
  const text = `openapi: 3.1.0
paths:
  /a:
    get: { responses: { '200': { $ref: '#/components/responses/Pets' } } }
components:
  responses:
    Pets: { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
    Unused: { description: OK, content: { application/json: { schema: { type: integer }, example: many } } }
  schemas:
    Pet: ${wrong('discriminator: { propertyName: kind }, ')}
    Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }, ${wrong()}] }
    Unused: ${wrong()}
    UnusedToo: { allOf: [{ $ref: '#/components/schemas/Unused' }, ${wrong()}] }
`;
  const pages = { 'index.mdx': '---\ntitle: Home\n---\n', 'pets.yaml': text };
  const linesOf = ({ problems }: ReturnType<typeof buildSite>) =>
    problems.filter(({ kind }) => kind === 'specification-example-invalid').map(({ line }) => line);
  const entries = { pages: ['index', 'pets.yaml GET /a'] };
  expect(linesOf(await site(entries, {}, pages))).toEqual([10, 11]);
  // Its page shows a schema that no operation refers to.
  const page = '---\nopenapi-schema: pets.yaml Unused\n---\n';
  expect(linesOf(await site(entries, {}, { ...pages, 'unused.mdx': page }))).toEqual([8, 10, 11, 12, 13]);
});

test('a specification that cannot be read is one message, which counts what needs it', async () => {
  const url = 'https://example.com/openapi.json';
  const pages = Object.fromEntries([1, 2, 3].map((n) => [`page-${n}.mdx`, `---\nopenapi: ${url} GET /${n}\n---\n`]));
  const entry = { tab: 'API', openapi: url };
  const { problems } = await site({ tabs: [{ tab: 'Docs', pages: ['index', `${url} GET /4`] }, entry] }, {}, pages);
  expect(problems.filter(({ kind }) => kind.startsWith('specification-'))).toEqual([
    expect.objectContaining({
      kind: 'specification-not-read',
      page: url,
      message: 'The API specification could not be read: this export downloads nothing. 5 entries and pages need it.',
    }),
  ]);
});

test('an example whose check takes too long is reported, and the others are checked', async () => {
  const text = `openapi: 3.1.0
paths:
  /a:
    get:
      parameters:
        - { name: slow, in: query, example: ${'a'.repeat(60)}b, schema: { type: string, pattern: '^(a+)+$' } }
        - { name: wrong, in: query, example: many, schema: { type: integer } }
`;
  const { source } = await pagesOf('slow.yaml GET /a', { 'slow.yaml': text });
  expect(source.problems.map(({ kind, line, message }) => [kind, line, message])).toEqual([
    [
      'specification-example-invalid',
      6,
      'The example at #/paths/~1a/get/parameters/0/example could not be compared with its schema: that takes too long.',
    ],
    ['specification-example-invalid', 7, 'The example at #/paths/~1a/get/parameters/1/example must be integer.'],
  ]);
});

const operation = '"paths":{"/a":{"get":{"summary":"First","responses":{"200":{"description":"OK"}}}}}';

test('a specification of 40 MB is a page', async () => {
  const schema = JSON.stringify({ type: 'object', properties: { name: { type: 'string', description: 'A name. '.repeat(50) } } });
  const schemas = Array.from({ length: Math.ceil(40e6 / schema.length) }, (_, index) => `"S${index}":${schema}`).join(',');
  const text = `{"openapi":"3.1.0",${operation},"components":{"schemas":{${schemas}}}}`;
  const { source, contentOf } = await pagesOf('big.json GET /a', { 'big.json': text });
  expect(source.problems).toEqual([]);
  expect(contentOf('GET /a')).toContain('"path":"/a"');
});

test.each([
  [
    'YAML of 40 MB',
    'big.yaml',
    `openapi: 3.1.0\n${'# A comment of a large file.\n'.repeat(1_400_000)}`,
    'YAML is read up to 20 MB, JSON up to 64 MB',
  ],
  [
    'YAML of millions of values',
    'dense.yaml',
    `openapi: 3.1.0\npaths: { x: [${'a,'.repeat(8_000_000)}] }\n`,
    'it has more than 750,000 lines and items, which is the limit of YAML: convert it to JSON, which is read up to 64 MB',
  ],
  [
    'JSON of 40 MB with a mistake',
    'broken.json',
    `{"openapi":"3.1.0",${operation},"x":[${'"a",'.repeat(10_000_000)}}`,
    'Unexpected token \'}\', ..."","a","a",}" is not valid JSON',
  ],
])('%s is reported, and the other pages are there', async (_, path, text, reason) => {
  const groups = [
    { group: 'Home', pages: ['index'] },
    { group: 'API', openapi: path },
  ];
  const docs = await site({ groups }, {}, { [path]: text });
  expect(docs.pages.map(({ source }) => source.file)).toContain('index.mdx');
  const { message } = docs.problems.find(({ kind, page }) => kind === 'specification-not-read' && page === path)!;
  expect(message).toBe(`The API specification could not be read: ${reason}. One entry or page needs it.`);
});

test('a change of a specification changes the pages of the operations that show it', async () => {
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const operation = (summary: string, name: string) => ({ summary, responses: { 200: { content: content(name) } } });
  const given = {
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: {
      '/a': { get: operation('A', 'Team') },
      '/b': { get: operation('B', 'User') },
      '/c': { get: operation('C', 'Other') },
    },
    components: {
      schemas: {
        Team: { properties: { members: { items: { $ref: '#/components/schemas/User' } } } },
        User: { properties: { team: { $ref: '#/components/schemas/Team' } } },
        Other: { type: 'object' },
        Unused: {},
      },
    },
  };
  const digests = async (change?: (specification: typeof given) => void) => {
    const specification = structuredClone(given);
    change?.(specification);
    const folder = docsFolder({
      'index.mdx': '# Home',
      'a.json': specification,
      'docs.json': { navigation: { openapi: 'a.json' } },
    });
    const { source } = await readReference(await readSource(folder));
    return source.pages.map(({ frontmatter, digest }) => [frontmatter.title, digest]);
  };
  const before = await digests();
  const changed = async (change: (specification: typeof given) => void) => {
    const after = await digests(change);
    return after.filter(([, digest], index) => digest !== before[index]![1]).map(([title]) => title);
  };
  expect(before.map(([title]) => title)).toEqual([undefined, 'A', 'B', 'C']);
  expect(await changed(({ components }) => void (components.schemas.Unused = { type: 'string' } as object))).toEqual([]);
  expect(await changed(({ components }) => void (components.schemas.Other.type = 'string'))).toEqual(['C']);
  expect(await changed(({ components }) => void Object.assign(components.schemas.User, { title: 'New' }))).toEqual(['A', 'B']);
  expect(await changed(({ servers }) => void (servers[0]!.url = 'https://b.example'))).toEqual(['A', 'B', 'C']);
});

test('a specification of another host is downloaded, and its copy used when there is no network', async () => {
  const url = 'https://api.example.com/v1/openapi.json';
  const hosted: Record<string, string> = {
    [url]: JSON.stringify({
      openapi: '3.1.0',
      paths: {
        '/remote': {
          get: { summary: 'Remote', responses: { 200: { content: { 'application/json': { schema: { $ref: './a.json' } } } } } },
          put: { responses: { 200: { content: { 'application/json': { schema: { $ref: 'https://other.example/a.json' } } } } } },
        },
      },
    }),
    'https://api.example.com/v1/a.json': '{"type":"object","properties":{"a":{"type":"string"}}}',
  };
  const asked: string[] = [];
  const online = async ({ href }: URL) => {
    asked.push(href);
    if (hosted[href] === undefined) throw new Error('the host answers 404');
    return Buffer.from(hosted[href]);
  };
  const offline = () => Promise.reject(new Error('its host was not found'));
  const stored = new Map<string, string>();
  const cache = { get: (key: string) => stored.get(key), set: (key: string, value: string) => void stored.set(key, value) };
  const folder = docsFolder({
    'docs.json': {
      navigation: {
        groups: [
          { group: 'API', openapi: url },
          { group: 'Gone', openapi: `${url}x` },
        ],
      },
    },
    'page.mdx': `---\nopenapi: ${url} GET /remote\n---\n`,
  });
  const read = async (download?: (url: URL) => Promise<Uint8Array>) => {
    const { source, remoteFiles, describedBy } = await readReference(await readSource(folder), { cache, download });
    const { navigation } = buildSite(source);
    const documents = source.pages.map((page) => [page.path, describedBy(page)?.document]);
    const problems = source.problems.map(({ kind, page, message }) => `${kind} ${page} ${message}`);
    return { navigation, documents, problems, remoteFiles };
  };
  const downloaded = await read(online);
  expect(downloaded.documents.map(([path]) => path)).toEqual(['api-reference/put-remote', 'api-reference/remote', 'page']);
  expect(downloaded.navigation.missing.map(({ reason }) => reason)).toEqual([
    `${url}x could not be read: it could not be downloaded: the host answers 404`,
  ]);
  expect(downloaded.problems.join('\n')).toContain('it is on another host than the specification');
  expect(asked).toEqual([url, 'https://api.example.com/v1/a.json', `${url}x`]);
  expect(downloaded.remoteFiles).toEqual([
    { url: 'https://api.example.com/v1/a.json', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), stored: false },
    { url, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), stored: false },
  ]);
  for (const download of [offline, undefined]) {
    const copy = await read(download);
    expect(copy.documents).toEqual(downloaded.documents);
    expect(copy.remoteFiles.map(({ stored }) => stored)).toEqual([true, true]);
    expect(copy.problems.filter((problem) => problem.startsWith('specification-from-cache'))).toHaveLength(2);
  }
});

describe('a page that cannot be made is missing with its reason', () => {
  test.each<[string, string, string, Files]>([
    [
      'on another host',
      'https://example.com/openapi.json',
      'https://example.com/openapi.json could not be read: this export downloads nothing',
      {},
    ],
    [
      'by an address without TLS',
      'http://example.com/openapi.json',
      'http://example.com/openapi.json could not be read: only https: is downloaded',
      {},
    ],
    ['that is not in the folder', 'gone.json', 'gone.json is not in the docs folder', {}],
    ['of another format', 'data.json', 'data.json is not an OpenAPI specification', { 'data.json': '{"a":1}' }],
    [
      'without operations',
      'empty.json',
      'empty.json could not be read: it has neither paths nor webhooks',
      { 'empty.json': '{"openapi":"3.1.0"}' },
    ],
    [
      'that is not JSON',
      'broken.json',
      'broken.json could not be read: the file ends unexpectedly after ","',
      { 'broken.json': '{\n  "openapi": "3.1.0",\n' },
    ],
  ])('of a specification %s', async (_, openapi, reason, files) => {
    const docs = await site(
      {
        tabs: [
          { tab: 'Docs', pages: ['index'] },
          { tab: 'API', openapi },
        ],
      },
      {},
      files,
    );
    expect(docs.navigation).toEqual({
      listed: 2,
      exported: 1,
      links: 0,
      missing: [{ entry: `"openapi": "${openapi}"`, at: 'API', reason }],
    });
    const unread = reason.split(' could not be read: ')[1];
    const message = unread
      ? `The API specification could not be read: ${unread}. One entry or page needs it.`
      : `No page for "openapi": "${openapi}" (in API): ${reason}.`;
    expect(docs.problems.map((one) => one.message)).toContain(message);
  });

  test('of an operation that no specification has', async () => {
    const { navigation } = await site({ pages: ['index', 'GET /gone', 'api/search.yaml POST /search'] });
    expect(navigation.missing).toEqual([
      { entry: 'GET /gone', at: 'docs.json', reason: 'not found in any specification in the docs folder' },
      {
        entry: 'api/search.yaml POST /search',
        at: 'docs.json',
        reason: 'not found in api/search.yaml; the most similar one is "GET /search"',
      },
    ]);
  });

  test('and the line of a mistake in the specification', async () => {
    const docs = await site(
      { pages: ['index'], tabs: [] },
      { api: { openapi: 'broken.yaml' } },
      { 'broken.yaml': 'openapi: 3.1.0\npaths:\n  /a: {get: [}\n', 'a.mdx': '---\nopenapi: GET /a\n---\n' },
    );
    expect(docs.problems).toContainEqual(
      expect.objectContaining({ kind: 'specification-not-read', page: 'broken.yaml', line: 3 }),
    );
  });
});
