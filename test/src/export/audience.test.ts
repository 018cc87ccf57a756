// What only some readers may see is in no byte of another reader's export.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../integration/diagnostics.ts';
import type { PageSettings } from '../../../integration/page-settings.ts';
import { exportDocs } from '../../../src/export/export-docs.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

/** Exports docs for readers of some groups, each time into the same folder with the same cache. */
function audiences(files: Record<string, string>) {
  const root = temporaryFolder();
  const docs = join(root, 'docs');
  writeFiles(docs, files);
  return async (groups?: string[], options: { cache?: string | false; settings?: PageSettings } = {}) => {
    const out = join(root, 'site');
    const { warnings } = await exportDocs({
      ...{ source: docs, out, groups, deployment: 'client-hosted', vendor: false, environment: {}, now: Date.now() + 1000 },
      ...{ siteUrl: 'https://docs.example.com', cache: options.cache ?? join(root, 'cache') },
      settings: options.settings,
    });
    return { files: filesOf(out), warnings };
  };
}

const page = (title: string, body: string, more = '') => `---\ntitle: ${title}\n${more}---\n\n${body}\n`;
const drawing = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`;

/** A site whose partners have a secret in each place that an export can carry one to. */
const secretive = {
  'docs.json': JSON.stringify({
    name: 'Harbor',
    favicon: '/icon.svg',
    variables: { fee: 'secretvariable' },
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index', 'guides/boats', 'partners/secretpath'] },
        { tab: 'secrettab', groups: ['partner'], pages: ['guides/berths'] },
        { tab: 'API', openapi: 'api.json' },
        { tab: 'News', pages: ['news', 'partners/secretnews'] },
      ],
    },
    redirects: [
      { source: '/secretsource', destination: '/partners/secretpath' },
      { source: '/former', destination: '/partners/secretpath#secretanchor' },
      { source: '/old-boats', destination: '/guides/boats' },
    ],
  }),
  'index.mdx': page(
    'Harbor',
    'Read [about **prices**](/partners/secretpath "For partners"), [berths](./guides/berths), [a file](/files/rules.txt), and <a href="/partners/secretpath">more</a>.\n\n<Card title="Prices" href="/partners/secretpath">What it costs.</Card>',
  ),
  'guides/boats.mdx': page('Boats', 'Boats are moored.\n\n![A boat](/images/boat.svg)'),
  'guides/berths.mdx': page('Berths', 'Berths of secretberth.'),
  'partners/secretpath.mdx': page(
    'secrettitle',
    [
      '## secretheading',
      'import Note from "/snippets/note.mdx";',
      '<Note/>',
      '![secretalt](/images/secretimagename.svg)',
      '```js title="secretcodetitle"\nconst secretcode = 1;\n```',
      '```mermaid\ngraph TD\n  A[secretdiagram] --> B\n```',
      '<Tooltip tip="secretprop">word</Tooltip> costs {{fee}}. Math: $secretmath$.',
    ].join('\n\n'),
    'groups: [partner]\ndescription: secretdescription\nkeywords: [secretkeyword]\n"og:title": secretmeta\nsidebarTitle: secretlabel\n',
  ),
  'partners/secretnews.mdx': page('Changes', '<Update label="secretupdate">secretentry</Update>', 'groups: partner\n'),
  'news.mdx': page('News', '<Update label="June">Boats.</Update>'),
  'snippets/note.mdx': 'A secretsnippet.',
  'images/boat.svg': drawing('boat'),
  'images/secretimagename.svg': drawing('secretimage'),
  'icon.svg': drawing('icon'),
  'files/rules.txt': 'Rules of the harbor.',
  'files/unused.txt': 'secretfile',
  'llms.txt': 'secretlist',
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Harbor', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/boats': {
        get: {
          summary: 'List boats',
          responses: {
            '200': {
              description: 'Boats',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } },
            },
          },
        },
      },
      '/secretendpoint': {
        get: {
          summary: 'secretoperation',
          'x-mint': { groups: ['partner'] },
          responses: { '200': { description: 'ok', content: { 'application/json': { example: { a: 'secretexample' } } } } },
        },
      },
      '/tariffs': {
        'x-mint': { groups: ['partner'] },
        get: { summary: 'secrettariff', responses: { '200': { description: 'ok' } } },
      },
    },
    components: {
      schemas: {
        Boat: {
          type: 'object',
          required: ['name', 'secretproperty'],
          properties: {
            name: { type: 'string' },
            secretproperty: { type: 'string', 'x-mint': { groups: ['partner'] } },
            size: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/secretschema' }] },
          },
        },
        secretschema: { type: 'object', 'x-mint': { groups: ['partner'] }, properties: { secretfield: { type: 'string' } } },
      },
    },
  }),
};

const secrets = [...new Set(JSON.stringify(secretive).match(/secret[a-z]+/g))].filter(
  (word) => word !== 'secretfile' && word !== 'secretlist',
);

function found(files: Record<string, string>): string[] {
  const all = Object.entries(files).map(([name, text]) => `${name}\n${text}`.toLowerCase());
  return ['secretfile', 'secretlist', ...secrets].filter((word) => all.some((text) => text.includes(word)));
}

describe('secrets of partners', () => {
  test('are all in the export for partners, and in no file of one for everybody or for other groups, which have the bytes of exports without a cache', async () => {
    const exported = audiences(secretive);
    for (const groups of [undefined, ['beta', 'Partner']]) {
      // Written over the partners' own export, whose files and caches hold them.
      const before = await exported(['beta', 'partner']);
      expect(secrets.filter((word) => !found(before.files).includes(word))).toEqual([]);
      expect(before.warnings.filter(({ kind }) => /limited|without-use/.test(kind))).toEqual([]);
      expect(JSON.parse(before.files['carrel.json']!)).toMatchObject({
        audience: ['beta', 'partner'],
        accent: { light: '#2461e5', dark: '#5182ef' },
      });
      const { files, warnings } = await exported(groups);
      expect(found(files)).toEqual([]);
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining([
          'guides/boats/index.html',
          'old-boats/index.html',
          'images/boat.svg',
          'icon.svg',
          'files/rules.txt',
        ]),
      );
      expect(files['index.md']).toContain('Read about **prices**, berths, [a file](files/rules.txt), and more.');
      expect(files['index.html']).toMatch(/Read <a title="For partners">about <strong>prices<\/strong><\/a>/);
      const named = (kind: Problem['kind']) => warnings.filter((one) => one.kind === kind).map((one) => one.page);
      expect(named('page-limited-to-groups')).toEqual(
        expect.arrayContaining(['guides/berths.mdx', 'partners/secretnews.mdx', 'partners/secretpath.mdx']),
      );
      expect(named('file-without-use')).toEqual(
        expect.arrayContaining(['files/unused.txt', 'images/secretimagename.svg', 'llms.txt', 'api.json']),
      );
      expect(named('link-to-limited-page')).toContain('index.mdx');
      expect(JSON.parse(files['carrel.json']!).audience).toEqual(groups && [...groups].sort());
      expect(files).toEqual((await exported(groups, { cache: false })).files);
    }
  });
});

describe('an API of which partners see more', () => {
  const limited = { 'x-mint': { groups: ['partner'] } };
  const example = { name: 'Heron', secretproperty: 'secretvalue', berth: { secretinner: 'secretdeep', length: 9 } };
  const boat = {
    type: 'object',
    required: ['name', 'secretproperty'],
    properties: {
      name: { type: 'string', example: 'Stork' },
      secretproperty: { type: 'string', ...limited, default: 'secretdefault' },
      berth: {
        type: 'object',
        properties: { secretinner: { type: 'string', ...limited }, length: { type: 'integer' } },
        default: { secretinner: 'secretfixed', length: 7 },
      },
      kinds: {
        type: 'array',
        items: { anyOf: [{ $ref: '#/components/schemas/Sail' }, { $ref: '#/components/schemas/Secretkind' }] },
        example: [{ sails: 3, secretmotor: 'secretdiesel' }],
      },
      crew: { type: 'array', items: { $ref: '#/components/schemas/Secretkind' }, example: [{ secretmotor: 'secretcrew' }] },
    },
    examples: [example],
  };
  const schemas = {
    Boat: boat,
    Fast: { allOf: [{ $ref: '#/components/schemas/Boat' }, { type: 'object', properties: { knots: { type: 'integer' } } }] },
    Sail: { type: 'object', properties: { sails: { type: 'integer' } } },
    Secretkind: { type: 'object', ...limited, properties: { secretmotor: { type: 'string' } } },
  };
  const json = (content: object) => ({ 'application/json': content });
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Harbor', version: '1' },
    paths: {
      '/boats': {
        get: {
          summary: 'List boats',
          parameters: [
            { name: 'like', in: 'query', schema: { $ref: '#/components/schemas/Boat' }, example: { ...example, knots: 30 } },
          ],
          responses: {
            '200': {
              description: 'Boats',
              content: json({
                schema: { type: 'array', items: { $ref: '#/components/schemas/Fast' } },
                examples: { two: { value: [example, { name: 'Crane', knots: 12 }] }, all: { $ref: '#/components/examples/All' } },
              }),
            },
            '400': {
              description: 'As text',
              content: json({ schema: { $ref: '#/components/schemas/Boat' }, example: '{"secretproperty": "secrettext"}' }),
            },
            '404': {
              description: 'Whole',
              content: json({ schema: { $ref: '#/components/schemas/Secretkind' }, example: { secretmotor: 'secretwhole' } }),
            },
          },
        },
      },
    },
    components: { schemas, examples: { All: { value: [example] } } },
  };
  const asyncapi = {
    asyncapi: '3.0.0',
    info: { title: 'Events', version: '1' },
    channels: {
      boats: {
        address: 'boats',
        messages: { moored: { payload: boat, examples: [{ name: 'one', payload: { ...example, name: 'Ibis' } }] } },
      },
    },
    operations: { hear: { action: 'receive', channel: { $ref: '#/channels/boats' } } },
    components: { schemas },
  };
  const docs = (body: string) => ({
    'docs.json': JSON.stringify({
      name: 'Harbor',
      navigation: {
        tabs: [
          { tab: 'Guides', pages: ['index'] },
          { tab: 'API', openapi: 'api.json' },
          { tab: 'Events', asyncapi: 'events.json' },
        ],
      },
    }),
    'index.mdx': page('Harbor', body),
    'api.json': JSON.stringify(openapi),
    'events.json': JSON.stringify(asyncapi),
  });
  const words = [...new Set(JSON.stringify([openapi, asyncapi]).match(/[Ss]ecret[a-z]+/g))].map((word) => word.toLowerCase());

  test.each([
    ['that no page links to', 'Boats.'],
    ['that a page links to', 'Boats: [API](/api.json), [events](events.json).'],
  ])('and whose files, %s, are no way to what they see: neither are examples, defaults and the file itself', async (_, body) => {
    const exported = audiences(docs(body));
    const all = await exported(['partner']);
    const whole = Object.entries(all.files).map(([name, text]) => `${name}\n${text}`.toLowerCase());
    expect(words.filter((word) => !whole.some((text) => text.includes(word)))).toEqual([]);
    for (const groups of [undefined, ['staff']]) {
      const { files, warnings } = await exported(groups);
      const texts = Object.entries(files).map(([name, text]) => `${name}\n${text}`.toLowerCase());
      expect(words.filter((word) => texts.some((text) => text.includes(word)))).toEqual([]);
      const left = warnings.filter(({ kind }) => kind === 'file-without-use').map((one) => one.page);
      expect(left.toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual(['api.json', 'events.json']);
      // What they may see of the same examples stays.
      for (const word of ['heron', 'crane', 'ibis', 'stork'])
        expect([word, texts.some((text) => text.includes(word))]).toEqual([word, true]);
    }
  });

  test('of which an entry of the navigation is for partners, is in no file', async () => {
    const exported = audiences({
      'docs.json': JSON.stringify({
        name: 'Harbor',
        navigation: {
          tabs: [
            { tab: 'Guides', pages: ['index'] },
            { tab: 'API', groups: ['partner'], openapi: 'api.json' },
          ],
        },
      }),
      'index.mdx': page('Harbor', 'Boats: [API](/api.json).'),
      'api.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Harbor', version: '1' },
        paths: { '/berths': { get: { summary: 'secretberths', responses: { '200': { description: 'ok' } } } } },
      }),
    });
    expect((await exported(['partner'])).files['api.json']).toContain('secretberths');
    expect(Object.values((await exported()).files).filter((text) => text.includes('secretberths'))).toEqual([]);
  });
});

describe('a page that takes the text of a limited one', () => {
  test('is left out and reported, in the syntax of each generator', async () => {
    const file = '/partners/prices.md';
    const takers = {
      'vitepress.mdx': `<!--@include: .${file}-->`,
      'vitepress-code.mdx': `<<< .${file}`,
      'mkdocs.mdx': `--8<-- "${file.slice(1)}"`,
      'mdbook.mdx': `{{#include .${file}}}`,
      'myst.mdx': `\`\`\`{include} .${file}\n\`\`\``,
      'docfx.mdx': `[!INCLUDE [prices](.${file})]`,
      'snippet.mdx': 'import Note from "/snippets/note.mdx";\n\n<Note/>',
    };
    const exported = audiences({
      'index.mdx': page('Harbor', 'Boats.'),
      ...Object.fromEntries(Object.entries(takers).map(([name, text]) => [name, page(name, text)])),
      'snippets/note.mdx': `<!--@include: ..${file}-->`,
      [file.slice(1)]: page('Prices', 'Zanzibar.', 'groups: [partner]\n'),
    });
    const { files, warnings } = await exported();
    expect(JSON.stringify(files)).not.toMatch(/zanzibar/i);
    expect(Object.keys(files)).toContain('index.html');
    const { files: all } = await exported(['partner']);
    for (const name of Object.keys(takers)) {
      expect(warnings).toContainEqual(expect.objectContaining({ kind: 'snippet-limited-to-groups', page: name }));
      expect(all[name.replace('.mdx', '/index.html')], name).toContain('Zanzibar');
    }
  });

  test('is left out and reported where an entry of the navigation limits it', async () => {
    const groups = [
      { group: 'Open', pages: ['index', 'imports', 'includes'] },
      { group: 'Partners', groups: ['partner'], pages: ['partners/prices'] },
    ];
    const exported = audiences({
      'docs.json': JSON.stringify({ name: 'Harbor', navigation: { groups } }),
      'index.mdx': page('Harbor', 'Boats.'),
      'imports.mdx': page('Fees', 'import Prices from "/partners/prices.mdx"\n\n<Prices/>'),
      'includes.mdx': page('Costs', '<!--@include: ./partners/prices.mdx-->'),
      'partners/prices.mdx': page('Prices', 'Zanzibar.'),
    });
    const { files, warnings } = await exported();
    expect(JSON.stringify(files)).not.toMatch(/zanzibar/i);
    expect(Object.keys(files)).toContain('index.html');
    expect(warnings.map(({ kind, page: file }) => `${kind} ${file}`).sort()).toEqual([
      'page-limited-to-groups partners/prices.mdx',
      'snippet-limited-to-groups imports.mdx',
      'snippet-limited-to-groups includes.mdx',
    ]);
    const { files: all } = await exported(['partner']);
    for (const name of ['imports', 'includes']) expect(all[`${name}/index.html`]).toContain('Zanzibar');
  });
});

describe('a word that only a limited page has, in the export for everybody', () => {
  const harbor = (seen = '') => ({
    'index.mdx': page('Harbor', `Boats. ${seen}`),
    'partners.mdx': page('Partners', 'The berths of Zanzibar.', 'groups: [partner]\n'),
  });
  const settings = { features: { assistant: { url: 'https://ai.example.com', suggestions: ['Who moors at zanzibar?'] } } };

  test('stops it: the error names the file, the word and the page, and nothing is written', async () => {
    const exported = audiences(harbor());
    const { files: before } = await exported();
    await expect(exported(undefined, { settings })).rejects.toMatchObject({
      code: 'LimitedWordFound',
      message: expect.stringMatching(/^carrel\.config\.js would contain "zanzibar", which only partners\.mdx has/),
    });
    expect((await exported(['partner'], { settings })).files).toHaveProperty(['partners/index.html']);
    await expect(exported(undefined, { settings })).rejects.toThrow('zanzibar');
    expect((await exported()).files).toEqual(before);
  });

  test.each(['', 'groups: [partner]\n'])('stops it, too, where the limited page imports it (%j)', async (more) => {
    const exported = audiences({
      ...harbor(),
      'partners.mdx': page('Partners', 'import Berths from "/berths.mdx"\n\n<Berths/>', 'groups: [partner]\n'),
      'berths.mdx': page('Berths', 'In Zanzibar.', more),
    });
    await expect(exported(undefined, { settings })).rejects.toThrow('"zanzibar", which only berths.mdx has');
  });

  test('is no secret where a page for everybody has it, whatever is around it', async () => {
    const words = ['zanzibar', 'mombasa', 'mogadishu', 'lamu', 'kilwa'];
    const suggestions = words.map((word) => `Who moors at ${word}?`);
    const { assistant } = settings.features;
    const { files } = await audiences({
      ...harbor('Zanzibar, `Mom`basa, **MOGADISHU**s, anti-lamu and Kilwaes.'),
      'partners.mdx': page('Partners', `The berths of ${words.join(' and ')}.`, 'groups: [partner]\n'),
    })(undefined, { settings: { features: { assistant: { ...assistant, suggestions } } } });
    for (const word of words) expect(files['carrel.config.js']).toContain(word);
  });

  test('is none where every export has it', async () => {
    const own = 'viewport stylesheet sitemap canonical deployment optional refresh callout';
    const { files } = await audiences({ ...harbor(), 'partners.mdx': page('Partners', own, 'groups: [partner]\n') })();
    expect(files['index.html']).toContain('viewport');
  });
});
