import { expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

test('takes the browser that CHROMIUM names', () => {
  expect(findChromium({ CHROMIUM: process.execPath })).toBe(process.execPath);
});

test('says that CHROMIUM names no file', () => {
  expect(() => findChromium({ CHROMIUM: '/nowhere/chromium' })).toThrow('CHROMIUM names "/nowhere/chromium"');
});
