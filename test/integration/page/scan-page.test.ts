import { expect, test } from 'vitest';
import { isExternal } from '../../../integration/urls/external-url.ts';
import { scanPage } from '../../../integration/page/scan-page.ts';

const page = { path: 'guides/a', title: 'A', language: 'en' };

test('ids and named links are targets of anchors', () => {
  const { ids } = scanPage(
    '<main><h2 id="one">x</h2><a name=two></a><p ID="a&amp;b"></p><input name="no"><!-- <p id="no"> --><svg id="pic"/></main>',
    page,
  );
  expect(ids).toEqual(['one', 'two', 'a&b', 'pic']);
});

test('URLs in the content are distinguished from those of the layout', () => {
  const html =
    '<nav><a href="/a">x</a></nav><main data-carrel-content><a href="/b">x</a><div data-carrel-skip><a href="/c">x</a></div></main><a href="/d">x</a>';
  expect(scanPage(html, page).references.map(({ value, inContent }) => [value, inContent])).toEqual([
    ['/a', false],
    ['/b', true],
    ['/c', false],
    ['/d', false],
  ]);
});

test('what loads from other origins is found with the whole of its element', () => {
  const html =
    '<p><video><source src="https://a.example/v.mp4"></video> <img src=//a.example/i.png> <script src="https://a.example/s.js">x</script></p>';
  const found = scanPage(html, page).loads.elements.filter(({ name }) => name !== 'source');
  expect(found.map(({ name, load, start, end }) => [name, load, html.slice(start, end)])).toEqual([
    ['video', 'media', '<video><source src="https://a.example/v.mp4"></video>'],
    ['img', 'media', '<img src=//a.example/i.png>'],
    ['script', 'code', '<script src="https://a.example/s.js">x</script>'],
  ]);
});

test('links, canonical URLs and custom elements load nothing', () => {
  const html =
    '<link rel="canonical" href="https://a.example/"><a href="https://a.example/">x</a><x-card href="https://a.example/"></x-card><blockquote cite="https://a.example">';
  expect(scanPage(html, page).loads).toMatchObject({ elements: [], loads: [] });
});

test.each([
  ['https://a.example', true],
  ['HTTP://a.example', true],
  ['//a.example', true],
  ['\\\\a.example', true],
  [' https://a.example', true],
  ['/a', false],
  ['data:,x', false],
  ['a//b', false],
  ['#x', false],
])('whether %j is external', (url, expected) => {
  expect(isExternal(url)).toBe(expected);
});

test('hostile nesting overflows no stack and takes little time', () => {
  const html = '<div>'.repeat(100_000) + '<h2 id=x>y</h2>';
  expect(scanPage(`<main>${html}</main>`, page).sections).toHaveLength(2);
});
