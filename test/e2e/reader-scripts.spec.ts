// The scripts that a page loads on first use: core, search and Ask, in our own theme and in a built site under a strict policy.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { optionsSchema } from '../../integration/options.ts';
import { exportStaticSite } from '../../integration/static-site/export-static-site.ts';
import { answers, field, panel } from './ask-panel.ts';
import { expect, exported, test } from './exported.ts';
import { exportPlaces } from './static-site.ts';
import { dialog, results, searchField, status } from './search-dialog.ts';
import { writeFiles } from '../support/write-files.ts';

const inline = "document.documentElement.dataset.ran = 'inline'";
const policy = `default-src 'none'; script-src 'strict-dynamic' 'sha256-${createHash('sha256').update(inline).digest('base64')}'`;
const topics = ['anchor', 'bowline', 'compass', 'dinghy', 'ensign', 'fender', 'galley', 'halyard'];
const html = (topic: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
  `<title>The ${topic}</title><script>${inline}</script></head><body><main><h1>The ${topic}</h1>` +
  `<p>The ${topic} is kept in locker ${topic.length}${topic.charCodeAt(0)}.</p></main></body></html>`;

let builtSite: string;

// The tests run one after another, so that only one worker exports the site.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({}, info) => {
  const root = info.outputPath('dist');
  writeFiles(root, { 'index.html': html('deck') });
  for (const topic of topics) writeFileSync(path.join(root, `${topic}.html`), html(topic));
  builtSite = info.outputPath('offline');
  const { out: _out, replace: _replace, zip: _zip, ...options } = optionsSchema.parse({});
  await exportStaticSite({ root }, { ...options, out: builtSite, generator: 'carrel/test', environment: {} });
});

interface Site {
  folder: () => string;
  queries: string[];
  questions: string[];
  firstOverHttp: 'search' | 'Ask';
}

const sites: Record<string, Site> = {
  'our own theme': {
    folder: () => exported('manual').folder,
    queries: ['install', 'postgresql'],
    questions: ['How do I export my docs?', 'How do I verify a bundle?'],
    firstOverHttp: 'search',
  },
  'a built site': {
    folder: () => builtSite,
    queries: ['bowline', 'halyard'],
    questions: ['Where is the compass kept?', 'Where is the galley kept?'],
    firstOverHttp: 'Ask',
  },
};

async function searchFor(page: Page, query: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  await searchField(page).fill('');
  await expect(status(page)).toBeEmpty();
  await searchField(page).fill(query);
  await expect(results(page).first()).toContainText(query, { ignoreCase: true });
  await page.keyboard.press('Escape');
  await expect(searchField(page)).toBeHidden();
}

async function askFor(page: Page, question: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+i');
  await expect(field(page)).toBeFocused();
  const before = await answers(page).count();
  await field(page).fill(question);
  await field(page).press('Enter');
  await expect(answers(page).nth(before)).toHaveAttribute('aria-busy', 'false');
  await expect(answers(page).nth(before)).toContainText('[1]');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
}

/** The files that the page's scripts load, in their order. */
function loadedScripts(page: Page): string[] {
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (/\/_carrel\/.*\.js$/.test(request.url())) loaded.push(decodeURIComponent(request.url().replace(/.*\/_carrel\//, '')));
  });
  return loaded;
}

for (const [name, { folder, queries, questions, firstOverHttp }] of Object.entries(sites)) {
  for (const place of exportPlaces) {
    // Each site, place and order occurs with each other one in two of these four tests.
    const isSearchFirst = (firstOverHttp === 'search') === (place === 'over http');
    test(`search and Ask alternate on one page of ${name} and load no script twice, ${place}`, async ({ page, serve }) => {
      const home = place === 'over http' ? await serve(folder(), '/docs/') : `${pathToFileURL(folder()).href}/`;
      const loaded = loadedScripts(page);
      await page.goto(`${home}index.html`);
      for (const [turn, query] of queries.entries()) {
        if (isSearchFirst) await searchFor(page, query);
        await askFor(page, questions[turn]!);
        if (!isSearchFirst) await searchFor(page, query);
      }
      const names = loaded.map((file) => file.replace(/\.[0-9a-f]{10}\.js$/, ''));
      for (const script of ['core', 'search', 'ask', 'site.js']) expect(names).toContain(script);
      expect(loaded.filter((file) => file.startsWith('search/')).length).toBeGreaterThan(2);
      expect(loaded).toEqual([...new Set(loaded)]);
    });
  }

  test(`a missing core is reported on a page of ${name}, which works again once the file is there`, async ({
    page,
    watched,
  }, info) => {
    const copy = info.outputPath('copy');
    cpSync(folder(), copy, { recursive: true });
    const core = path.join(
      copy,
      '_carrel',
      readdirSync(path.join(copy, '_carrel')).find((file) => file.startsWith('core.'))!,
    );
    renameSync(core, `${core}.gone`);
    await page.goto(pathToFileURL(path.join(copy, 'index.html')).href);
    for (const key of ['k', 'i', 'k']) {
      await page.keyboard.press(`ControlOrMeta+${key}`);
      await expect(dialog(page)).toContainText(
        /_carrel\/core\.\w+\.js could not be loaded\. Reload the page, or export the site again\./,
      );
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await expect(dialog(page)).toHaveCount(0);
    }
    expect(watched.faults.filter((fault) => !/ERR_FILE_NOT_FOUND|failed$/.test(fault))).toEqual([]);
    watched.faults = [];
    renameSync(`${core}.gone`, core);
    await searchFor(page, queries[0]!);
    await page.reload();
    await searchFor(page, queries[0]!);
    await askFor(page, questions[0]!);
  });
}
