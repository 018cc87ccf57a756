import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { Result, RunOptions } from 'axe-core';

/** In the page, as its script defines it. */
declare const axe: typeof import('axe-core');

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Parts that are the same on all pages of a site, for `exclude` on pages after the first. */
export const sameOnAllPages = '.c-header, #carrel-sidebar, .c-footer';

/** Selectors that choose a part of a page. */
interface Part {
  include?: string;
  exclude?: string | undefined;
}

/** What axe finds on a page as it is, and of the rules about colors, in the other color scheme too. */
export async function axeFindings(page: Page, part?: Part): Promise<Result[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const findings = await run(page, part);
  findings.push(...(await axeFindingsIn(page, isDark ? 'light' : 'dark', part, ['color-contrast', 'link-in-text-block'])));
  await setScheme(page, isDark ? 'dark' : 'light');
  return findings;
}

/**
 * What axe finds on a page in a color scheme, in which the page stays, of these rules or of all. A page that is looked at in two widths is dark in
 * one of them: every color of what both show is seen, in two thirds of the time.
 */
export async function axeFindingsIn(page: Page, scheme: 'light' | 'dark', part?: Part, rules?: string[]): Promise<Result[]> {
  await setScheme(page, scheme);
  return run(page, part, rules);
}

async function run(page: Page, { include = 'html', exclude }: Part = {}, rules?: string[]): Promise<Result[]> {
  await injectAxe(page);
  // Preloading stylesheets is for rules that are off by default; describing what passes takes most of axe's time.
  const options: RunOptions = { ...(rules && { runOnly: rules }), preload: false, resultTypes: ['violations'] };
  const context = { include: [include], ...(exclude && { exclude: [exclude] }) };
  return page.evaluate(async (given) => (await axe.run(given.context, given.options)).violations, { context, options });
}

/** Without motion, colors change at once; pages hear of it in the next frame. */
async function setScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Runs the script of axe in each frame that has not run it. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => !('axe' in globalThis))) {
    // By Playwright's own `evaluate`, a script of this size takes twice the time.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: script });
    await session.detach();
  }
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => !('axe' in globalThis))) await frame.evaluate(script);
    await frame.evaluate(() => axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }));
  }
}
