import { beforeAll, expect, test } from 'vitest';
import { openSite } from '../../../server/active-exports/open-site.ts';
import { createSiteQuoter } from '../../../server/assistant/answer/answer-text.ts';
import { siteHandler } from '../../../server/hosting/handler.ts';
import { writeIndexedExport } from '../../support/indexed-export.ts';
import { harbour } from '../assistant/assistant-site.ts';
import { temporaryFolder } from '../storage/storages.ts';

let folder: string;
beforeAll(async () => {
  ({ folder } = await writeIndexedExport(await temporaryFolder(), harbour));
});

async function openHandler(base = '/') {
  const handle = siteHandler(await openSite(folder), { base, quote: createSiteQuoter() });
  return (path: string) => handle(new Request(`http://docs.example.com${path}`));
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
