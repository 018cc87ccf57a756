import { expect, test } from 'vitest';
import { shortened } from '../../../integration/text/beginning.ts';

test.each([
  ['Tides', 5, 'Tides'],
  ['Tides and moorings', 6, 'Tides…'],
  ['Tide🌊s', 6, 'Tide…'],
  ['Tide🌊s', 7, 'Tide🌊s'],
  ['🌊🌊🌊', 4, '🌊…'],
])('%s in %d units is %s', (text, longest, expected) => {
  expect(shortened(text, longest)).toBe(expected);
});
