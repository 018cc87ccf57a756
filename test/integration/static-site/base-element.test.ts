import { expect, test } from 'vitest';
import { urlFromBase, withoutBaseElement } from '../../../integration/static-site/base-element.ts';

test.each([
  // Another host: every URL except a fragment belongs to that host.
  ['a.css', 'https://other.example/docs/', 'https://other.example/docs/a.css'],
  ['../a.css', 'https://other.example/docs/', 'https://other.example/a.css'],
  ['/a.css', 'https://other.example/docs/', 'https://other.example/a.css'],
  ['?page=2', 'https://other.example/docs/list', 'https://other.example/docs/list?page=2'],
  ['a.css', '//other.example', 'https://other.example/a.css'],
  ['#top', 'https://other.example/docs/', '#top'],
  ['https://third.example/', 'https://other.example/', 'https://third.example/'],
  ['//third.example/x', 'https://other.example/', '//third.example/x'],
  ['mailto:a@b.example', 'https://other.example/', 'mailto:a@b.example'],
  // The site's own path.
  ['a.css', '/docs/', '/docs/a.css'],
  ['a.css', '/docs/index.html', '/docs/a.css'],
  ['../a.css', '/docs/guides/', '/docs/guides/../a.css'],
  ['/a.css', '/docs/', '/a.css'],
  // The page's own place.
  ['a.css', '../../', '../../a.css'],
  ['a.css', './', './a.css'],
  ['a.css', 'guides/install', 'guides/a.css'],
  // None.
  ['a.css', '', 'a.css'],
  // Not a URL.
  ['a.css', 'https://', 'a.css'],
])('%s with the base %s is %s', (url, base, expected) => {
  expect(urlFromBase(url, base)).toBe(expected);
});

test('URLs of every kind are resolved in the page, and the base has none', () => {
  const html = `<head><base target="_top" href="https://other.example/docs/"><link rel=stylesheet href=a.css>
<style>p { background: url(b.png) }</style></head><body><p style="background: url('c.png')"><a href="d/#e">d</a> <a href="#f">f</a>
<img src="g.png" srcset="h.png 1x, /i.png 2x"><code>&lt;base href="x"&gt;</code>`;
  expect(withoutBaseElement(html)).toBe(`<head><base target="_top" ><link rel=stylesheet href="https://other.example/docs/a.css">
<style>p { background: url(https://other.example/docs/b.png) }</style></head><body><p style="background: url('https://other.example/docs/c.png')"><a href="https://other.example/docs/d/#e">d</a> <a href="#f">f</a>
<img src="https://other.example/docs/g.png" srcset="https://other.example/docs/h.png 1x, https://other.example/i.png 2x"><code>&lt;base href="x"&gt;</code>`);
});

test('the target of a base stays', () => {
  const html = '<base target="main"><a href="a">a</a>';
  expect(withoutBaseElement(html)).toBe(html);
  expect(withoutBaseElement('<base target="main"><base href="/docs/"><a href="a">a</a>')).toBe(
    '<base target="main"><a href="/docs/a">a</a>',
  );
});

test.each([
  ['<base href="./"><base href="x/y/"><a href="q.html">', '<a href="./q.html">'],
  [
    '<Base HREF="/docs/"><BASE target="_top" href="https://other.example/"><a href="q.html">',
    '<BASE target="_top" ><a href="/docs/q.html">',
  ],
  ['<base href=""><base href="x/"><a href="q.html">', '<a href="q.html">'],
])('only the first base with a URL counts: %s', (html, expected) => {
  expect(withoutBaseElement(html)).toBe(expected);
});

test('a page without a base stays unchanged', () => {
  const html = '<p>The <code>&lt;base></code> element</p><a href="a">a</a><basefont color=red>';
  expect(withoutBaseElement(html)).toBe(html);
});
