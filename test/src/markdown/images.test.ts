import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

const images = async (body: string) =>
  (await createRenderer(options).render(page(body))).html.match(/<img[^>]*>/g)?.map((image) => ({
    size: image.includes('data-carrel-size'),
    lazy: image.includes('loading="lazy"'),
  }));

test('all images of a page but the first are lazy', async () => {
  expect(await images('![a](/a.png)\n\n<Frame>\n\n![b](/b.png)\n\n</Frame>\n\n<img src="/c.png" loading="eager" />')).toEqual([
    { size: true, lazy: false },
    { size: true, lazy: true },
    { size: true, lazy: false },
  ]);
});

test.each([
  ['<img src="/a.png" className="block dark:hidden rounded-lg" />', true],
  ['<img src="/a.png" style={{ borderRadius: "4px" }} />', true],
  ['<img src="/a.png" width="300" />', true],
  ['<img src="/a.png" height={40} />', true],
  ['<img src="/a.png" width="50%" />', false],
  ['<img src="/a.png" width="300" height="20" />', false],
  ['<img src="/a.png" className="h-12 w-full" />', false],
  ['<img src="/a.png" className="my-hero" />', false],
  ['<img src="/a.png" style={{ maxHeight: "4rem" }} />', false],
])('%s gets its size from its file only if nothing else sets it: %s', async (body, size) => {
  expect(await images(body)).toEqual([{ size, lazy: false }]);
});

test.each([
  ['Press ![a](/a.png) to go on.', true],
  ['- Press [![a](/a.png)](/b)', true],
  ['| A |\n|---|\n| <b><img src="/a.png" /></b> stops |', true],
  ['![a](/a.png)', false],
  ['<Frame><img src="/a.png" /></Frame>', false],
])('whether the image in %j is in a sentence: %s', async (body, expected) => {
  const { html } = await createRenderer(options).render(page(body));
  expect(/<img[^>]* class="c-inline"/.test(html)).toBe(expected);
});
