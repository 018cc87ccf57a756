import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createAnalyzer, type SearchPage } from '../../../integration/search/analyze.ts';
import { createIndexBuilder } from '../../../integration/search/builder.ts';
import { numbersOf, NumberWriter } from '../../../integration/search/numbers.ts';
import { fields } from '../../../integration/search/index-options.ts';
import { recordOf } from '../../../integration/search/postings.ts';
import { shardScript, shardText, type Meta } from '../../../integration/search/shards.ts';
import { ShardedTerms } from '../../../integration/search/sharded-terms.ts';
import { createTermWriter, frontDecoded } from '../../../integration/search/term-writer.ts';
import { generatedPages } from '../../support/generated-pages.ts';
import { buildFiles } from './build-files.ts';
import { wholeIndex } from '../../support/whole-index.ts';

test('writes the same bytes as a MiniSearch with the same sections', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `name${i.toString(36)}`).join(' ');
  const text = `${names} ${'x'.repeat(41)} ${'x'.repeat(40)} snake_case Zürich 日本語の文章 ${names}`;
  const introduction = { id: 'names', page: 'names', title: 'Names', headings: [], text, code: '', language: 'en' };
  const pages = [...generatedPages(300), { page: 'names', title: 'Names', sections: [introduction] }];
  const files = buildFiles(pages);
  const whole = wholeIndex(pages).corpus.miniSearch.toJSON();
  const byTerm = new Map(whole.index.map(([term, data]) => [term, data as unknown as Record<string, Record<string, number>>]));

  const terms = createTermWriter();
  for (const term of [...byTerm.keys()].sort()) {
    const postings = fields.map((_, field) => {
      const sections = byTerm.get(term)![field] ?? {};
      const numbers = Object.keys(sections).map(Number);
      return { sections: numbers, counts: Object.values(sections), from: 0, to: numbers.length };
    });
    terms.add(term, recordOf(postings, new NumberWriter()));
  }
  const { starts, shards, dictionary } = terms.finish();
  const meta = JSON.parse(shardText(files.get('meta.js')!)) as Meta;

  expect(shards.length).toBeGreaterThan(10);
  expect([...files.keys()].filter((name) => /^t\d/.test(name)).map((name) => shardText(files.get(name)!))).toEqual(shards);
  const words = [...files.keys()].filter((name) => name.startsWith('dict'));
  expect(dictionary.files.length).toBeGreaterThan(3);
  expect(words.map((name) => shardText(files.get(name)!))).toEqual(dictionary.files);
  expect(meta.dictionary).toEqual(dictionary.starts);
  expect(meta.starts).toEqual(starts);
  expect(meta.averages).toEqual(whole.averageFieldLength);
  fields
    .slice(1)
    .forEach((field, i) =>
      expect(numbersOf(meta.lengths[field])).toEqual(
        Object.values(whole.fieldLength as Record<string, number[]>).map((lengths) => lengths[i + 1]),
      ),
    );
});

test('the same pages give the same bytes, also from cached JSON', () => {
  const pages = generatedPages(60);
  const analyze = createAnalyzer();
  // Analyzed in another order: what the analyzer remembers must not show.
  const kept = JSON.stringify(pages.toReversed().map((page) => analyze(page)));
  const builder = createIndexBuilder();
  for (const page of (JSON.parse(kept) as ReturnType<typeof analyze>[]).reverse()) builder.addAnalyzed(page);
  expect(buildFiles(generatedPages(60))).toEqual(buildFiles(pages));
  expect(builder.finish()).toEqual(buildFiles(pages));
});

test('text files are named by content, so that an edit does not change those of other pages', () => {
  const pages = generatedPages(20);
  const edited = pages.map((page, i) =>
    i === 7 ? { ...page, sections: page.sections.map((section) => ({ ...section, text: 'Edited.' })) } : page,
  );
  const names = (files: Map<string, string>) => [...files.keys()].filter((name) => name.startsWith('x/'));
  const [before, after] = [names(buildFiles(pages)), names(buildFiles(edited))];
  expect(after.filter((name) => !before.includes(name))).toHaveLength(1);
});

test('every file is one classic script that cannot close its script element', () => {
  const page = { page: 'a', title: 'A', sections: [section('a', '</script><!-- \u2028\u2029 \u0000 \ud800 "\\')] };
  const files = buildFiles([page]);
  expect(files.size).toBeGreaterThan(3);
  for (const script of files.values()) {
    expect(script).toMatch(/^__carrel_shard\(".*"\);\n$/);
    expect(script).not.toMatch(/<\/|<!|[\u2028\u2029]/);
    const received: unknown[] = [];
    runInNewContext(script, { __carrel_shard: (text: unknown) => received.push(text) });
    expect(received).toEqual([shardText(script)]);
  }
});

test('the shortest distinct beginnings locate the file of a term and all files of a prefix', () => {
  const files = buildFiles(generatedPages(300));
  const { starts } = JSON.parse(shardText(files.get('meta.js')!)) as Meta;
  const terms = new ShardedTerms(starts);
  const shards = starts.map((_, i) => frontDecoded(shardText(files.get(`t${i}.js`)!).split('\n')[0]!));
  expect(starts.some((start, i) => start.length < shards[i]![0]!.length)).toBe(true);
  const missed = shards.flatMap((found, i) =>
    found.filter(
      (term) =>
        terms.shardOf(term).join() !== String(i) ||
        Array.from(term).some((_, end) => !terms.shardsAt(term.slice(0, end + 1)).includes(i)),
    ),
  );
  expect(missed).toEqual([]);
});

test('shards have up to 4,000 characters, and as few as that needs, for any number of pages', () => {
  const sizes = [...buildFiles(generatedPages(400))]
    .filter(([name]) => /^t\d/.test(name))
    .map(([, script]) => shardText(script).length);
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4000);
  expect(sizes.slice(1).every((size, number) => size + sizes[number]! > 4000)).toBe(true);
});

test('the text of a huge section is cut, its index entry is not', () => {
  const files = buildFiles([{ page: 'a', title: 'A', sections: [section('a', `${'word '.repeat(40_000)}lantern`)] }]);
  expect([...files.keys()].some((name) => name.startsWith('x/') && files.get(name)!.length < 85_000)).toBe(true);
  expect(files.get('t0.js')).toContain('lantern');
});

test('a section of another page is refused by name', () => {
  const wrong = { page: 'a', title: 'A', sections: [{ ...section('a', ''), id: 'b#x' }] };
  expect(() => buildFiles([wrong])).toThrow('The section "b#x" does not belong to the page "a"');
});

function section(page: string, text: string) {
  return { id: page, page, title: 'A', headings: [], text, code: '', language: 'en' };
}

/** Builds on the previous files and reuses each unchanged page. */
function rebuild(previous: Map<string, string>, before: SearchPage[], after: SearchPage[]) {
  const builder = createIndexBuilder({ previous: (name) => previous.get(name)! });
  const known = new Set(before);
  for (const page of after) if (!known.has(page) || !builder.reusePage(page.page)) builder.addPage(page);
  const files = builder.finish();
  for (const name of builder.reusedTexts()) files.set(name, previous.get(name)!);
  return files;
}

test.each<[string, (pages: SearchPage[]) => SearchPage[]]>([
  ['nothing changed', (pages) => pages],
  [
    'one page edited',
    (pages) => pages.with(40, { ...pages[40]!, sections: [section(pages[40]!.page, 'Fresh words about a lantern.')] }),
  ],
  ['the first page gone', (pages) => pages.slice(1)],
  ['the last page gone', (pages) => pages.slice(0, -1)],
  [
    'pages added at both ends and within',
    (pages) => [extra('new/a'), ...pages.slice(0, 50), extra('new/b'), ...pages.slice(50), extra('new/c')],
  ],
  ['a page of no sections', (pages) => [...pages.slice(0, 9), { page: 'none', title: 'None', sections: [] }, ...pages.slice(9)]],
  ['a title and a boost changed', (pages) => pages.with(7, { ...pages[7]!, title: 'Another lantern', boost: 3 })],
  ['two pages swapped', (pages) => pages.with(20, pages[30]!).with(30, pages[20]!)],
  ['every other page gone', (pages) => pages.filter((_, i) => i % 2)],
  ['all pages gone', () => []],
])('an index built on the previous one with %s has the same bytes as a new one', (_, edit) => {
  const pages = [...generatedPages(100), { page: 'empty', title: 'Empty', tag: 'GET', sections: [] }, page70()];
  const after = edit(pages);
  expect(rebuild(buildFiles(pages), pages, after)).toEqual(buildFiles(after));
});

test('a page of the previous index is reused once, and not before a page that was reused earlier', () => {
  const none = { page: 'none', title: 'None', sections: [] };
  const pages = [extra('a'), none, extra('b'), extra('c'), extra('d')];
  const files = buildFiles(pages);
  const reused = (...paths: string[]) => {
    const builder = createIndexBuilder({ previous: (name) => files.get(name)! });
    return { builder, paths: paths.filter((path) => builder.reusePage(path)) };
  };
  expect(reused('a', 'none', 'b', 'c', 'd').paths).toEqual(['a', 'none', 'b', 'c', 'd']);
  expect(reused('a', 'a', 'none', 'none', 'gone', 'b', 'b').paths).toEqual(['a', 'none', 'b']);
  expect(reused('c', 'b', 'a', 'd').paths).toEqual(['c', 'd']);
});

test('the text files of reused pages are named, and only those', () => {
  const other = { page: 'other', title: 'Other', sections: [section('other', 'Moss.')] };
  const files = buildFiles([extra('a'), other]);
  const own = (pages: SearchPage[]) => [...buildFiles(pages).keys()].filter((name) => name.startsWith('x/'));
  const builder = createIndexBuilder({ previous: (name) => files.get(name)! });
  expect(builder.reusedTexts()).toEqual([]);
  builder.reusePage('other');
  expect(own([other]).length).toBeGreaterThan(0);
  expect(builder.reusedTexts()).toEqual(own([other]));
  expect(createIndexBuilder().reusedTexts()).toEqual([]);
});

test('an index of another format cannot be reused', () => {
  expect(() => createIndexBuilder({ previous: () => shardScript('{"format":99}') })).toThrow(
    'has format 99, not 2. Build the index without it.',
  );
});

function extra(page: string): SearchPage {
  return {
    page,
    title: 'Extra',
    sections: [section(page, 'A lantern, and useState.'), { ...section(page, 'More'), id: `${page}#more` }],
  };
}

/** A page with more sections than one table describes. */
function page70(): SearchPage {
  return {
    page: 'long',
    title: 'Long',
    sections: Array.from({ length: 140 }, (_, i) => ({ ...section('long', `part ${i}`), id: `long#${i}` })),
  };
}
