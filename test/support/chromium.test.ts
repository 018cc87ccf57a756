import { chromium } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumArguments, findChromium } from './chromium.ts';

test('takes the browser that CHROMIUM names', () => {
  expect(findChromium({ CHROMIUM: process.execPath })).toBe(process.execPath);
});

test('says that CHROMIUM names no file', () => {
  expect(() => findChromium({ CHROMIUM: '/nowhere/chromium' })).toThrow('CHROMIUM names "/nowhere/chromium"');
});

test('disables what Playwright disables, too', async () => {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  onTestFinished(() => browser.close());
  const { commandLine } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getInfo');
  const [theirs, ours] = [...commandLine.matchAll(/--disable-features=(\S+)/g)].map(([, names]) => names!.split(','));
  expect(ours).toEqual(expect.arrayContaining(theirs!));
});
