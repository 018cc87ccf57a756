import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ask, openPanel } from './ask-panel.ts';
import { expect, startPreview, test } from './preview.ts';
import { openSearch, results, search } from './search-dialog.ts';

const overlay = (page: Page) => page.locator('carrel-preview-faults').getByRole('alert');
const main = (page: Page) => page.getByRole('main');

test('a saved page is shown at once, where the reader was, however the editor writes it', async ({ page, preview }) => {
  const docs = await preview();
  await page.goto(`${docs.address}guides/install/`);
  await page.getByRole('heading', { name: 'Step 40' }).scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  expect(top).toBeGreaterThan(1000);
  const replace = (from: string, to: string) =>
    docs.write('guides/install.mdx', docs.read('guides/install.mdx').replace(from, to));
  await page.evaluate(() => (document.body.dataset['kept'] = 'yes'));
  // Another page was saved: this one stays as it is.
  const read = page.waitForResponse(page.url());
  docs.write('index.mdx', `${docs.read('index.mdx')}\nMore.\n`);
  await read;
  for (const text of ['Do step 41 with care.', 'Do step 41.\n\n- Twice\n- Three times', 'Do it.']) {
    replace(/Do step 41[^#]*?(?=\n\n##)/.exec(docs.read('guides/install.mdx'))![0], text);
    await expect(main(page)).toContainText(text.split('- ').at(-1)!);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
  }
  await expect(main(page).getByText('Three times')).toHaveCount(0);
  // Text is replaced in the page that is open; what scripts made of a page is made anew.
  expect(await page.evaluate(() => document.body.dataset['kept'])).toBe('yes');
  replace('Do it.', '<Tip>Do it well.</Tip>');
  await expect(main(page)).toContainText('Do it well.');
  expect(await page.evaluate(() => document.body.dataset['kept'])).toBeUndefined();
  // Once the images are there.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
  await page.evaluate(() => (document.body.dataset['kept'] = 'yes'));
  replace('## Step 60', '## Step sixty');
  await expect(page.getByRole('complementary')).toContainText('Step sixty');
  expect(await page.evaluate(() => document.body.dataset['kept'])).toBeUndefined();

  // An editor writes another file and renames it.
  await page.goto(docs.address);
  for (const text of ['Renamed once.', 'Renamed twice.']) {
    const temporary = path.join(docs.folder, '.index.mdx.swp');
    writeFileSync(temporary, docs.read('index.mdx').replace(/Welcome\.|Renamed once\./, text));
    renameSync(temporary, path.join(docs.folder, 'index.mdx'));
    await expect(main(page)).toContainText(text);
  }
});

test('snippets, docs.json, stylesheets and new folders are watched', async ({ page, preview }) => {
  const docs = await preview();
  await page.goto(`${docs.address}guides/use/`);
  docs.write('snippets/note.mdx', 'A changed note.\n');
  await expect(main(page)).toContainText('A changed note.');
  docs.write('docs.json', docs.read('docs.json').replace('"Preview"', '"Renamed docs"'));
  await expect(page).toHaveTitle(/Renamed docs/);
  docs.write('style.css', 'main p { color: rgb(1, 2, 3) }\n');
  await expect(main(page).getByText('A changed note.')).toHaveCSS('color', 'rgb(1, 2, 3)');
  docs.write('style.css', 'main p { color: rgb(4, 5, 6) }\n');
  await expect(main(page).getByText('A changed note.')).toHaveCSS('color', 'rgb(4, 5, 6)');
  docs.write('new/folder/page.mdx', '---\ntitle: New page\n---\n\nIn a new folder.\n');
  docs.write('guides/use.mdx', docs.read('guides/use.mdx') + '\n[New](/new/folder/page)\n');
  await main(page).getByRole('link', { name: 'New' }).click();
  await expect(main(page)).toContainText('In a new folder.');
  docs.write('new/folder/page.mdx', '---\ntitle: New page\n---\n\nChanged there.\n');
  await expect(main(page)).toContainText('Changed there.');
});

test('a page of an API specification follows its file', async ({ page, preview }) => {
  const docs = await preview();
  const specification = (summary: string) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'API', version: '1' },
      paths: { '/users': { get: { summary, responses: { 200: { description: 'OK' } } } } },
    });
  docs.write('openapi.json', specification('List users'));
  docs.write('guides/use.mdx', '---\ntitle: Users\nopenapi: openapi.json GET /users\n---\n');
  await page.goto(`${docs.address}guides/use/`);
  await expect(main(page)).toContainText('/users');
  docs.write('openapi.json', specification('List users').replaceAll('"OK"', '"All of the users"'));
  await expect(main(page)).toContainText('All of the users');
});

test('search and quotes know the text on the screen', async ({ page, preview }) => {
  const docs = await preview();
  await page.goto(docs.address);
  await openSearch(page);
  expect(await search(page, 'first sentence', docs.address)).toContain('guides/install/index.html');
  docs.write('guides/use.mdx', '---\ntitle: Use\n---\n\nThe quetzalcoatlus flies over the harbour every morning.\n');
  docs.write('index.mdx', docs.read('index.mdx').replace('Welcome.', 'Welcome again.'));
  await expect(main(page)).toContainText('Welcome again.');
  await openSearch(page);
  expect(await search(page, 'quetzalcoatlus', docs.address)).toEqual(['guides/use/index.html']);
  await results(page).first().click();
  await expect(main(page)).toContainText('The quetzalcoatlus flies');
  await openPanel(page);
  await expect(await ask(page, 'Where does the quetzalcoatlus fly?')).toContainText('over the harbour every morning');
});

test('a page that is not valid MDX, and docs.json, have an overlay with the line, until they are corrected', async ({
  page,
  preview,
}) => {
  const docs = await preview();
  const before = docs.read('guides/use.mdx');
  await page.goto(`${docs.address}guides/use/`);
  docs.write('guides/use.mdx', '---\ntitle: Use\n---\n\nText.\n\n<Card title="Open">\n\nMore text.\n');
  await expect(overlay(page)).toContainText('guides/use.mdx:7');
  await expect(overlay(page)).toContainText('> 7 | <Card title="Open">');
  await expect(overlay(page)).toContainText('page-not-valid-mdx');
  docs.write('guides/use.mdx', before);
  await expect(overlay(page)).toHaveCount(0);
  await expect(main(page)).toContainText('A shared note.');

  // The last site stays while docs.json is broken, with an overlay and the same in the terminal.
  const config = docs.read('docs.json');
  let terminal = '';
  docs.child.stderr!.on('data', (piece) => (terminal += String(piece)));
  await page.goto(docs.address);
  docs.write('docs.json', config.replace('"guides/use"', '"guides/use"]'));
  await expect(overlay(page)).toContainText('docs.json:7:20');
  await expect(overlay(page)).toContainText('> 7 |');
  await expect(main(page)).toContainText('Welcome.');
  await expect.poll(() => terminal).toContain('docs.json is not valid JSON');
  await page.goto(`${docs.address}guides/install/`);
  await expect(main(page)).toContainText('The first sentence.');
  await expect(overlay(page)).toContainText('is not valid JSON');
  docs.write('docs.json', config);
  await expect(overlay(page)).toHaveCount(0);
});

test('two previews of one folder both follow it', async ({ page, preview, context, servers }) => {
  const docs = await preview();
  const second = await startPreview(docs.folder);
  servers.unshift({
    async close() {
      second.child.kill('SIGTERM');
      await second.ended;
    },
  });
  expect(second.address).not.toBe(docs.address);
  const other = await context.newPage();
  await page.goto(docs.address);
  await other.goto(second.address);
  docs.write('index.mdx', docs.read('index.mdx').replace('Welcome.', 'Seen by both.'));
  await expect(main(page)).toContainText('Seen by both.');
  await expect(main(other)).toContainText('Seen by both.');
  await other.close();
});

test('a page that is renamed is shown under its new name, and one that is deleted says so', async ({ page, preview }) => {
  const docs = await preview();
  const notice = page.locator('carrel-preview-notice');
  const move = (from: string, to: string) => renameSync(path.join(docs.folder, from), path.join(docs.folder, to));
  await page.goto(`${docs.address}guides/install/`);
  move('guides/install.mdx', 'guides/set up.mdx');
  await expect(page).toHaveURL(`${docs.address}guides/set%20up/`);
  await expect(notice).toHaveText('guides/install.mdx was renamed to guides/set up.mdx.');
  await expect(main(page)).toContainText('The first sentence.');

  const text = docs.read('guides/set up.mdx');
  rmSync(path.join(docs.folder, 'guides/set up.mdx'));
  await expect(notice).toHaveText('guides/set up.mdx was deleted.');
  await expect(main(page)).toContainText('The first sentence.');
  docs.write('guides/set up.mdx', text.replace('The first sentence.', 'It is back.'));
  await expect(main(page)).toContainText('It is back.');
  await expect(notice).toHaveCount(0);

  move('guides', 'manual');
  await expect(page).toHaveURL(`${docs.address}manual/set%20up/`);
  await expect(notice).toHaveText('guides/set up.mdx was renamed to manual/set up.mdx.');
  docs.write('docs.json', docs.read('docs.json').replaceAll('guides/install', 'manual/set up'));
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Install' }).first()).toBeVisible();
});

test('links that form a loop and pages that are removed do not stop it', async ({ page, preview }) => {
  const docs = await preview();
  symlinkSync(docs.folder, path.join(docs.folder, 'guides', 'again'), 'dir');
  await page.goto(docs.address);
  for (let i = 0; i < 20; i++) {
    docs.write('guides/short-lived.mdx', `---\ntitle: ${i}\n---\n\nText ${i}.\n`);
    await page.request.get(`${docs.address}guides/short-lived/`);
    rmSync(path.join(docs.folder, 'guides/short-lived.mdx'));
    await page.request.get(`${docs.address}guides/short-lived/`);
  }
  docs.write('index.mdx', docs.read('index.mdx').replace('Welcome.', 'Still here.'));
  await expect(main(page)).toContainText('Still here.');
});
