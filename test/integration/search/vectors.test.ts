import { describe, expect, test } from 'vitest';
import { createIndexBuilder } from '../../../integration/search/builder.ts';
import { openIndex } from '../../../integration/search/index.ts';
import { shardText } from '../../../integration/search/shards.ts';
import { beginning, embeddedText, openVectors, quantized, withVectors } from '../../../integration/search/vectors.ts';

const vectors = [
  [1, 0, 0],
  [0.9, 0.1, 0],
  [0, 2, 0],
  [0, 0, 0],
];
const bytes = Int8Array.from(vectors.flatMap((vector) => [...quantized(vector)]));

test('vectors of any length become whole numbers of the same direction', () => {
  expect([...quantized([0.5, -0.25, 0])]).toEqual([127, -63, 0]);
  expect([...quantized([500, -250, 0])]).toEqual([127, -63, 0]);
  expect([...quantized([0, 0])]).toEqual([0, 0]);
});

test('the nearest vectors come first, whatever their length', () => {
  const opened = openVectors(bytes, { dimension: 3, count: 4 });
  const near = opened.nearest(Float32Array.of(10, 1, 0), 3);
  expect(near.map(({ section }) => section)).toEqual([1, 0, 2]);
  expect(near[0]!.similarity).toBeCloseTo(1, 2);
  expect(opened.nearest(Float32Array.of(1, 0, 0), 100)).toHaveLength(4);
});

test('a file that does not belong to the index is refused', () => {
  expect(() => openVectors(bytes, { dimension: 3, count: 5 })).toThrow('does not hold 5 vectors of dimension 3');
});

test('a model reads the headings once, then text and code, up to what small models take', () => {
  const section = { title: 'Install', headings: ['Install', 'With npm'], text: 'Run it.', code: 'npm install' };
  expect(embeddedText(section)).toBe('Install › With npm\nRun it.\nnpm install');
  expect(beginning('a'.repeat(5000))).toHaveLength(2000);
  expect(beginning('漢'.repeat(5000))).toHaveLength(666);
  expect(beginning('👍'.repeat(2000))).not.toMatch(/[\ud800-\udbff]$/);
});

describe('an index with vectors', async () => {
  const indexOf = async (pages: [title: string, text: string][]) => {
    const builder = createIndexBuilder();
    for (const [page, text] of pages)
      builder.addPage({
        page,
        title: page,
        sections: [{ id: page, page, title: page, headings: [], text, code: '', language: 'en' }],
      });
    const files = builder.finish();
    return openIndex({ load: async (name) => shardText(files.get(`${name}.js`)!) });
  };
  const index = await indexOf([
    ['a', 'remove the account'],
    ['b', 'erase a disk'],
    ['c', 'invite people'],
  ]);
  const found = async (nearest: number[], limit?: number) => {
    const hybrid = withVectors(index, async () => nearest.map((section) => ({ section, similarity: 1 })));
    return (await hybrid.search('remove', { limit })).map(({ id, terms }) => [id, ...terms]);
  };

  test('finds what only the vectors know after what both know', async () => {
    expect(await found([0, 1])).toEqual([['a', 'remove'], ['b']]);
    expect(await found([1, 2, 0])).toEqual([['a', 'remove'], ['b'], ['c']]);
    expect(await found([1, 2, 0], 1)).toEqual([['a', 'remove']]);
  });

  test('puts the section that words name before one that they only touch and that is nearest', async () => {
    const hybrid = withVectors(
      await indexOf([
        ['remove', 'it'],
        ['b', `remove ${'many other words and things '.repeat(9)}`],
        ['c', ''],
      ]),
      async () => [
        { section: 1, similarity: 0.6 },
        { section: 2, similarity: 0.1 },
      ],
    );
    expect((await hybrid.search('remove')).map(({ id }) => id)).toEqual(['remove', 'b', 'c']);
  });

  test.each([
    [0.9, 0.6, 0.1],
    [0.82, 0.79, 0.74],
  ])('ranks similarities by their distance, whatever range a model has: %f, %f, %f', async (first, second, third) => {
    const hybrid = withVectors(
      await indexOf([
        ['a', 'erase'],
        ['b', 'erase'],
        ['c', 'erase'],
        ['d', 'invite'],
      ]),
      async () => [
        { section: 3, similarity: first },
        { section: 1, similarity: second },
        { section: 0, similarity: third },
      ],
    );
    const found = await hybrid.search('erase');
    expect(found.map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd']);
    expect(found.map(({ score }) => Number(score.toFixed(2)))).toEqual([1.44, 1, 1, 0.7]);
  });

  test('finds the same as without, when there is no vector for the query', async () => {
    expect(await found([])).toEqual([['a', 'remove']]);
  });
});
