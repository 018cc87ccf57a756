// Pages that stay open while their host publishes another export.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { axeFindings } from './axe.ts';
import { promisify } from 'node:util';
import { serveFolder } from '../support/serve-folder.ts';
import { ask, openPanel, sources } from './ask-panel.ts';
import { expect, test } from './exported.ts';
import { openSearch, search } from './search-dialog.ts';

const program = path.join(import.meta.dirname, '../../src/cli/carrel.ts');

async function publish(folder: string, out: string, words: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'index.md'), '# Home\n\nWelcome.\n');
  for (const animal of ['cat', 'dog', 'owl', 'ant'])
    await writeFile(path.join(folder, `${animal}.md`), `# The ${animal}\n\nThe ${animal} ${words}.\n`);
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'export', folder, '--out', out]);
}

test('a page that has searched and answered before finds what a newer export says', async ({ page, servers, watched }, info) => {
  const [docs, out] = [info.outputPath('docs'), info.outputPath('site')];
  await publish(docs, out, 'sleeps in the garden');
  const served = await serveFolder(out);
  servers.push(served);
  await page.goto(`${served.address}cat/`);
  await openSearch(page);
  expect(await search(page, 'garden', served.address)).toHaveLength(4);
  await page.keyboard.press('Escape');
  await openPanel(page);
  await expect(await ask(page, 'Where does the owl sleep?')).toContainText('in the garden');

  await publish(docs, out, 'hunts behind the lighthouse');
  await expect(await ask(page, 'Where does the owl hunt?')).toContainText('behind the lighthouse');
  await expect(sources(page)).not.toHaveCount(0);
  await page.keyboard.press('Escape');
  await openSearch(page);
  expect(await search(page, 'lighthouse', served.address)).toHaveLength(4);
  expect(await search(page, 'garden', served.address)).toEqual([]);
  // The browser reports each file of the earlier exports that the host does not have.
  for (const fault of watched.faults.splice(0)) expect(fault).toMatch(/404|not executable|_carrel\/search/);
});

test('a page shows its version, and says when the host has another one', async ({ page, servers }, info) => {
  const [docs, out] = [info.outputPath('docs'), info.outputPath('site')];
  await publish(docs, out, 'sleeps in the garden');
  const { version: first } = exportedManifest(out);
  const served = await serveFolder(out);
  servers.push(served);
  await page.clock.install();
  await page.goto(pathToFileURL(path.join(out, 'cat/index.html')).href);
  await expect(page.locator('.c-version')).toHaveText(`Version ${first}`);
  await page.goto(`${served.address}cat/`);
  await expect(page.locator('.c-version')).toHaveText(`Version ${first}`);
  const comesBack = async () => {
    await page.clock.fastForward(61_000);
    const looked = page.waitForResponse(/version\.js\?/);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await looked;
  };
  await comesBack();
  const note = page.locator('.c-version').getByRole('status');
  await expect(note).toHaveCount(0);

  await publish(docs, out, 'hunts behind the lighthouse');
  const { version: second } = exportedManifest(out);
  expect(second).not.toBe(first);
  await comesBack();
  await expect(note).toContainText('A newer version of these docs is available.');
  expect(await axeFindings(page)).toEqual([]);
  await note.getByRole('button', { name: 'Reload' }).click();
  await expect(page.locator('.c-version')).toHaveText(`Version ${second}`);
});

function exportedManifest(out: string): { version: string } {
  return JSON.parse(readFileSync(path.join(out, 'carrel.json'), 'utf8')) as { version: string };
}
