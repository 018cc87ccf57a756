// What tests of the dashboard do in each of its views.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { axeFindings, axeFindingsIn } from './axe.ts';

export async function signIn(page: Page, server: ServerProcess, path = '/dashboard'): Promise<void> {
  await page.goto(server.address + path);
  await page.getByLabel('Admin key').fill(server.adminKey);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

/** Opens a sign-in link on the host of the server, and says yes to the question whom it signs in. */
export async function openLink(page: Page, server: ServerProcess, url: string): Promise<void> {
  await page.goto(url.replace(/^http:\/\/[^/]+/, server.address));
  await page.getByRole('button', { name: /^Sign in as / }).click();
}

export const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('navigation').getByRole('link', { name, exact: true });
export const overflow = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// The page in the frame of the overview has tests of its own; axe would take its landmarks for those of the dashboard.
const exclude = 'iframe';

/** Expects no findings of axe, and nothing wider than the page. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page, { exclude })).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
}

/** The same of a view and what is open in it at 390 px and at 1280 px. */
export async function expectAccessibleAtBothWidths(page: Page): Promise<void> {
  const opened = page.locator('.menu:popover-open, dialog[open]');
  const count = await opened.count();
  for (const [width, scheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    expect(await axeFindingsIn(page, scheme, { exclude })).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await expect(opened).toHaveCount(count);
    for (const one of await opened.all()) await expect(one).toBeInViewport({ ratio: 0.9 });
  }
}

/** Registers a site whose docs folder below `data` has these files. */
export async function addFolder(
  server: ServerProcess,
  { data, domain, files }: { data: string; domain: string; files: Record<string, string> },
): Promise<void> {
  const folder = join(data, 'folders', domain);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  expect((await server.request('PUT', `/v1/sites/${domain}`, { source: { type: 'folder', path: folder } })).status).toBe(200);
}
