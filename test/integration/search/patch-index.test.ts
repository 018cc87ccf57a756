import { expect, test } from 'vitest';
import { createAnalyzer, type SearchPage } from '../../../integration/search/analyze.ts';
import { patchIndex } from '../../../integration/search/patch-index.ts';
import { generatedPages, randomNumbers } from '../../support/generated-pages.ts';
import { buildFiles } from './build-files.ts';

/** Patches the index of `before` where pages of `after` differ; returns its files, and how many of them it wrote. */
function patch(before: SearchPage[], after: SearchPage[]) {
  const previous = buildFiles(before);
  const analyze = createAnalyzer();
  const changes = after.flatMap((page, position) =>
    page === before[position] ? [] : [{ position, before: analyze(before[position]!), after: analyze(page) }],
  );
  const patched = patchIndex(changes, { names: previous.keys(), read: (name) => previous.get(name)! });
  if (!patched) return undefined;
  const files = new Map(patched.files);
  for (const [name, old] of patched.reused) files.set(name, previous.get(old)!);
  for (const { after } of changes) for (const [name, text] of Object.entries(after.files)) files.set(`${name}.js`, text);
  return { files, written: patched.files };
}

const pages = [
  ...generatedPages(300),
  { page: 'none', title: 'None', sections: [] },
  { page: 'long', title: 'Long', sections: Array.from({ length: 140 }, (_, i) => section('long', `part ${i}`, i)) },
  { page: 'twin/a', title: 'Twin', sections: [section('twin/a', 'The same text twice.')] },
  { page: 'twin/b', title: 'Twin', sections: [section('twin/b', 'The same text twice.')] },
];

function section(page: string, text: string, number = 0) {
  return { id: number > 0 ? `${page}#${number}` : page, page, title: 'A', headings: [], text, code: '', language: 'en' };
}

/** The page with another text in one of its sections. */
function edited(page: SearchPage, text: (text: string) => string, number = 0): SearchPage {
  const at = number % page.sections.length;
  const { [at]: old } = page.sections;
  return { ...page, sections: page.sections.with(at, { ...old!, text: text(old!.text) }) };
}

const more = (text: string) => `${text} One sentence more, with a lantern.`;

test.each<[string, (pages: SearchPage[]) => SearchPage[]]>([
  ['one more sentence', (all) => all.with(40, edited(all[40]!, more))],
  [
    'all words of a section gone',
    (all) =>
      all.with(
        41,
        edited(all[41]!, () => ''),
      ),
  ],
  [
    'a new first and a new last term',
    (all) =>
      all.with(
        0,
        edited(all[0]!, () => '0000 𠮷𠮷𠮷𠮷'),
      ),
  ],
  [
    'a word very often',
    (all) =>
      all.with(
        9,
        edited(all[9]!, () => 'often '.repeat(70_000)),
      ),
  ],
  ['a title', (all) => all.with(7, { ...all[7]!, title: 'Another lantern' })],
  ['a boost', (all) => all.with(8, { ...all[8]!, boost: 3 })],
  ['no boost', (all) => all.with(5, { ...all[5]!, boost: undefined })],
  ['a tag', (all) => all.with(6, { ...all[6]!, tag: 'POST' })],
  ['a heading', (all) => all.with(301, { ...all[301]!, sections: all[301]!.sections.with(99, section('long', 'other', 99)) })],
  ['a title of a page without sections', (all) => all.with(300, { ...all[300]!, title: 'Nothing' })],
  ['one of two pages with the same text', (all) => all.with(302, edited(all[302]!, more))],
  ['both pages with the same text', (all) => all.with(302, edited(all[302]!, more)).with(303, edited(all[303]!, more))],
  ['several pages', (all) => all.map((page, i) => (i % 60 === 3 ? edited(page, more, i) : page))],
  [
    'so many new words that terms move to other files',
    (all) =>
      all.with(
        90,
        edited(all[90]!, () => words(3000)),
      ),
  ],
])('an index that differs by %s has the bytes of a new one', (_, change) => {
  const after = change(pages);
  expect(after).not.toEqual(pages);
  expect(sorted(patch(pages, after)!.files)).toEqual(sorted(buildFiles(after)));
});

test('after each of many edits, an index has the bytes of a new one', () => {
  const random = randomNumbers(7);
  const some = (count: number) => Math.floor(random() * count);
  const texts = generatedPages(40, 3).flatMap((page) => page.sections.map(({ text }) => text));
  let before = pages.slice(0, 120);
  let withFewFiles = 0;
  for (let run = 0; run < 25; run++) {
    const at = some(120);
    const text = texts[some(texts.length)]!;
    const after = before.with(
      at,
      edited(before[at]!, (old) => (run % 3 === 0 ? text : `${old} ${text.slice(0, 60)}`), some(9)),
    );
    const { files, written } = patch(before, after)!;
    expect(sorted(files)).toEqual(sorted(buildFiles(after)));
    if (written.size < files.size / 3) withFewFiles++;
    before = after;
  }
  expect(withFewFiles).toBeGreaterThan(8);
});

test('an edit writes only the files that have its terms', () => {
  const after = pages.with(
    40,
    edited(pages[40]!, (text) => `${text} lantern`),
  );
  const { files, written } = patch(pages, after)!;
  expect([...files.keys()].filter((name) => name.startsWith('t')).length).toBeGreaterThan(10);
  expect([...written.keys()].filter((name) => name.startsWith('t')).length).toBeLessThan(4);
});

test('an index whose sections get other numbers, or a page another area, must be built', () => {
  const longer = { ...pages[40]!, sections: [...pages[40]!.sections, section(pages[40]!.page, 'New.', 99)] };
  expect(patch(pages, pages.with(40, longer))).toBeUndefined();
  expect(patch(pages, pages.with(40, { ...pages[40]!, area: 'Elsewhere' }))).toBeUndefined();
});

test('an index that is not of the pages before must be built', () => {
  const previous = buildFiles(pages);
  const analyze = createAnalyzer();
  const [before, after] = [analyze(edited(pages[40]!, () => 'Something else.')), analyze(edited(pages[40]!, more))];
  const files = { names: previous.keys(), read: (name: string) => previous.get(name)! };
  expect(patchIndex([{ position: 40, before, after }], files)).toBeUndefined();
});

function words(count: number): string {
  return Array.from({ length: count }, (_, i) => `${i.toString(36)}word`).join(' ');
}

function sorted(files: Map<string, string>): [string, string][] {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}
