import type { Page } from '@playwright/test';
import axe, { type Result, type RunOptions } from 'axe-core';

const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds on a page as it is, and of the rules about colors, in the other color scheme too; selectors choose a part of the page. */
export async function axeFindings(
  page: Page,
  { include = 'html', exclude }: { include?: string; exclude?: string } = {},
): Promise<Result[]> {
  for (const frame of page.frames())
    await frame.evaluate(`${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`);
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
