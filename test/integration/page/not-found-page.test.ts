import { expect, test } from 'vitest';
import { isMissingPage, withRootFinder } from '../../../integration/page/not-found-page.ts';

test.each([
  ['404', true],
  ['404.html', true],
  ['fr/404', true],
  ['pt-br/404', true],
  ['zh-Hant/404.html', true],
  ['errors/404', false],
  ['http/404', false],
  ['v1/404', false],
  ['fr/errors/404', false],
  ['1404', false],
  ['404/causes', false],
  ['', false],
])('%j is a 404 page: %s', (path, expected) => {
  expect(isMissingPage(path)).toBe(expected);
});

test('a page of our theme has the same script on every site, and a root for hosts that block it', () => {
  const html = '<html><head><meta http-equiv="Content-Security-Policy" content="script-src * file:"></head></html>';
  const [before, after] = withRootFinder(html, undefined, '/docs/').split('<base href="/docs/">');
  expect(withRootFinder(html, undefined, '/').split('<base href="/">')).toEqual([before, after]);
  expect(before).toMatch(/^<html><head><script>.*<\/script>$/s);
  expect(after).toMatch(/content="script-src 'sha256-[^']+' \* file:"/);
});
