import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLogo, svgFault } from '../../../src/social-cards/logo.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30">${content}</svg>`;

test('a logo of shapes and Latin texts is drawn, with the descriptions of its editor', async () => {
  const text = svg(
    '<title>Ünï</title><metadata><rdf:RDF><cc:Work href="https://x.example"/></rdf:RDF></metadata><defs><linearGradient id="a"><stop offset="1"/></linearGradient></defs>' +
      '<style>.a { fill: red }</style><g clip-path="url(#c)"><path class="a" fill="url(#a)" d="M0 0h9"/></g><text>Größe</text>',
  );
  expect(svgFault(text)).toBeUndefined();
  const file = join(temporaryFolder(), 'logo.svg');
  writeFileSync(file, text);
  expect(await readLogo(file)).toMatchObject({ logo: { width: 120, height: 30 } });
});

test.each([
  ['<script>alert(1)</script>', 'has <script>'],
  ['<path onload="alert(1)"/>', 'has the script "onload"'],
  ['<foreignObject><body/></foreignObject>', 'has <foreignobject>'],
  ['<image href="/etc/passwd"/>', 'has <image>'],
  ['<use href="#a"/>', 'has <use>'],
  ['<g xlink:href="file:///etc/passwd"/>', 'refers to other files'],
  ['<path fill="url(https://x.example/a.svg#b)"/>', 'refers to other files'],
  ['<path style="fill: URL( \'//x.example/b\' )"/>', 'refers to other files'],
  ['<style>@import "https://x.example/a.css";</style>', 'has references in its styles'],
  ['<style>path { fill: url(#a) }</style>', 'has references in its styles'],
  ['<mask id="m"><path mask="url(#n)"/></mask>', 'has references inside a mask'],
  ['<x:image xmlns:x="http://www.w3.org/2000/svg" x:href="/etc/passwd"/>', 'has a prefix for SVG elements'],
  ['<text>日本語</text>', 'has a text with letters beyond Latin-1'],
  ['<g>'.repeat(100_000), 'has more than 64 elements inside each other'],
  ['<g/>'.repeat(100_000), 'has more than 2000 elements'],
])('an SVG logo with %.40s is not drawn', (content, fault) => {
  expect(svgFault(svg(content))).toBe(fault);
});

test('an SVG logo that declares entities is not drawn', () => {
  expect(svgFault(`<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('<text>&a;</text>')}`)).toBe('declares entities');
});

test.each([
  ['huge.svg', 'is larger than 1 MB'],
  ['strokes.svg', 'is an SVG file larger than 64 KB'],
  ['endless.svg', 'is Infinity × 30 units large'],
  ['vast.svg', 'is 999999999999 × 30 units large'],
  ['empty.png', /^cannot be read/],
  ['text.png', /^cannot be read/],
  ['missing.png', /^cannot be read/],
  ['wide.png', 'has 60000 × 60000 pixels'],
  ['small.gif', 'is neither SVG, PNG, JPEG nor WebP'],
])('the logo %s is not drawn', async (name, fault) => {
  const root = temporaryFolder();
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  writeFileSync(join(root, 'huge.svg'), '');
  truncateSync(join(root, 'huge.svg'), 50_000_000);
  writeFileSync(join(root, 'strokes.svg'), svg(`<path stroke="red" d="M0 0${'h9'.repeat(50_000)}"/>`));
  writeFileSync(join(root, 'endless.svg'), svg('').replace('120', '1e400'));
  writeFileSync(join(root, 'vast.svg'), svg('').replace('120', '999999999999'));
  writeFileSync(join(root, 'empty.png'), '');
  writeFileSync(join(root, 'text.png'), 'not an image');
  writeFileSync(join(root, 'wide.png'), Buffer.concat([header, Buffer.from('0000ea600000ea600806000000', 'hex')]));
  writeFileSync(join(root, 'small.gif'), Buffer.from('GIF89a\u0002\0\u0002\0\0\0\0', 'latin1'));
  const found = await readLogo(join(root, name));
  expect(found.logo).toBeUndefined();
  expect(found.fault).toMatch(fault);
});
