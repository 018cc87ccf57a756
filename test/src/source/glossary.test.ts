import { expect, test } from 'vitest';
import { ExportError } from '../../../integration/errors.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { docsFolder } from './docs-folder.ts';

const read = (glossary: unknown) => readSource(docsFolder({ 'a.md': '# A', 'glossary.json': glossary as object }));

test('reads the terms of glossary.json, which is not an asset', async () => {
  const { glossary, assets, problems } = await read({
    terms: [
      { term: ' load \n balancer ', definition: ' Spreads *work* ', relatedTerms: ['load'] },
      { term: '__proto__', definition: 'A key' },
    ],
  });
  expect([...glossary!]).toEqual([
    ['load balancer', 'Spreads *work*'],
    ['__proto__', 'A key'],
  ]);
  expect([assets, problems]).toEqual([[], []]);
  expect((await readSource(docsFolder({ 'a.md': '# A' }))).glossary).toBeUndefined();
});

test('reports terms that are incomplete, with their position, and reads the others', async () => {
  const terms = [
    '{ "term": "a" }',
    '{ "term": "—", "definition": "A dash" }',
    `{ "term": "${'x'.repeat(10_000)}", "definition": "Long" }`,
    '{ "term": "b", "definition": " " }',
    '{ "term": "c", "definition": "C" }',
  ];
  const { glossary, problems } = await read(`{ "terms": [\n${terms.join(',\n')}\n] }`);
  expect([...glossary!]).toEqual([['c', 'C']]);
  expect(problems.map(({ page, line, column, message }) => [page, line, column, message])).toEqual([
    ['glossary.json', 2, 1, '"terms[0]" has no "definition". The value is ignored.'],
    ['glossary.json', 3, 3, '"terms[1].term" is "—", but must contain a letter or a digit. The value is ignored.'],
    ['glossary.json', 4, 3, '"terms[2].term" is a long string, but must have at most 100 characters. The value is ignored.'],
    ['glossary.json', 5, 16, '"terms[3].definition" is " ", but must contain text. The value is ignored.'],
  ]);
});

test.each([[[1]], [{ API: 'x' }]])('%j is a file like others', async (content) => {
  const { glossary, assets, problems } = await read(content);
  expect([glossary, assets.map(({ path }) => path), problems]).toEqual([undefined, ['glossary.json'], []]);
});

test('refuses a file that is not JSON, with the position', async () => {
  const error = await read('{ "terms": [,] }').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ExportError);
  expect(error).toMatchObject({ code: 'ConfigNotJson', at: { file: 'glossary.json', line: 1, column: 13 } });
});
