import { beforeAll, describe, expect, test } from 'vitest';
import { createIndexBuilder } from '../../../../integration/search/builder.ts';
import { openIndex, type SearchIndex } from '../../../../integration/search/index.ts';
import { shardText } from '../../../../integration/search/shards.ts';
import { passagesOf } from '../../../../server/assistant/retrieve/passages.ts';
import { createSources, urlOf } from '../../../../server/assistant/retrieve/sources.ts';
import { retrieve } from '../../../../server/assistant/retrieve/retrieve.ts';
import { firstTokens, tokensIn } from '../../../../server/assistant/retrieve/prompt-text.ts';
import { questionOf } from '../written-question.ts';

type Part = [anchor: string, heading: string, text: string, code?: string];

async function indexOf(pages: [path: string, title: string, ...parts: Part[]][]): Promise<SearchIndex> {
  const builder = createIndexBuilder();
  for (const [page, title, ...parts] of pages) {
    const sections = parts.map(([anchor, heading, text, code = '']) => {
      const id = anchor === '' ? page : `${page}#${anchor}`;
      return { id, page, title, headings: heading === '' ? [] : [heading], text, code, language: 'en' };
    });
    builder.addPage({ page, title, sections });
  }
  const files = new Map(builder.finish());
  return openIndex({ load: async (name) => shardText(files.get(`${name}.js`)!) });
}

let index: SearchIndex;
beforeAll(async () => {
  index = await indexOf([
    [
      'install',
      'Install',
      ['', '', 'Install the program with npm.'],
      ['windows', 'On Windows', 'Run the installer as an administrator.'],
    ],
    ['windows', 'Windows', ['', '', 'The window can be moved.']],
    ['v1/ports', 'Ports', ['', '', 'The server listens on a port.']],
    ['v2/ports', 'Ports', ['', '', 'The server listens on a port.']],
    ['v2', 'Version two', ['', '', 'All about version two and its server port.']],
    [
      'deploy/proxy',
      'Behind a proxy',
      ['', '', 'Set trustedProxies when nginx is in front.'],
      ['headers', 'Headers', 'The header x-forwarded-for is read from the proxy.'],
    ],
    [
      'reference',
      'Reference',
      ...Array.from({ length: 10 }, (_, i): Part => [`s${i}`, `Setting ${i}`, `The setting number ${i} of the tide.`]),
    ],
  ]);
});

const ids = async (question: Parameters<typeof questionOf>[0]) =>
  (await retrieve(index, questionOf(question))).map(({ id }) => id);

describe('what is searched for', () => {
  test('a short question continues the one before it', async () => {
    expect((await ids('And on Windows?'))[0]).toBe('windows');
    const turns = [
      { role: 'user' as const, text: 'How do I install the program?' },
      { role: 'assistant' as const, text: 'With npm [1].' },
    ];
    expect((await ids({ text: 'And on Windows?', turns }))[0]).toBe('install#windows');
  });

  test('a self-contained question does not', async () => {
    const turns = [{ role: 'user' as const, text: 'How do I install the program?' }];
    expect((await ids({ text: 'Which header is read from the nginx proxy in front?', turns }))[0]).toMatch(/^deploy\/proxy/);
  });

  test('the selection of the reader counts', async () => {
    const context = [{ type: 'code' as const, value: 'trustedProxies: ["10.0.0.1"]' }];
    expect((await ids({ text: 'What does this do?', context }))[0]).toBe('deploy/proxy');
  });

  test('the current page and its neighbors rank above equals', async () => {
    expect((await ids({ text: 'port', currentPath: 'v1/ports' }))[0]).toBe('v1/ports');
    expect((await ids({ text: 'port', currentPath: 'v2/ports' }))[0]).toBe('v2/ports');
    expect((await ids({ text: 'listens port', currentPath: 'v2/other' }))[0]).toBe('v2/ports');
  });

  test('"this page" is the current page', async () => {
    const found = await retrieve(
      index,
      questionOf({ text: 'What does this page say?', currentPath: 'deploy/proxy' }),
      (path) => ({
        path,
        title: 'Behind a proxy',
        language: 'en',
      }),
    );
    expect(found.slice(0, 2).map(({ page }) => page)).toEqual(['deploy/proxy', 'deploy/proxy']);
  });

  test('groups change nothing: an export holds public pages only', async () => {
    const filter = { groups: ['admins', 'nobody'] };
    expect(await ids({ text: 'install', filter })).toEqual(await ids('install'));
  });

  test('a text of a megabyte is a question like any other', async () => {
    expect((await ids(`How do I install on Windows? ${'and so on '.repeat(100_000)}`))[0]).toBe('install#windows');
  });

  test.each(['', ' ', '???', '\u0000', '[]'])('nothing is found for %j', async (text) => {
    expect(await ids(text)).toEqual([]);
  });
});

describe('the selection of sections', () => {
  test('takes at most the given pages and four sections of each, with scores relative to the best', async () => {
    const found = await retrieve(index, questionOf({ text: 'setting tide server port', pages: 2 }));
    expect(new Set(found.map(({ page }) => page)).size).toBeLessThanOrEqual(2);
    expect(found.filter(({ page }) => page === 'reference').length).toBeLessThanOrEqual(4);
    expect(found[0]!.score).toBe(1);
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
    expect(found.every(({ score }) => score > 0 && score <= 1)).toBe(true);
  });

  test('the best section comes first, with numbers', async () => {
    const found = await retrieve(index, questionOf('header of the proxy'));
    const passages = passagesOf(found, 4000);
    expect(found.length).toBeGreaterThan(1);
    expect(passages.map(({ section }) => section.id)).toEqual(found.map(({ id }) => id));
    expect(passages.map(({ number }) => number)).toEqual(passages.map((_, i) => i + 1));
  });

  test('a page is one source, at the section that is cited first, and pages are numbered as they are cited', async () => {
    const passages = passagesOf(await retrieve(index, questionOf('header of the proxy')), 4000);
    const [lead, headers] = passages
      .map(({ section }) => section)
      .filter(({ page }) => page === 'deploy/proxy')
      .sort((a, b) => a.section - b.section);
    const other = { id: 'a', page: 'a', title: 'A', headings: [] };
    const sources = createSources('https://docs.test');
    const cite = (section: Parameters<typeof sources.cite>[0]) => sources.cite(section, () => 'Words.');
    expect(sources.fresh()).toEqual([]);
    expect([headers!, lead!, other, headers!].map(cite)).toEqual([1, 1, 2, 1]);
    expect(sources.fresh()).toEqual([
      {
        number: 1,
        id: 'deploy/proxy#headers',
        url: 'https://docs.test/deploy/proxy#headers',
        title: headers!.title,
        headings: headers!.headings,
        excerpt: 'Words.',
        score: headers!.score,
      },
      { number: 2, ...other, page: undefined, url: 'https://docs.test/a', excerpt: 'Words.', score: undefined },
    ]);
    expect(sources.fresh()).toEqual([]);
  });

  test('takes the best sections that fit into the tokens', async () => {
    const found = await retrieve(index, questionOf('setting tide'));
    const all = passagesOf(found, 10_000);
    const few = passagesOf(found, 100);
    expect(few.length).toBeLessThan(all.length);
    expect(few.map(({ section }) => section.id)).toContain(found[0]!.id);
    expect(passagesOf(found, 0)).toHaveLength(1);
  });

  test('takes the matching part of a long section', async () => {
    const text = `${'Words about nothing much. '.repeat(300)}The anchor chain is 90 fathoms long. ${'More words about nothing. '.repeat(400)}`;
    const long = await indexOf([['long', 'Long', ['', '', text, 'code '.repeat(3000)]]]);
    const [passage] = passagesOf(await retrieve(long, questionOf('anchor chain fathoms')), 2000);
    expect(passage!.text).toContain('90 fathoms');
    expect(tokensIn(passage!.text)).toBeLessThan(1000);
  });
});

test.each([
  ['guides/install#npm', undefined, '/guides/install#npm'],
  ['', undefined, '/'],
  ['#top', undefined, '/#top'],
  ['a b/ü#ö?', 'https://docs.test/base/', 'https://docs.test/base/a%20b/%C3%BC#%C3%B6%3F'],
])('the URL of %j on %j is %s', (id, siteUrl, expected) => {
  expect(urlOf(id, siteUrl)).toBe(expected);
});

test('tokens are estimated by script, and texts are cut by tokens', () => {
  expect(tokensIn('')).toBe(0);
  expect(tokensIn('four'.repeat(100))).toBe(100);
  expect(tokensIn('茶'.repeat(150))).toBe(100);
  expect(firstTokens('short', 10)).toBe('short');
  for (const text of ['words and more '.repeat(1000), '茶葉'.repeat(1000), '😀'.repeat(1000)]) {
    const cut = firstTokens(text, 100);
    expect(tokensIn(cut)).toBeLessThanOrEqual(101);
    expect(tokensIn(cut)).toBeGreaterThan(90);
    expect(encodeURIComponent(cut)).toBeTruthy();
  }
});
