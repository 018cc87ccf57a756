import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withoutBaseElement } from '../../../integration/static-site/base-element.ts';
import { exampleSite, exportedPage } from '../export/example-site.ts';

const fixture = (name: string, file: string) =>
  readFileSync(new URL(`../../../fixtures/export/${name}/${file}`, import.meta.url), 'utf8');

describe('a page of the fixtures becomes relative', () => {
  test.each([
    ['urls', 'guides/install', {}],
    ['markup', 'guides/install', {}],
    ['air-gapped', 'guides/install', { airGapped: true }],
  ])('%s', async (name, path, options) => {
    const html = await exportedPage(path, withoutBaseElement(fixture(name, 'page.html')), options);
    await expect(html).toMatchFileSnapshot(`../../../fixtures/export/${name}/relative.html`);
  });
});

describe('only URLs change', () => {
  test.each([
    ['text and entities', '<p title="a&nbsp;&copy;\'x\'">A &amp B &lt; C</p>'],
    ['white space in tags', '<p\n  class = "x"   id=y >x</p >'],
    ['malformed markup', '<p><b></p></i><table><p>x<td><!-- open -> --><![CDATA[x]]><?php echo ?></>'],
    ['an unclosed tag at the end', '<p>x <a href="/guides/use"'],
    ['an unclosed comment', '<p>x <!-- <a href="/guides/use">'],
    ['empty URLs', '<a href="">x</a><img src="">'],
    ['template text in code', '<pre><code>&lt;img src="/x"&gt;</code></pre>'],
  ])('%s', async (_, html) => {
    expect(await exportedPage('guides/install', html)).toBe(html);
  });
});

test('URLs are escaped in their attribute', async () => {
  const html = `<a href='/it%27s'>x</a><a href=/it%27s>x</a><a href="/guides/use?a=1&b=2">x</a>`;
  expect(await exportedPage('', html)).toBe(
    `<a href='it&#39;s/index.html'>x</a><a href="it's/index.html">x</a><a href="guides/use/index.html?a=1&amp;b=2">x</a>`,
  );
});

test('with a site URL, canonical and social URLs are absolute, links relative', async () => {
  const html =
    '<link rel="canonical" href="/guides/use"><link rel="alternate" hreflang="de" href="/reference">' +
    '<meta property="og:url" content="/"><meta name="twitter:image" content="/images/logo.svg"><a href="/guides/use">x</a>';
  expect(await exportedPage('', html, { siteUrl: 'https://docs.example.com/v1/' })).toBe(
    '<link rel="canonical" href="https://docs.example.com/v1/guides/use/"><link rel="alternate" hreflang="de" href="https://docs.example.com/v1/reference/">' +
      '<meta property="og:url" content="https://docs.example.com/v1/"><meta name="twitter:image" content="https://docs.example.com/v1/images/logo.svg">' +
      '<a href="guides/use/index.html">x</a>',
  );
});

test('a vendored file replaces the external one', async () => {
  const vendored = new Map([
    ['https://cdn.example.com/a.png', '_carrel/vendor/0123.png'],
    ['https://cdn.example.com/b.png', '_carrel/vendor/4567.png'],
  ]);
  const html =
    '<img src="https://cdn.example.com/a.png" srcset="https://cdn.example.com/b.png 2x"><a href="https://cdn.example.com/a.png">x</a>' +
    '<img src="https://cdn.example.com/c.png">';
  expect(await exportedPage('guides/install', html, { airGapped: true, vendored })).toBe(
    '<img src="../../_carrel/vendor/0123.png" srcset="../../_carrel/vendor/4567.png 2x"><a href="https://cdn.example.com/a.png">x</a>' +
      '<a class="c-remote" data-element="img" href="https://cdn.example.com/c.png" rel="noreferrer"><span class="c-remote-address">https://cdn.example.com/c.png</span></a>',
  );
});

test('remote media stay if external origins are allowed', async () => {
  const html = '<img src="https://cdn.example.com/a.png"><iframe src="//video.example.com/1"></iframe>';
  expect(await exportedPage('guides/install', html)).toBe(html);
});

test('a page is found by each of its names', () => {
  const { resolver } = exampleSite();
  for (const url of ['/guides/use', 'use', '/guides/use.md', '/guides/use/index.html', '/guides//use', '/guides/./x/../use']) {
    expect(resolver.resolve(url, 'guides/install').page, url).toBe('guides/use');
  }
});

test('a placeholder for external media has its text; decorative media are removed', async () => {
  const html =
    '<main><img class="dark:hidden" src="https://cdn.example.com/a.png" alt="A &amp; B"><a href="/guides/use"><img src="https://cdn.example.com/b.png" alt="B"></a>' +
    '<img src="https://cdn.example.com/c.png" alt="" aria-hidden="true"><iframe src="https://cdn.example.com/d" title="D"></iframe></main>';
  expect(await exportedPage('', html, { airGapped: true })).toBe(
    '<main><a class="c-remote dark:hidden" data-element="img" href="https://cdn.example.com/a.png" rel="noreferrer"><span class="c-remote-words">A &amp; B</span> <span class="c-remote-address">https://cdn.example.com/a.png</span></a>' +
      '<a href="guides/use/index.html"><span class="c-remote" data-element="img"><span class="c-remote-words">B</span></span></a>' +
      '<a class="c-remote" data-element="iframe" href="https://cdn.example.com/d" rel="noreferrer"><span class="c-remote-words">D</span> <span class="c-remote-address">https://cdn.example.com/d</span></a></main>',
  );
});

describe('media of the main content whose file is missing', () => {
  const main = (body: string) => `<main data-carrel-content>${body}</main>`;
  const placeholder = (name: string, words: string, url: string, classes = '') =>
    `<span class="c-remote c-missing${classes}" data-element="${name}"><span class="c-remote-words">${words}</span> <span class="c-remote-address">${url}</span></span>`;

  test.each([
    [
      'an image',
      '<img class="dark:hidden" src="/no.png" alt="A &amp; B">',
      placeholder('img', 'A &amp; B', '/no.png', ' dark:hidden'),
    ],
    [
      'one without a description',
      '<img src="no.png">',
      '<span class="c-remote c-missing" data-element="img"><span class="c-remote-address">no.png</span></span>',
    ],
    [
      'one in a link',
      '<a href="/guides/use"><img src="/no.png" alt="B"></a>',
      '<a href="guides/use/index.html"><span class="c-remote c-missing" data-element="img"><span class="c-remote-words">B</span></span></a>',
    ],
    ['decoration', '<img src="/no.png" alt="" aria-hidden="true">', ''],
    [
      'a video with its poster and captions',
      '<video src="/no.mp4" poster="/no.png" title="V"><track src="/no.vtt"></video>',
      placeholder('video', 'V', '/no.mp4'),
    ],
    [
      'sounds',
      '<audio aria-label="S"><source src="/no.mp3"><source src="/no.ogg"></audio>',
      placeholder('audio', 'S', '/no.mp3'),
    ],
    [
      'a picture',
      '<picture><source srcset="/no.webp"><img src="/no.png" alt="P"></picture>',
      placeholder('picture', 'P', '/no.png'),
    ],
    [
      'parts of a video',
      '<video src="/files/film.mp4" poster="/no.png"><track src="/no.vtt"></video>',
      '<video src="files/film.mp4" ></video>',
    ],
    [
      'a source of a picture',
      '<picture><source srcset="/no.webp"><img src="/images/logo.svg" alt="P"></picture>',
      '<picture><img src="images/logo.svg" alt="P"></picture>',
    ],
    [
      'the image of a picture with a source',
      '<picture><source srcset="/images/logo.svg" media="print"><img src="/no.png" alt="P"></picture>',
      '<picture><source srcset="images/logo.svg" media="print"><img  alt="P"></picture>',
    ],
    [
      'an image with a missing candidate',
      '<img src="/images/logo.svg" srcset="/images/logo.svg 1x, /no.png 2x" alt="C">',
      '<img src="images/logo.svg"  alt="C">',
    ],
    [
      'one of two sources',
      '<video><source src="/no.webm"><source src="/files/film.mp4"></video>',
      '<video><source src="files/film.mp4"></video>',
    ],
    [
      'an image with another candidate',
      '<img src="/no.png" srcset="/images/logo.svg 2x" alt="C">',
      '<img  srcset="images/logo.svg 2x" alt="C">',
    ],
  ])('%s is not requested, and leaves its description', async (_, html, expected) => {
    expect(await exportedPage('', main(html))).toBe(main(expected));
  });

  test('one of another host stays', async () => {
    const html = main('<img src="https://cdn.example.com/a.png"><img src="data:image/gif;base64,R0">');
    expect(await exportedPage('', html)).toBe(html);
  });

  test.each([
    [
      'a logo',
      '<a href="/"><img src="/no.svg" alt="Docs"></a>',
      '<a href="index.html"><span class="c-remote c-missing" data-element="img"><span class="c-remote-words">Docs</span></span></a>',
    ],
    ['an icon of the page', '<link rel="icon" href="/no.svg">', '<link rel="icon" href="data:,">'],
    ['decoration', '<footer><img src="/no.png" alt="" aria-hidden="true"></footer>', '<footer></footer>'],
    [
      'a background',
      '<body background="/no.png"><p style="background:url(/no.png)">x</p>',
      '<body ><p style="background:url(data:,)">x</p>',
    ],
  ])('%s of the layout is not requested either', async (_, html, expected) => {
    expect(await exportedPage('', html)).toBe(expected);
  });
});
