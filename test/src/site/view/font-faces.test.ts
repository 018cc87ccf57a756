import { expect, test } from 'vitest';
import { fontFaces } from '../../../../src/site/view/font-faces.ts';

test('a font file of the docs folder is loaded', () => {
  const heading = { family: 'Own Sans', source: '/fonts/own sans.woff2', weight: 700 };
  const body = { family: 'Plain', source: './fonts/plain.woff', format: 'woff' as const };
  expect(fontFaces({ fonts: { heading, body } })).toBe(
    '@font-face{font-family:"Own Sans";src:url("/fonts/own%20sans.woff2") format("woff2");font-weight:700;font-display:swap}\n' +
      '@font-face{font-family:"Plain";src:url("/fonts/plain.woff") format("woff");font-weight:100 900;font-display:swap}\n',
  );
});

test('one font for headings and text is loaded once', () => {
  const font = { family: 'Own', source: 'fonts/own.woff2' };
  expect(fontFaces({ fonts: { heading: font, body: font } })!.match(/@font-face/g)).toHaveLength(1);
});

test.each([
  ['none', undefined],
  ['a name alone', { body: { family: 'Inter' } }],
  ['another host', { body: { family: 'Far', source: 'https://fonts.example/far.woff2' } }],
  ['another host without its scheme', { body: { family: 'Far', source: '//fonts.example/far.woff2' } }],
])('%s loads nothing', (_, fonts) => {
  expect(fontFaces({ fonts })).toBeUndefined();
});

test('a name cannot leave its quotes', () => {
  expect(fontFaces({ fonts: { body: { family: 'a"}body{display:none', source: '/x".woff2' } } })).toContain(
    'font-family:"a}body{display:none"',
  );
});
