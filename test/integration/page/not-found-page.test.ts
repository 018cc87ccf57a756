import { expect, test } from 'vitest';
import { isMissingPage } from '../../../integration/page/not-found-page.ts';

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
