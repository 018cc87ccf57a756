import { expect, exported, test } from './exported.ts';

test('tags show only the updates that have all of them', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('changelog/index.html'));
  const shown = page.locator('.c-update:visible .c-update-label');
  await expect(shown).toHaveText(['4.2', '4.1', '4.0']);
  await page.getByRole('button', { name: 'Workers' }).click();
  await expect(shown).toHaveText(['4.1']);
  await page.getByRole('button', { name: 'Queues' }).click();
  await expect(shown).toHaveText([]);
  await page.getByRole('button', { name: 'Workers' }).click();
  await expect(page.getByRole('button', { name: 'Workers' })).toHaveAttribute('aria-pressed', 'false');
  await expect(shown).toHaveText(['4.2']);
});

test('a link to an update that the tags hide shows it', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('changelog/index.html'));
  await page.getByRole('button', { name: 'Queues' }).click();
  await expect(page.getByRole('heading', { name: 'A client for Rust' })).toBeHidden();
  await page.getByRole('complementary').getByRole('link', { name: 'A client for Rust' }).click();
  await expect(page.getByRole('heading', { name: 'A client for Rust' })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Queues' })).toHaveAttribute('aria-pressed', 'false');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('all updates are shown, and no tags that would do nothing', async ({ page }) => {
    await page.goto(exported('docs-json-site').file('changelog/index.html'));
    await expect(page.locator('.c-update-label')).toHaveText(['4.2', '4.1', '4.0']);
    await expect(page.getByRole('button', { name: 'Queues' })).toBeHidden();
  });
});
