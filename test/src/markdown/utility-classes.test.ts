import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { utilitiesOf, utilitySheet } from '../../../src/markdown/utility-classes.ts';
import { options, page } from './fixtures.ts';

const names = (classes: string) => utilitiesOf(new Set(classes.split(' ')));

async function sheet(classes: string): Promise<string> {
  const utilities = await names(classes);
  expect(utilities, 'all are utility classes').toHaveLength(classes.split(' ').length);
  return utilitySheet(utilities);
}

test.each([
  ['mt-4', 'margin-top:1rem'],
  ['-mt-2', 'margin-top:-0.5rem'],
  ['grid-cols-3', 'grid-template-columns:repeat(3,minmax(0,1fr))'],
  ['grid-cols-[1fr_2fr]', 'grid-template-columns:1fr 2fr'],
  ['w-[calc(100%-1rem)]', 'width:calc(100% - 1rem)'],
  ['md:flex', '@media (min-width: 768px){.prose :is(.md\\:flex){display:flex;}'],
  ['hover:opacity-50', '.hover\\:opacity-50:hover){opacity:0.5;}'],
  ['group-hover:underline', '.group:hover .group-hover\\:underline){text-decoration-line:underline;}'],
  ['!mt-0', 'margin-top:0 !important'],
  ['bg-gradient-to-br', 'linear-gradient(to bottom right,var(--un-gradient-stops))'],
  ['bg-blue-600', '#2563eb'],
  ['line-clamp-2', '-webkit-line-clamp:2'],
  ['w-screen', 'max-width:100%'],
])('%s is a rule for the content of pages', async (name, rule) => {
  const css = await sheet(name);
  expect(css).toContain(rule);
  expect(css).toContain('.prose ');
});

test('dark: follows the reader, and without a choice the system', async () => {
  const css = await sheet('dark:hidden');
  expect(css).toContain(":root[data-theme='dark'] .dark\\:hidden){display:none;}");
  expect(css).toMatch(
    /@media \(prefers-color-scheme: dark\)\{.prose :is\(:root:not\(\[data-theme\]\) .dark\\:hidden\)\{display:none;\}\}/,
  );
});

test('a sheet is the same in any order of classes, and after the sheet of another site', async () => {
  const [one, other] = [await names('p-4 mt-2 text-gray-600'), await names('text-gray-600 p-4 mt-2')];
  expect(one).toEqual(other);
  expect(await utilitySheet(one)).toBe(await utilitySheet(other));
  const before = await utilitySheet(['p-4']);
  await utilitySheet(['shadow-md', 'rotate-45']);
  expect(await utilitySheet(['p-4'])).toBe(before);
});

test.each([
  'p4 m10 b c-red op50 pos-relative i-lucide-star un-cloak',
  'card hero-banner container-of-mine quay language-json',
  'fixed md:fixed sticky !fixed',
  'bg-[url(https://evil.example/x)] bg-[image:url(/x)] list-[url(x)] content-[attr(title)] [&>p]:m-0 [color:red]',
  'bg-[red;position:fixed] w-[1px}*{color:red] before:content-[url(x)] bg-[var(--x)] text-$x bg-constructor-600 bg-blue-650',
  'bg-[\\75rl(x)] w-[/*] w-[@import] w-["x"] w-[(1px] w-[1px)] w-[)(]',
])('%s: none is a utility class', async (classes) => {
  expect(await names(classes)).toEqual([]);
});

test('no class loads a file or leaves the page', async () => {
  const values = ['[1px]', '[#fff]', '[rgb(1,2,3)]', '[50%]', '4', 'full', 'none', 'auto', 'white', 'blue-600'];
  const properties = [
    'bg',
    'text',
    'w',
    'h',
    'top',
    'content',
    'list',
    'list-image',
    'cursor',
    'filter',
    'mask',
    'border',
    'fill',
  ];
  const all = properties.flatMap((property) => values.map((value) => `${property}-${value}`));
  const css = await utilitySheet(await names(all.join(' ')));
  expect(css.length).toBeGreaterThan(2_000);
  expect(css).not.toMatch(/url\(|@import|image-set|position:fixed|https?:/);
});

test('a page has the utility classes of its HTML, from any element', async () => {
  const { utilities } = await createRenderer(options).render(
    page(
      'export const Box = ({ children }) => <div className="p-4 quay">{children}</div>\n\n<Box><span class="mt-2">a</span></Box>\n\n`<p class="mb-8">`\n\n<button className="px-4">b</button>',
    ),
  );
  expect(utilities).toEqual(['mt-2', 'p-4', 'px-4']);
});

test('10,000 classes of one page take no longer than rendering it', async () => {
  const classes = Array.from({ length: 10_000 }, (_, index) => `w-[${index}px]`);
  const { utilities } = await createRenderer(options).render(page(`<div className="${classes.join(' ')}">a</div>`));
  expect(utilities).toHaveLength(10_000);
});
