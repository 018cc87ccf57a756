import { expect, test } from 'vitest';
import { extensionOfType, loadKindOf, mediaTypeOf, namesLoadedFile } from '../../../integration/html/media-types.ts';

test.each([
  ['a/b.js', 'text/javascript', 'script'],
  ['a.CSS?v=1', undefined, 'stylesheet'],
  ['a.CSS', 'text/css', 'stylesheet'],
  ['https://cdn.example/a.jpeg#x', undefined, 'image'],
  ['a.eot', 'application/vnd.ms-fontobject', 'font'],
  ['a.vtt', 'text/vtt', 'media'],
  ['a.json', 'application/json', 'connection'],
  ['constructor', undefined, 'connection'],
  ['a.constructor', undefined, 'connection'],
])('%s is of type %s and loaded as %s', (path, type, kind) => {
  expect(mediaTypeOf(path)).toBe(type);
  expect(loadKindOf(path)).toBe(kind);
});

test.each([
  ['image/jpeg', 'jpg'],
  ['application/javascript', 'js'],
  ['text/html', 'html'],
  ['application/font-woff2', 'woff2'],
  ['image/x-unknown', undefined],
])('the extension of %s is %s', (type, extension) => {
  expect(extensionOfType(type)).toBe(extension);
});

test.each([
  ['https://cdn.example/model.glb', true],
  ['https://cdn.example/a.ttf?v=2', true],
  ['https://example.com/page.html', false],
  ['https://example.com/', false],
])('whether %s names a loaded file: %s', (url, expected) => {
  expect(namesLoadedFile(url)).toBe(expected);
});
