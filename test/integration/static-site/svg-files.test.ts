import { expect, test } from 'vitest';
import { xmlStylesheets } from '../../../integration/static-site/svg-files.ts';

test.each([
  ['<?xml version="1.0"?>\n<?xml-stylesheet href="https://a.example/x.css?a=1&amp;b=2" type="text/css"?><svg/>', 22],
  ["<?xml-stylesheet type='text/css' href = 'https://a.example/x.css?a=1&b=2'?><svg/>", 0],
])('finds the external stylesheet in %j', (text, start) => {
  expect(xmlStylesheets(text)).toMatchObject([{ url: 'https://a.example/x.css?a=1&b=2', start, kind: 'stylesheet' }]);
});

test.each([
  '<?xml-stylesheet href="own.css"?><svg/>',
  '<svg/><?xml-stylesheet href="https://a.example/x.css"?>',
  '<!-- <?xml-stylesheet href="https://a.example/x.css"?> --><svg/>',
  '<?xml-stylesheets href="https://a.example/x.css"?><svg/>',
  '<!DOCTYPE svg [<!ENTITY a "https://a.example/">]><svg/>',
])('finds no external stylesheet in %j', (text) => {
  expect(xmlStylesheets(text)).toEqual([]);
});
