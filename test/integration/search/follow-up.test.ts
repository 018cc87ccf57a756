import { describe, expect, test } from 'vitest';
import { createIndexBuilder } from '../../../integration/search/builder.ts';
import { answerAfter, tellingWords } from '../../../integration/search/follow-up.ts';
import { openIndex } from '../../../integration/search/index.ts';
import { shardText } from '../../../integration/search/shards.ts';

const pages: [page: string, title: string, text: string][] = [
  ['install', 'Install the program', 'Install the program with npm install tide.'],
  ['install-windows', 'Install on Windows', 'Install the program on Windows with winget install tide.'],
  ['time', 'Windows of time', 'Time windows of a harbour begin at noon. Windows of an hour are the shortest windows.'],
  ['webhooks', 'Webhooks', 'Webhooks tell your own server.'],
  ['lamp', 'Die Lampe', 'Die Lampe brennt mit Rüböl. Die Lampe im Winter brennt mit Petroleum.'],
];
const builder = createIndexBuilder();
for (const [page, title, text] of pages)
  builder.addPage({ page, title, sections: [{ id: page, page, title, headings: [], text, code: '', language: 'en' }] });
const files = builder.finish();
const index = await openIndex({ load: async (name) => shardText(files.get(`${name}.js`)!) });
const first = async (...questions: string[]) => {
  const question = questions.pop()!;
  return (await answerAfter(index, question, questions)).quotes[0]?.page;
};

describe('a question after others', () => {
  test.each<[kind: string, questions: string[], page: string | undefined]>([
    ['goes on', ['How do I install the program?', 'And on Windows?'], 'install-windows'],
    ['goes on from one that went on', ['How do I install the program?', 'And on Windows?', 'And with npm?'], 'install'],
    ['only points back', ['How do I install the program?', 'Why?'], 'install'],
    ['goes on in German', ['Womit brennt die Lampe?', 'Und im Winter?'], 'lamp'],
    ['is of something else', ['How do I install the program?', 'webhooks'], 'webhooks'],
    ['is whole', ['How do I install the program?', 'When do time windows of a harbour begin?'], 'time'],
    ['goes on with what the docs never mention', ['How do I install the program?', 'And on Solaris?'], undefined],
    ['is the first', ['And on Windows?'], 'time'],
  ])('%s', async (_, questions, page) => {
    expect(await first(...questions)).toBe(page);
  });

  test('that is not answered names what is near to it', async () => {
    const { quotes, nearest } = await answerAfter(index, 'Who paints the windows of the harbour office blue?', ['Why?']);
    expect([quotes, nearest[0]?.page]).toEqual([[], 'time']);
  });
});

test.each([
  ['And on Windows?', 1],
  ['How do I install the program with npm?', 3],
  ['数据库备份怎么做？', 4],
  ['', 0],
])('%j has %i telling words', (question, words) => {
  expect(tellingWords(question)).toBe(words);
});
