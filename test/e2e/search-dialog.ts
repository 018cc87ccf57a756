import { expect, type Locator, type Page } from '@playwright/test';

export const dialog = (page: Page): Locator => page.getByRole('dialog');
export const searchField = (page: Page): Locator => dialog(page).getByRole('combobox');
export const results = (page: Page): Locator => dialog(page).getByRole('option');
export const status = (page: Page): Locator => dialog(page).getByRole('status');

export async function openSearch(page: Page): Promise<void> {
  await page.locator('[data-carrel-search]').first().click();
  await expect(searchField(page)).toBeFocused();
}

/** Types words into the open dialog and gives the results, best first, as addresses relative to the site's home. */
export async function search(page: Page, words: string, home: string): Promise<string[]> {
  // An empty field empties the status, which then tells when the answer to the new words is there.
  await searchField(page).fill('');
  await expect(status(page)).toBeEmpty();
  await searchField(page).fill(words);
  await expect(status(page)).not.toBeEmpty();
  const hrefs = await results(page).evaluateAll((options) => options.map((option) => (option as HTMLAnchorElement).href));
  return hrefs.map((href) => decodeURIComponent(href.slice(home.length).replace(/\?[^#]*/, '')));
}
