import { expect, test } from 'vitest';
import { chooseEncoding, parseRange, prefersMarkdown } from '../../../server/http/request-headers.ts';

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
])('Accept-Encoding %j chooses %s', (header, encoding) => {
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

test.each([
  [null, undefined],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-0', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
])('Range %j of 100 bytes is %j', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});
