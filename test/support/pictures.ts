// Takes the pictures of the README and the manual from the product itself: npm run pictures
import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Locator, type Page } from '@playwright/test';
import { startCarrel } from '../src/cli/carrel.ts';
import { chromiumArguments, findChromium } from './chromium.ts';
import { followJob, startJob, startServerProcess } from './server-process.ts';

const root = join(import.meta.dirname, '../..');
const pictures = join(root, 'src/manual/images');
const limit = 150_000;

const temporary = await mkdtemp(join(tmpdir(), 'carrel-pictures-'));
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
try {
  await picturesOfSite(browser, join(temporary, 'site'));
  await pictureOfPreview(browser, join(temporary, 'example'));
  await pictureOfDashboard(browser, join(temporary, 'data'));
} finally {
  await browser.close();
  await rm(temporary, { recursive: true, force: true });
}

/** The manual, exported and opened from disk. */
async function picturesOfSite(browser: Browser, site: string): Promise<void> {
  execFileSync(process.execPath, [join(root, 'src/cli/carrel.ts'), 'export', join(root, 'src/manual'), '--out', site]);
  const open = async (path: string) => {
    const page = await newPage(browser);
    await page.goto(pathToFileURL(join(site, path === 'index' ? '' : path, 'index.html')).href);
    return page;
  };

  const start = await open('index');
  await ask(start, 'How do I create a key?');
  await take(start, 'hero');

  const searching = await open('search');
  await searching.locator('[data-carrel-search]').first().click();
  const dialog = searching.getByRole('dialog');
  await dialog.getByRole('combobox').fill('expird downlod link');
  await dialog.locator('a[role=option]').first().waitFor();
  await take(searching, 'search');

  const asking = await open('assistant-models');
  const answer = await ask(asking, 'Which model can I use?');
  await answer.locator('.sources').getByRole('link').first().click();
  await take(asking, 'ask');
}

async function ask(page: Page, question: string): Promise<Locator> {
  await page.locator('[data-carrel-ask]').click();
  const panel = page.getByRole('dialog', { name: 'Ask the docs' });
  await panel.getByRole('textbox', { name: 'Ask a question' }).fill(question);
  await page.keyboard.press('Enter');
  const answer = panel.locator('.answer[aria-busy=false]');
  await answer.locator('.sources').waitFor();
  return answer;
}

/** The example with a tag that is not closed, in the preview. */
async function pictureOfPreview(browser: Browser, docs: string): Promise<void> {
  await cp(join(root, 'src/example'), docs, { recursive: true });
  const file = join(docs, 'guides/components.mdx');
  await writeFile(file, (await readFile(file, 'utf8')).replace('</Tip>', ''));
  const { child, ended } = startCarrel(['dev', docs, '--port', '0', '--cache', 'off']);
  const output = createInterface({ input: child.stdout! });
  try {
    const { value: address } = await output[Symbol.asyncIterator]().next();
    const page = await newPage(browser);
    await page.goto(`${address}guides/components/`);
    await page.locator('carrel-preview-faults').getByRole('alert').waitFor();
    await take(page, 'dev');
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** The exports of a site in the dashboard of a server. */
async function pictureOfDashboard(browser: Browser, data: string): Promise<void> {
  const docs = join(temporary, 'docs');
  await cp(join(root, 'src/example'), docs, { recursive: true });
  const server = await startServerProcess(data);
  try {
    await server.request('PUT', '/v1/sites/harbor', { source: { type: 'folder', path: docs } });
    await followJob(server, await startJob(server, { domain: 'harbor', version: 'v1.0' }));
    await appendFile(join(docs, 'index.mdx'), '\nSee [what is new](/changelog).\n');
    await followJob(server, await startJob(server, { domain: 'harbor', version: 'v1.1' }));
    const page = await newPage(browser);
    await page.goto(`${server.address}/dashboard/default/harbor?tab=exports`);
    await page.getByLabel('Admin key').fill(server.adminKey);
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Completed').waitFor();
    await take(page, 'dashboard');
  } finally {
    await server.stop();
  }
}

async function newPage(browser: Browser): Promise<Page> {
  return await browser.newPage({
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  const session = await page.context().newCDPSession(page);
  // Playwright itself writes only PNG and JPEG.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  const picture = Buffer.from(data, 'base64');
  if (picture.length > limit) throw new Error(`${name}.webp has ${picture.length} bytes, more than ${limit}.`);
  await writeFile(join(pictures, `${name}.webp`), picture);
  console.log(`${name}.webp ${picture.length}`);
  await page.close();
}
