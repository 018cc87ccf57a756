import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { openRenderThreads, type RenderingData } from '../../../src/markdown/render-threads.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { fixtureNames, fixturePage, options, page } from './fixtures.ts';

function threadsWith(data: RenderingData, count = 1) {
  const threads = openRenderThreads(() => data, count);
  onTestFinished(() => threads.close());
  return threads;
}

test('threads render every page as the main thread does, with its problems', async () => {
  const renderer = createRenderer(options);
  const threads = threadsWith(options, 2);
  const pages = fixtureNames.map(fixturePage);
  const rendered = await Promise.all(pages.map((one) => threads.render(one, 'de')));
  expect(rendered.length).toBeGreaterThan(5);
  for (const [index, one] of pages.entries()) expect(rendered[index]).toEqual(await renderer.render(one, 'de'));
});

test('the code that threads highlight is stored for the next export', async () => {
  const folder = temporaryFolder();
  const threads = threadsWith({ ...options, cache: { folder, now: 1_700_000_000_000 } });
  await threads.render(page('```js\nconst answer = 42;\n```\n'), 'en');
  await threads.close();
  const database = new DatabaseSync(join(folder, 'pages.sqlite'), { readOnly: true });
  const rows = database.prepare('SELECT value FROM entry').all();
  database.close();
  expect(rows.map(({ value }) => value)).toEqual([expect.stringContaining('sk-keyword')]);
});

test('a page is left to the caller if its thread ends, or if there is none', async () => {
  const broken = threadsWith({ ...options, cache: { folder: undefined as never, now: 0 } });
  expect(await Promise.all([broken.render(page('One'), 'en'), broken.render(page('Two'), 'en')])).toEqual([undefined, undefined]);
  expect(await broken.render(page('Three'), 'en')).toBeUndefined();
  expect(await threadsWith(options, 0).render(page('One'), 'en')).toBeUndefined();
});
