import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { Result, RunOptions } from 'axe-core';

/** In the page, as its script defines it. */
declare const axe: typeof import('axe-core');

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Parts that are the same on all pages of a site, for `exclude` on pages after the first. */
export const sameOnAllPages = '.c-header, #carrel-sidebar, .c-footer';

/** What axe finds on a page as it is, and of the rules about colors, in the other color scheme too; selectors choose a part of the page. */
export async function axeFindings(
  page: Page,
  { include = 'html', exclude }: { include?: string; exclude?: string | undefined } = {},
): Promise<Result[]> {
  await injectAxe(page);
  const run = (rules?: string[]) => {
    // Preloading stylesheets is for rules that are off by default; describing what passes takes most of axe's time.
    const options: RunOptions = { ...(rules && { runOnly: rules }), preload: false, resultTypes: ['violations'] };
    const context = { include: [include], ...(exclude && { exclude: [exclude] }) };
    return page.evaluate(async (given) => (await axe.run(given.context, given.options)).violations, { context, options });
  };
  // Without motion, colors change at once; pages hear of it in the next frame.
  const setScheme = async (isDark: boolean) => {
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  };
  const findings = await run();
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await setScheme(!isDark);
  findings.push(...(await run(colorRules)));
  await setScheme(isDark);
  return findings;
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
