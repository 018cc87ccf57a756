// The Ask panel of an export without a server, which quotes the docs.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { axeFindings, axeFindingsIn } from './axe.ts';
import { answers, ask, field, openPanel, panel, sources, starters } from './ask-panel.ts';
import { expect, exported, test } from './exported.ts';
import { results, searchField } from './search-dialog.ts';

const site = exported('docs-json-site');
const question = 'What happens after five attempts?';

test('a page on file:// answers with quotes while offline, and a citation links to the words', async ({ page, context }) => {
  await context.setOffline(true);
  await page.goto(site.file('index.html'));
  await openPanel(page);
  await expect(panel(page)).toContainText('No model is used');
  const answer = await ask(page, question);
  await expect(answer).toContainText('After five attempts the job goes to the dead letters');
  await expect(panel(page).getByRole('status').first()).toHaveText('The answer is complete.');
  await answer
    .getByRole('link', { name: /^Source 1/ })
    .first()
    .click();
  await page.waitForURL(/concepts\/retries\/index\.html.*#giving-up/);
  await expect(page.locator('#giving-up')).toBeInViewport();
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('carrel-search')?.size)).toBeGreaterThan(0);
  // The panel is open on the new page, and the page has the focus.
  await expect(answers(page)).toContainText('After five attempts');
  await expect(sources(page).first()).toHaveAttribute('href', /concepts\/retries\/index\.html\?highlight=.*#giving-up$/);
  await expect(field(page)).not.toBeFocused();
});

test('a citation of the page being read scrolls there, and the panel stays open', async ({ page }) => {
  await page.goto(site.file('concepts/retries/index.html'));
  await openPanel(page);
  await ask(page, question);
  await page.evaluate(() => (document.title = 'still here'));
  await sources(page).first().click();
  await expect(page).toHaveURL(/#giving-up$/);
  await expect(page.locator('#giving-up')).toBeInViewport();
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('carrel-search')?.size)).toBeGreaterThan(0);
  await expect(page).toHaveTitle('still here');
  await expect(panel(page)).toBeVisible();
  await expect(await ask(page, 'Who won the world cup in 1998?')).toContainText('The docs do not answer this.');
});

test('search and Ask opened at the same moment both read the site', async ({ page, serve }) => {
  const home = await serve(site.zip);
  await page.goto(home);
  const { promise: bothOpened, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/_carrel/site.js', async (route) => {
    await bothOpened;
    await route.continue();
  });
  await openPanel(page);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.insertText('dead letters');
  goOn();
  await expect(results(page).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(await ask(page, question)).toContainText('After five attempts');
});

test('what is typed while Ask still loads is in its field', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await page.keyboard.press('ControlOrMeta+i');
  await page.keyboard.type('How long is a lease?');
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue('How long is a lease?');
  await expect(page.getByRole('dialog')).toHaveCount(1);
});

test('everything works by keyboard alone', async ({ page }) => {
  await page.goto(site.file('concepts/retries/index.html'));
  const start = page.getByRole('link', { name: 'Workers' }).first();
  await start.focus();
  await page.keyboard.press('ControlOrMeta+i');
  await expect(field(page)).toBeFocused();
  await page.keyboard.insertText('What happens after');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.insertText('five attempts?');
  await page.keyboard.press('Enter');
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false');
  await expect(field(page)).toBeFocused();
  // Shift+Tab goes back over the chip to the answer's copy button, its source and its citation.
  const source = sources(page).first();
  for (let i = 0; i < 10 && !(await source.evaluate((link) => link.matches(':focus'))); i++)
    await page.keyboard.press('Shift+Tab');
  await expect(source).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#giving-up')).toBeInViewport();
  // The focus has moved to the section; the keyboard returns it to the panel.
  await expect(source).not.toBeFocused();
  await page.keyboard.press('ControlOrMeta+i');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(start).toBeFocused();
});

test('a dialog on a phone traps the focus, closes with Escape and restores the focus', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(site.file('concepts/retries/index.html'));
  await openPanel(page);
  expect(await panel(page).evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => ['CARREL-ASK', 'BODY'].includes(document.activeElement!.tagName))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(page.locator('[data-carrel-ask]')).toBeFocused();
  // In landscape, or on a larger screen, the panel is beside the page and shows the conversation.
  await openPanel(page);
  await ask(page, question);
  await page.setViewportSize({ width: 1400, height: 844 });
  await expect.poll(() => panel(page).evaluate((dialog) => dialog.matches(':modal'))).toBe(false);
  await expect(answers(page)).toContainText('After five attempts');
});

test('selected text and code blocks become the context of the question', async ({ page }) => {
  await page.goto(site.file('concepts/retries/index.html'));
  await page.getByText('A job fails when its handler throws').selectText();
  const offer = page.locator('.c-ask-selection');
  await expect(offer).toBeVisible();
  await offer.click();
  const chips = panel(page).locator('.chip');
  await expect(chips).toHaveText([/This page/, /Selected text: A job fails when/]);
  await expect(field(page)).toBeFocused();

  await page.locator('figure.c-code').first().hover();
  await page.locator('.c-ask').first().click();
  await expect(chips).toHaveCount(3);
  await expect(chips.last()).toContainText('Code: raise Tidewater::GiveUp');
  await panel(page)
    .getByRole('button', { name: /Remove “Code/ })
    .click();
  await expect(chips).toHaveCount(2);
  await expect(field(page)).toBeFocused();
  await panel(page).getByRole('button', { name: 'Remove “This page”' }).click();
  await panel(page).getByRole('button', { name: '+ This page' }).click();

  await expect(await ask(page, 'What does this mean?')).toContainText('[1]');
  await expect(panel(page).locator('.question')).toContainText('Selected text: A job fails when');
  await expect(chips).toHaveText([/This page/]);
});

test('selected text becomes context by keyboard too', async ({ page }) => {
  await page.goto(site.file('concepts/retries/index.html'));
  await page.getByText('A job fails when its handler throws').dblclick({ position: { x: 20, y: 10 } });
  const offer = page.locator('.c-ask-selection');
  await expect(offer).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(offer).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+i');
  await expect(panel(page).locator('.chip')).toHaveText([/This page/, /Selected text/]);
});

test('suggests questions about the page, and about an operation none of the headings that all operations have', async ({
  page,
}) => {
  await page.goto(site.file('concepts/retries/index.html'));
  await openPanel(page);
  await expect(panel(page).getByRole('heading', { name: 'What would you like to know?' })).toBeVisible();
  // What has no safe grammar is a topic, and the next pages come after the page itself.
  await expect(starters(page)).toHaveText(['Backoff', 'Giving up', 'How do I deploy on bare metal?', 'Schedules']);
  expect(await axeFindings(page)).toEqual([]);
  await starters(page).nth(1).click();
  await expect(panel(page).locator('.question p')).toHaveText('Can you explain “Giving up”?');
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false');
  await expect(sources(page).first()).toHaveText(/Retries › Giving up/);
  await page.goto(exported('playground').file('api-reference/parcels/send-a-parcel/index.html'));
  await openPanel(page);
  await expect(starters(page).first()).toHaveText('How do I send a parcel?');
  await starters(page).first().click();
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false');
  await expect(sources(page).first()).toHaveText(/Send a parcel/);
});

test('conversations are stored, opened again and deleted', async ({ page }) => {
  await page.goto(site.file('concepts/retries/index.html'));
  await openPanel(page);
  await ask(page, question);
  await panel(page).getByRole('button', { name: 'New conversation' }).click();
  await expect(answers(page)).toHaveCount(0);
  await ask(page, 'How do jobs wait?');
  await page.keyboard.press('Escape');
  await page.goto(site.file('index.html'));
  await openPanel(page);
  await expect(answers(page)).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Earlier conversations' }).click();
  await expect(panel(page).locator('.past button')).toHaveText(['How do jobs wait?', question, 'Delete all conversations']);
  await panel(page).getByRole('button', { name: question }).click();
  await expect(answers(page)).toContainText('After five attempts');
  await panel(page).getByRole('button', { name: 'Earlier conversations' }).click();
  await panel(page).getByRole('button', { name: 'Delete all conversations' }).click();
  await panel(page).getByRole('button', { name: 'Earlier conversations' }).click();
  await expect(panel(page)).toContainText('No conversations yet.');
});

test('a URL can contain a question, which the reader sends; on file:// it is ignored', async ({ page, serve }) => {
  const home = await serve(site.zip);
  await page.goto(`${home}quickstart/?assistant=${encodeURIComponent('How do I <b>begin</b>?')}#x`);
  await expect(field(page)).toHaveValue('How do I <b>begin</b>?');
  await expect(answers(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${home}quickstart/#x`);
  await ask(page, 'How do I begin?');
  await page.keyboard.press('Escape');
  await page.goto(`${home}quickstart/?assistant`);
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`${site.file('quickstart/index.html')}?assistant=How`);
  await expect(page.locator('h1')).toBeVisible();
  await expect(panel(page)).toHaveCount(0);
});

test('axe finds nothing in the panel at 1280 and 390 px, and it fits', async ({ page }) => {
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(site.file('concepts/retries/index.html'));
    await openPanel(page);
    const faults = async () =>
      (await axeFindingsIn(page, scheme)).map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
      );
    expect(await faults()).toEqual([]);
    await ask(page, question);
    expect(await faults()).toEqual([]);
    await panel(page).getByRole('button', { name: 'Earlier conversations' }).click();
    expect(await faults()).toEqual([]);
    const overflow = await page.evaluate(() => {
      const body = document.querySelector('carrel-ask')!.shadowRoot!.querySelector('.body')!;
      return Math.max(...[document.documentElement, body].map((box) => box.scrollWidth - box.clientWidth));
    });
    expect(overflow).toBeLessThanOrEqual(0);
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
  }
});

test('the settings can turn Ask off and suggest questions; those of a wrong shape are reported, and the docs quoted', async ({
  page,
  watched,
}, info) => {
  const folder = info.outputPath('site');
  await cp(site.folder, folder, { recursive: true });
  const openWith = async (assistant: unknown) => {
    await writeFile(join(folder, 'carrel.config.js'), `globalThis.__carrel_config = ${JSON.stringify({ assistant })};`);
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  };
  await openWith({ enabled: false });
  await expect(page.locator('[data-carrel-ask]')).toBeHidden();
  await page.keyboard.press('ControlOrMeta+i');
  await expect(panel(page)).toHaveCount(0);

  await openWith({ suggestions: [question] });
  await openPanel(page);
  await expect(starters(page)).toHaveCount(4);
  await expect(starters(page).first()).toHaveText(question);
  await starters(page).first().click();
  await expect(answers(page)).toContainText('After five attempts');
  await page.keyboard.press('Escape');

  expect(watched.faults).toEqual([]);
  await openWith('https://api.example');
  await openPanel(page);
  await expect(await ask(page, question)).toContainText('After five attempts');
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('"assistant" must be an object')]);
});

test('in Arabic the panel is on the left', async ({ page }) => {
  await page.goto(exported('arabic').file('guides/install/index.html'));
  await page.keyboard.press('ControlOrMeta+i');
  const dialog = page.getByRole('dialog', { name: 'اسأل الوثائق' });
  await expect(dialog).toBeVisible();
  expect((await dialog.boundingBox())!.x).toBe(0);
  await dialog.getByRole('textbox').fill('كيف أثبت البرنامج؟');
  await page.keyboard.press('Enter');
  await expect(dialog.locator('.answer')).toHaveAttribute('aria-busy', 'false');
  await expect(dialog.locator('.answer')).toContainText('الوثائق');
});
