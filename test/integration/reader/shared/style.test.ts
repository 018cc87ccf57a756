import { expect, test } from 'vitest';
import { isLight } from '../../../../integration/reader/shared/style.ts';

test.each([
  ['rgb(255, 255, 255)', true],
  ['rgb(136, 144, 160)', true],
  ['rgba(230, 230, 230, 0.9)', true],
  ['oklch(0.92 0.01 250)', true],
  ['lab(88 0 0)', true],
  ['color(srgb 0.8 0.82 0.85)', true],
  ['rgb(0, 0, 0)', false],
  ['rgb(93, 100, 114)', false],
  ['oklch(0.35 0.05 260)', false],
  ['oklab(0.4 0 0)', false],
  ['lch(30 20 200)', false],
  ['color(display-p3 0.2 0.1 0.3)', false],
])('text in %s means a dark page: %s', (color, expected) => {
  expect(isLight(color)).toBe(expected);
});
