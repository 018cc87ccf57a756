import { expect, test } from 'vitest';
import { readersIn } from '../../../src/source/readers.ts';

test.each([
  [undefined, []],
  [null, []],
  ['', []],
  [[null, ' '], []],
  ['partners, staff,', ['partners', 'staff']],
  [
    ['partners', null, ' staff '],
    ['partners', 'staff'],
  ],
  // For nobody rather than for everybody.
  [7, ['7']],
  [{ staff: true }, ['{"staff":true}']],
])('the groups %j are read as %j', (value, groups) => {
  expect(readersIn(value)).toEqual(groups);
});
