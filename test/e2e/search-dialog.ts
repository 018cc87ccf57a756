import { expect, type Locator, type Page } from '@playwright/test';

export const dialog = (page: Page): Locator => page.getByRole('dialog', { includeHidden: false });
export const searchField = (page: Page): Locator => dialog(page).getByRole('combobox');
export const results = (page: Page): Locator => dialog(page).getByRole('option');

export async function openSearch(page: Page): Promise<void> {
  await page.locator('html.scripted').waitFor({ state: 'attached' });
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await expect(searchField(page)).toBeFocused();
}

/** Types words into the open dialog and gives the results, best first, as addresses relative to the site's home. */
export async function search(page: Page, words: string, home: string): Promise<string[]> {
  await searchField(page).fill(words);
  await settled(page, words);
  const hrefs = await results(page).evaluateAll((options) =>
    options.map((option) => ((option as HTMLAnchorElement).href || option.querySelector('a')?.href) ?? ''),
  );
  return hrefs.map((href) => decodeURI(href.slice(home.length)));
}

/** Waits until the dialog shows what was typed last. */
export async function settled(page: Page, words: string): Promise<void> {
  await expect(dialog(page).locator(`[data-query="${words.replaceAll('"', '\\"')}"]`)).toBeAttached();
}
