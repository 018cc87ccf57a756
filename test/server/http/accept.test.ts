import { expect, test } from 'vitest';
import { chooseEncoding, prefersMarkdown } from '../../../server/http/request-headers.ts';

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['identity, gzip;q=0.5', 'identity'],
  ['deflate', 'identity'],
])('Accept-Encoding %j gives %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

test.each([
  [null, false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['text/markdown', true],
  ['text/markdown, text/html;q=0.9', true],
  ['text/markdown;q=0.5, text/html', false],
  ['text/markdown;q=0', false],
  ['*/*', false],
])('Accept %j prefers Markdown: %s', (header, expected) => {
  expect(prefersMarkdown(header)).toBe(expected);
});
