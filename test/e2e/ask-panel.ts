import { expect, type Locator, type Page } from '@playwright/test';

export const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'Ask the docs' });
export const field = (page: Page): Locator => panel(page).getByRole('textbox', { name: 'Ask a question' });
export const answers = (page: Page): Locator => panel(page).locator('.answer');
/** The questions and topics of an empty panel. */
export const starters = (page: Page): Locator => panel(page).locator('.starters button');
export const sources = (page: Page): Locator => answers(page).last().locator('.sources').getByRole('link');

export async function openPanel(page: Page): Promise<void> {
  // The menu of a page can have one, too.
  await page.locator('[data-carrel-ask]').first().click();
  await expect(field(page)).toBeFocused();
}

/** Asks in the open panel and waits for the whole answer. */
export async function ask(page: Page, question: string): Promise<Locator> {
  const before = await answers(page).count();
  await field(page).fill(question);
  await field(page).press('Enter');
  const answer = answers(page).nth(before);
  await expect(answer).toHaveAttribute('aria-busy', 'false');
  return answer;
}
