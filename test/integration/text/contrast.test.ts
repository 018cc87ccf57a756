import { describe, expect, test } from 'vitest';
import { fillOf, isColor, readable, textOn } from '../../../integration/text/contrast.ts';

describe('readable', () => {
  test.each([
    ['#0f766e', '#ffffff', '#0f766e'],
    ['#000', '#fff', '#000'],
    ['#2dd4bf', '#0b0d11', '#2dd4bf'],
  ])('leaves %s on %s unchanged', (color, background, expected) => {
    expect(readable(color, background)).toBe(expected);
  });

  test.each([
    ['#16a34a', '#ffffff'],
    ['#f5d90a', '#ffffff'],
    ['#ffffff', '#ffffff'],
    ['#111827', '#0b0d11'],
    ['#FA0', '#fff'],
  ])('changes %s on %s until it is readable', (color, background) => {
    const changed = readable(color, background);
    expect(changed).not.toBe(color);
    expect(readable(changed, background)).toBe(changed);
  });

  test('darkens on light ground and lightens on dark ground', () => {
    expect(Number.parseInt(readable('#f5d90a', '#ffffff').slice(1, 3), 16)).toBeLessThan(0xf5);
    expect(Number.parseInt(readable('#111827', '#0b0d11').slice(1, 3), 16)).toBeGreaterThan(0x11);
  });

  test('leaves values unchanged that are not hex colors', () => {
    expect(readable('rebeccapurple', '#ffffff')).toBe('rebeccapurple');
  });
});

test.each([
  ['#0f766e', '#ffffff'],
  ['#3472d7', '#ffffff'],
  ['#f5d90a', '#0b0d11'],
  ['#fff', '#0b0d11'],
  ['#000', '#ffffff'],
])('text on %s is %s', (color, expected) => {
  expect(textOn(color)).toBe(expected);
});

test.each([
  ['a blue on which white is nearly legible', '#3b82f6', '#3472d7'],
  ['a color with legible white', '#0f766e', '#0f766e'],
  ['a light color', '#f5d90a', '#f5d90a'],
  ['what is not a hex color', 'red', 'red'],
])('fills a button with %s: %s becomes %s', (_, color, expected) => {
  expect(fillOf(color)).toBe(expected);
});

test.each([
  ['#fff', true],
  ['#ffff', true],
  ['#a1b2c3', true],
  ['#a1b2c3d4', true],
  ['#12345', false],
  ['red;--x:1', false],
  [undefined, false],
])('%s is a color: %s', (text, expected) => {
  expect(isColor(text)).toBe(expected);
});
