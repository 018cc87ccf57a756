import { expect, test } from 'vitest';
import { headingId } from '../../../src/markdown/headings.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

test.each([
  ['Config.json options', 'config-json-options'],
  ["What's new", 'what’s-new'],
  ['Rate limits (per minute)', 'rate-limits-per-minute'],
  ['Read/write access', 'read/write-access'],
  ['Fees & billing', 'fees-&-billing'],
  ['Search + replace', 'search-+-replace'],
  ['Redis 8.2+', 'redis-8-2+'],
  ['The nodes’ names', 'the-nodes’-names'],
  ['OAuth', 'oauth'],
  ['Search, SEO, and AI indexing', 'search-seo-and-ai-indexing'],
  ['Step 1: Build the Retrieval API', 'step-1-build-the-retrieval-api'],
  ['tasks.batchTrigger()', 'tasks-batchtrigger'],
  ['Split configuration with $ref', 'split-configuration-with-$ref'],
  ['例：コンテンツレビュー', '例：コンテンツレビュー'],
])('the anchor of %j is %j', (text, id) => {
  expect(headingId(text)).toBe(id);
});

async function render(body: string) {
  const renderer = createRenderer(options);
  return renderer.render(page(body));
}

test('repeated anchors are numbered across the whole page, tabs included', async () => {
  const { headings } = await render('## Overview\n\n<Tabs>\n<Tab title="a">\n\n## Overview\n\n</Tab>\n</Tabs>\n\n### Overview');
  expect(headings.map(({ id }) => id)).toEqual(['overview', 'overview-2', 'overview-3']);
});

test.each([
  '## Title {#own-id}',
  '## Title \\{#own-id}',
  '## Title {/* #own-id */}',
  '## Title {/*own-id*/}',
  '## Title <!-- #own-id -->',
])('%s has the anchor own-id', async (source) => {
  expect((await render(source)).headings).toEqual([{ depth: 2, id: 'own-id', text: 'Title' }]);
});

test('an id keeps characters that are Markdown elsewhere', async () => {
  expect((await render('## `x` {#__init__-*a*}')).headings).toEqual([{ depth: 2, id: '__init__-*a*', text: 'x' }]);
});

test("GitHub's form of an anchor links to the heading as well", async () => {
  expect((await render('## onChatSuspend / onChatResume')).html).toContain('<span id="onchatsuspend--onchatresume"></span>');
});

test('an accordion does not take the anchor of a heading after it', async () => {
  const { html } = await render('<Accordion title="Setup">x</Accordion>\n\n## Setup');
  expect(html).toContain('<h2 id="setup">');
  expect(html).toContain('id="setup-2"');
});

test('every heading of the text stays', async () => {
  const texts = (await render('# Title\n# Second\n\n# Third')).headings.map(({ text }) => text);
  expect(texts).toEqual(['Title', 'Second', 'Third']);
});

test('a first-level heading in the page becomes a second-level heading', async () => {
  expect((await render('Text\n\n# More')).headings).toEqual([{ depth: 2, id: 'more', text: 'More' }]);
});

test.each([
  ['## Fees & billing', 'fees-billing'],
  ['## `_hidden`', 'hidden'],
  ["## What's new", 'what&#x27;s-new'],
  ['## Search + replace', 'search-replace'],
  ['## C++ and C', 'c-and-c'],
  ['## Step 1: Build', 'step-1:-build'],
  ['## Options of @tool', 'options-of-@tool'],
  ['<ParamField body="retryOn">x</ParamField>', 'param-retry-on'],
  ['<ParamField path="--max-wait">x</ParamField>', 'param-max-wait'],
  ['<ParamField path="--maxWait">x</ParamField>', 'param-max-wait'],
  ['<ResponseField name="createdAt" id="200-createdAt">x</ResponseField>', 'response-created-at'],
  ['## Supprimé\u00a0: `@a/db`', 'supprimé-adb'],
])('%s can also be linked as #%s', async (source, alias) => {
  expect((await render(source)).html).toContain(`<span id="${alias}"></span>`);
});

test('a heading inside a link has no anchor link, which would end the outer link', async () => {
  const { html } = await render('<a href="/x">\n\n## Title\n\n</a>\n\n## Other');
  expect(html).toContain('<h2 id="title">Title</h2>');
  expect(html).toContain('href="#other"');
});

test('a heading that begins with a digit has the anchor of GitBook too', async () => {
  const { html } = await render('## 1. Start here\n\n## 2.3 (a) Next\n');
  expect(html).toContain('id="id-1.-start-here"');
  expect(html).toContain('id="id-2.3-a-next"');
});
