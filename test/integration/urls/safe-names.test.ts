import { describe, expect, test } from 'vitest';
import { safeNames, safePath, windowsFault } from '../../../integration/urls/safe-names.ts';

describe('a path becomes valid for every file system', () => {
  test.each([
    ['guides/install', 'guides/install'],
    ['with space/c#/100%', 'with space/c#/100%'],
    ['日本語/café', '日本語/café'],
    ['cafe\u0301', 'caf\u00e9'],
    ['what?', 'what--X'],
    ['a:b*c<d>e|f"g\\h', 'a-b-c-d-e-f-g-h-X'],
    ['con', 'con-X'],
    ['CON.md', 'CON-X.md'],
    ['a/Lpt1.tar.gz', 'a/Lpt1-X.tar.gz'],
    ['nul .txt', 'nul -X.txt'],
    ['console', 'console'],
    ['dot.', 'dot-X'],
    ['dots..  /x', 'dots-X/x'],
    ['tab\there', 'tab-here-X'],
    ['..', '-X'],
    ['lone\ud800surrogate', 'lone-surrogate-X'],
    ['what?.png', 'what--X.png'],
  ])('%j', (path, expected) => {
    const safe = safePath(path);
    expect(safe.replace(/-[0-9a-f]{6}(?=[./]|$)/g, '-X')).toBe(expected);
    expect(safePath(path)).toBe(safe);
    expect(windowsFault(safe)).toBeUndefined();
  });

  test('a segment that is too long is cut and stays unique', () => {
    const [a, b] = ['a', 'b'].map((end) => safePath(`${'漢'.repeat(120)}${end}.png`));
    expect(Buffer.byteLength(a!)).toBeLessThanOrEqual(200);
    expect(a).toMatch(/\.png$/);
    expect(a).not.toBe(b);
  });
});

describe('a path that is too long for a folder of Windows', () => {
  const long = Array.from({ length: 12 }, (_, at) => `${at}-folder-with-a-long-name`).join('/');

  test.each([
    ['a page', [`${long}/install`, `${long}/remove`]],
    ['an asset', [`${long}/image.png`, `${long}/image.webp`]],
    ['a name', ['x'.repeat(195), `${'x'.repeat(195)}y`]],
    ['names of astral characters', [`${long}/${'😀'.repeat(40)}`, `${long}/${'😀'.repeat(41)}`]],
    ['deep folders', ['a/'.repeat(150) + 'b', 'a/'.repeat(150) + 'c']],
  ])('%s is cut, and stays apart from others', (_, paths) => {
    const names = safeNames(paths, [], []);
    const built = safeNames(paths, paths, [], (path) => `${path}.html`);
    const files = paths.flatMap((path) => [names.page(path), names.markdown(path), built.page(path), built.asset(path)]);
    expect(new Set(files).size).toBe(files.length);
    expect(Math.max(...files.map((file) => file.length))).toBeLessThanOrEqual(201);
    expect(files.filter((file) => /\p{Surrogate}/u.test(file))).toEqual([]);
    expect(names.markdown(paths[0]!)).toBe(names.page(paths[0]!).replace(/\/index\.html$/, '.md'));
  });

  test('keeps its first folders and its extension', () => {
    expect(safePath(`${long}/image.png`)).toMatch(/^0-folder-with-a-long-name\/1-[\w/-]+\/image-[0-9a-f]{6}\.png$/);
    expect(safePath(`${'a/'.repeat(80)}b`)).toBe(`${'a/'.repeat(80)}b`);
  });
});

describe('names that some file systems treat as equal', () => {
  const folded = (files: string[]) => new Set(files.map((file) => file.normalize('NFC').toLowerCase())).size;

  test.each([
    ['letter case', ['Guide', 'guide', 'GUIDE']],
    ['Unicode forms', ['caf\u00e9', 'cafe\u0301']],
    ['replaced characters', ['a?', 'a*', 'a-']],
    ['case in a folder', ['A/x', 'a/x']],
    ['a page that looks like a changed name', ['con', safePath('con')]],
  ])('%s', (_, pages) => {
    const names = safeNames(pages, [], []);
    const files = pages.flatMap((page) => [names.page(page), names.markdown(page)]);
    expect(folded(files)).toBe(files.length);
    const again = safeNames([...pages].reverse(), [], []);
    expect(pages.flatMap((page) => [again.page(page), again.markdown(page)])).toEqual(files);
  });

  test('a page is renamed for an asset, and for files of the export', () => {
    const names = safeNames(['logo.png', 'a', 'carrel.json'], ['logo.png', 'A.md', 'carrel.json'], ['carrel.json']);
    expect(names.asset('logo.png')).toBe('logo.png');
    expect(names.page('logo.png')).toMatch(/^logo\.png-[0-9a-f]{6}\/index\.html$/);
    expect(names.page('a')).toMatch(/^a-[0-9a-f]{6}\/index\.html$/);
    expect(names.asset('carrel.json')).toMatch(/^carrel-[0-9a-f]{6}\.json$/);
  });

  test('a folder is renamed for a file of the same name', () => {
    const names = safeNames(['', 'index.html/y', 'a/b/c'], ['404.html/x.png', 'A/B'], ['404.html', 'index.html']);
    expect(names.page('index.html/y')).toMatch(/^index\.html-[0-9a-f]{6}\/y\/index\.html$/);
    expect(names.markdown('index.html/y')).toMatch(/^index\.html-[0-9a-f]{6}\/y\.md$/);
    expect(names.asset('404.html/x.png')).toMatch(/^404\.html-[0-9a-f]{6}\/x\.png$/);
    expect(names.page('a/b/c')).toMatch(/^a-[0-9a-f]{6}\/b\/c\/index\.html$/);
  });

  test('a redirect is written only where no other file is', () => {
    const names = safeNames(['', 'guides/install'], ['old'], []);
    expect(names.claim('Guides/Install/index.html')).toBeUndefined();
    expect(names.claim('old/index.html')).toBeUndefined();
    expect(names.claim('new/index.html')).toBe('new/index.html');
    expect(names.claim('new/index.html')).toBeUndefined();
  });
});

test('the home page is at the root', () => {
  const names = safeNames([''], [], []);
  expect([names.page(''), names.markdown('')]).toEqual(['index.html', 'index.md']);
});
