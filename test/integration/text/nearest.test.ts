import { expect, test } from 'vitest';
import { nearest } from '../../../integration/text/nearest.ts';

test.each([
  ['exprot', ['export', 'serve', 'export-remote'], ['export']],
  ['Serve', ['export', 'serve'], ['serve']],
  ['key', ['dev', 'mcp', 'key'], ['key']],
  ['xyz', ['dev', 'mcp', 'key'], []],
  ['navigaton', ['navigation', 'navbar', 'name'], ['navigation']],
  ['', ['a'], []],
])('%j among %j is %j', (wanted, names, expected) => {
  expect(nearest(wanted, names)).toEqual(expected);
});
