import { expect, test } from 'vitest';
import { parseRange } from '../../../server/http/request-headers.ts';

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
])('%j of 100 bytes gives %j', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});
