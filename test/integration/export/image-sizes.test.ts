import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readImageSize } from '../../../integration/export/image-sizes.ts';
import { exportedPage } from './example-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrel-images-'));

function sizeOf(contents: string | Uint8Array): string | undefined {
  const file = join(folder, 'image');
  writeFileSync(file, contents);
  const size = readImageSize(file);
  return size && `${size.width}x${size.height}`;
}

const jpeg = (orientation: number, preview = 0) => {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const exif = [...Buffer.from('Exif\0\0'), ...tiff];
  const segment = (marker: number, bytes: number[]) => [
    0xff,
    marker,
    (bytes.length + 2) >> 8,
    (bytes.length + 2) & 255,
    ...bytes,
  ];
  const previews = Array.from({ length: preview }, () => segment(0xe2, Array<number>(60_000).fill(0))).flat();
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segment(0xe1, exif),
    ...previews,
    ...segment(0xc0, [8, 0, 30, 0, 40, 1, 1, 0x11, 0]),
    0xff,
    0xd9,
  ]);
};

test.each<[string, string | Uint8Array, string | undefined]>([
  ['a GIF', Buffer.from('R0lGODlhAwACAIAAAP///wAAACwAAAAAAwACAAACAoRRADs=', 'base64'), '3x2'],
  ['a photo', jpeg(1), '40x30'],
  ['a photo that its camera turned', jpeg(6), '30x40'],
  ['a photo after a large preview', jpeg(1, 3), '40x30'],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 12 4"></svg>', '120x40'],
  ['a drawing without a size of its own', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 4"></svg>', undefined],
  ['a drawing as wide as its page', '<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 12 4"></svg>', undefined],
  ['a page', '<html>Not found</html>', undefined],
  ['an empty file', '', undefined],
  ['half a header', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), undefined],
])('%s has the size that browsers show', (_, contents, size) => {
  expect(sizeOf(contents)).toBe(size);
});

test('a file that is missing has no size', () => {
  expect(readImageSize(join(folder, 'missing.png'))).toBeUndefined();
});

const sizes = new Map([
  ['images/a%20b.png', { width: 300, height: 200 }],
  ['_carrel/vendor/1.png', { width: 30, height: 20 }],
]);
const vendored = new Map([['https://x.example/1.png', '_carrel/vendor/1.png']]);

test.each([
  ['<img data-carrel-size="" src="/images/a b.png">', '<img width="300" height="200" src="../../images/a%20b.png">'],
  ['<img src="/images/a b.png" width="150" data-carrel-size>', '<img src="../../images/a%20b.png" width="150" height="100">'],
  ['<img src="/images/a b.png" height="20px" data-carrel-size>', '<img src="../../images/a%20b.png" height="20px" width="30">'],
  ['<img src="https://x.example/1.png" data-carrel-size>', '<img src="../../_carrel/vendor/1.png" width="30" height="20">'],
  ['<img src="https://x.example/2.png" data-carrel-size>', '<img src="https://x.example/2.png">'],
  [
    '<img src="/images/gone.png" data-carrel-size>',
    '<span class="c-remote c-missing" data-element="img"><span class="c-remote-address">/images/gone.png</span></span>',
  ],
])('%s becomes %s', async (html, written) => {
  expect(await exportedPage('guides/install', html, { sizes, vendored })).toBe(written);
});
