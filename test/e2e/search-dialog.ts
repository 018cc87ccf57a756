import { expect, type Locator, type Page } from '@playwright/test';

export const dialog = (page: Page): Locator => page.getByRole('dialog');
export const searchField = (page: Page): Locator => dialog(page).locator('input[role=combobox]');
/** The results, without other options, such as those for more of a page. */
export const results = (page: Page): Locator => dialog(page).locator('a[role=option]');
export const status = (page: Page): Locator => dialog(page).getByRole('status');

export async function openSearch(page: Page): Promise<void> {
  await page.locator('[data-carrel-search]').first().click();
  await expect(searchField(page)).toBeFocused();
}

/** Types words into the open dialog and returns the results, best first, as URLs relative to the site's home page. */
export async function search(page: Page, words: string, home: string): Promise<string[]> {
  // An empty field clears the status, whose next text says that the results are there.
  await searchField(page).fill('');
  await expect(status(page)).toBeEmpty();
  await searchField(page).fill(words);
  await expect(status(page)).not.toBeEmpty();
  const hrefs = await results(page).evaluateAll((options) => options.map((option) => (option as HTMLAnchorElement).href));
  return hrefs.map((href) => decodeURIComponent(href.slice(home.length).replace(/\?[^#]*/, '')));
}
