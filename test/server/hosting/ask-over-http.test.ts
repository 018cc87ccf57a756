import type { Link, Paragraph } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { openSite } from '../../../server/active-exports/open-site.ts';
import { createSiteQuoter } from '../../../server/assistant/answer/answer-text.ts';
import { siteHandler } from '../../../server/hosting/handler.ts';
import { writeIndexedExport } from '../../support/indexed-export.ts';
import { harbour } from '../assistant/assistant-site.ts';
import { temporaryFolder } from '../storage/storages.ts';

const { folder } = await writeIndexedExport(await temporaryFolder(), harbour);

async function openHandler(base = '/') {
  const handle = siteHandler(await openSite(folder), { base, quote: createSiteQuoter() });
  return (path: string, method = 'GET') => handle(new Request(`http://docs.example.com${path}`, { method }));
}

test.each(['/guides/configure.md?ask=Which+port%3F', '/_carrel/ask?q=Which%20port%3F', '/index.md?ask=Which+port%3F'])(
  'GET %s answers with quotes',
  async (path) => {
    const response = await (await openHandler())(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text).toContain('7700 by default');
    expect(text).toContain('](/guides/configure#ports)');
  },
);

test('sources link to the pages of the site where it is mounted', async () => {
  const get = await openHandler('/sites/docs/');
  expect(await (await get('/sites/docs/_carrel/ask?q=Which+port%3F')).text()).toContain('](/sites/docs/guides/configure#ports)');
});

test('a page without a question is the page, and other parameters ask nothing', async () => {
  const get = await openHandler();
  const page = await (await get('/guides/configure.md')).text();
  expect(page).toMatch(/^# Configure/);
  expect(await (await get('/guides/configure.md?v=2')).text()).toBe(page);
});

test('a question on a page that does not exist is answered like the page', async () => {
  const get = await openHandler();
  expect((await get('/guides/gone.md?ask=Which+port%3F')).status).toBe(404);
});

test('HEAD has the headers of an answer and does not count as a question', async () => {
  const get = await openHandler();
  for (let i = 0; i < 60; i++) {
    const response = await get('/_carrel/ask?q=Which+port%3F', 'HEAD');
    expect([response.status, await response.text()]).toEqual([200, '']);
  }
  expect((await get('/_carrel/ask?q=Which+port%3F')).status).toBe(200);
});

test('an empty or endless question is refused, and so are too many', async () => {
  const get = await openHandler();
  expect((await get('/guides/configure.md?ask=')).status).toBe(400);
  expect((await get(`/_carrel/ask?q=${'x'.repeat(1001)}`)).status).toBe(400);
  expect((await get('/_carrel/ask')).status).toBe(404);
  const statuses = [];
  for (let i = 0; i < 60; i++) statuses.push(await get('/_carrel/ask?q=port'));
  const refused = statuses.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('1');
});

test('sources have the titles of pages as they are, without images and HTML', async () => {
  const title = 'The <img src=x> element, `a`, *b* and ![p](https://evil.example/p.png)';
  const made = await writeIndexedExport(await temporaryFolder(), [
    { path: 'media/a)b', title, markdown: 'Zebrafish need warm water, at least 25 degrees.\n' },
  ]);
  const quote = createSiteQuoter();
  const text = (await quote(await openSite(made.folder), { text: 'How warm do zebrafish need the water?', siteUrl: '/' }))!;
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const rows = tree.children.at(-1) as Paragraph;
  const link = rows.children.at(-1) as Link;
  expect([link.type, link.url]).toEqual(['link', '/media/a%29b']);
  expect(toString(link)).toBe(title);
  expect(JSON.stringify(tree)).not.toMatch(/"type":"(?:html|image)"/);
});
