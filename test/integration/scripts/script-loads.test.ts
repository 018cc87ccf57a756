import { expect, test } from 'vitest';
import { loadsOfScript } from '../../../integration/scripts/script-facts.ts';

async function loadsOf(text: string): Promise<string[]> {
  const loads = await loadsOfScript(text);
  return loads.map(({ static: isStatic, kind, element, url }) => `${isStatic ? '' : 'possible '}${kind} ${element} ${url}`);
}

test.each([
  ["fetch('https://a.example/x')", 'connection script fetch() https://a.example/x'],
  ['window.fetch(`//a.example/${x}`)', 'connection script fetch() https://a.example/'],
  ["fetch(a ? '/x' : 'https://a.example/x')", 'connection script fetch() https://a.example/x'],
  ["const base = 'https://a.example'; fetch(base + '/x')", 'connection script fetch() https://a.example/x'],
  ["const base = 'https://a.example'; fetch(`${base}/x`)", 'connection script fetch() https://a.example/x'],
  ["fetch(new URL('x.json', 'https://a.example/y/'))", 'connection script fetch() https://a.example/y/x.json'],
  ["fetch(new Request('https://a.example/x'))", 'connection script fetch() https://a.example/x'],
  ["request.open('GET', 'https://a.example/x')", 'connection script XMLHttpRequest.open() https://a.example/x'],
  ["import('https://a.example/x.js')", 'script script import() https://a.example/x.js'],
  ["import x from 'https://a.example/x.js'", 'script script import https://a.example/x.js'],
  ["export * from 'https://a.example/x.js'", 'script script import https://a.example/x.js'],
  ["importScripts('/a.js', 'https://a.example/x.js')", 'script script importScripts() https://a.example/x.js'],
  ["new Worker('https://a.example/x.js')", 'script script new Worker() https://a.example/x.js'],
  ["new EventSource('https://a.example/x')", 'connection script new EventSource() https://a.example/x'],
  ["new WebSocket('wss://a.example/x')", 'connection script new WebSocket() wss://a.example/x'],
  ["navigator.sendBeacon('https://a.example/x', 1)", 'connection script sendBeacon() https://a.example/x'],
  ["new Image().src = 'https://a.example/x'", 'image script .src= https://a.example/x'],
  ["var s = document.createElement('script'); s.src = 'https://a.example/x'", 'script script .src= https://a.example/x'],
  [
    "const l = document.createElement('link'); l.href = 'https://a.example/x.css'",
    'stylesheet script .href= https://a.example/x.css',
  ],
  ["frame.setAttribute('src', 'https://a.example/x.png')", 'image script .src= https://a.example/x.png'],
  ["new FontFace('A', 'url(https://a.example/x.woff2)')", 'font script @font-face https://a.example/x.woff2'],
  ["sheet.insertRule('a { background: url(https://a.example/x.png) }')", 'image script url() https://a.example/x.png'],
  ['box.innerHTML = \'<iframe src="https://a.example/x"></iframe>\'', 'embed script iframe https://a.example/x'],
  ["jsx('img', { src: 'https://a.example/x.png', alt: '' })", 'image script img https://a.example/x.png'],
  [
    "frame.src = 'https://www.youtube-nocookie.com/embed/' + id",
    'possible connection script .src= https://www.youtube-nocookie.com/embed/',
  ],
  ["axios.get('https://a.example/x')", 'possible connection script get() https://a.example/x'],
  ["const files = { logo: 'https://a.example/x.png' }", 'possible image script text https://a.example/x.png'],
])('finds what %s loads', async (text, load) => {
  expect(await loadsOf(text)).toEqual([load]);
});

test.each([
  "link.href = 'https://a.example/'; location.href = 'https://a.example/'; window.open('https://a.example/')",
  "jsx('a', { href: 'https://a.example/' })",
  "document.createElementNS('http://www.w3.org/2000/svg', 'svg')",
  "throw Error('https://react.dev/errors/' + code)",
  'const t = `Minified React error #${code}; visit https://react.dev/errors/${code}`',
  '/*! @license MIT https://a.example/LICENSE */ 1',
  "ok(url.startsWith('https://a.example/'))",
  "fetch('/search.json'); import('./x.js'); new URL(x, 'http://n')",
  "const schema = 'https://schema.org'; set('https://schema.org/Thing')",
])('%s loads nothing', async (text) => {
  expect(await loadsOf(text)).toEqual([]);
});

test.each([
  ["const at = 'https://a.example/x.png'; const image = new Image(); image.src = at", true],
  ["import('https://a.example/x.js')", true],
  ["new Image().src = '//a.example/x.png'", true],
  ["jsx('img', { src: `https://a.example/x.png` })", true],
  ["fetch('https://a.example/x.png')", false],
  ["new Worker('https://a.example/x.js')", false],
  ["new Image().src = 'https://a.example/' + name", false],
  ["const image = 'https://a.example/x.png'", false],
  ["box.innerHTML = '<img src=https://a.example/x.png>'", false],
  ["import data from 'https://a.example/x.json' with { type: 'json' }", false],
])('the URL of %s is rewritable: %s', async (text, rewritable) => {
  const loads = await loadsOfScript(text);
  expect(loads.map((load) => [load.rewritable, load.url.startsWith('https://a.example/')])).toEqual([[rewritable, true]]);
});

test('markup in a string is not a static load', async () => {
  expect(await loadsOf("const page = 'Write <img src=https://a.example/x.png> for a picture'")).toEqual([
    'possible image script img https://a.example/x.png',
  ]);
});

test('a script that cannot be parsed, which no browser runs, loads nothing', async () => {
  expect(await loadsOf("fetch('https://a.example/x' foo(")).toEqual([]);
});

test('the strings of a script nested too deeply for the parser are searched', async () => {
  const text = `f(${'('.repeat(20_000)}'https://a.example/x'${')'.repeat(20_000)})`;
  expect(await loadsOf(text)).toEqual(['possible connection script text https://a.example/x']);
});

test('positions count UTF-16 units as the text does', async () => {
  const text = "say('é😀'); fetch('https://a.example/x')";
  const [load] = await loadsOfScript(text);
  expect(text.slice(load!.start)).toMatch(/^'https/);
});
