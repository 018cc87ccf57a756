import { describe, expect, test } from 'vitest';
import { createIndexBuilder } from '../../../integration/search/builder.ts';
import {
  answerFollowUp,
  answerInContext,
  countKeywords,
  isFollowUp,
  lastSelfContained,
  type ReaderContext,
} from '../../../integration/search/follow-up.ts';
import { openIndex } from '../../../integration/search/index.ts';
import { shardText } from '../../../integration/search/shards.ts';

const pages: [page: string, title: string, text: string][] = [
  ['install', 'Install the program', 'Install the program with npm install tide.'],
  ['install-windows', 'Install on Windows', 'Install the program on Windows with winget install tide.'],
  ['time', 'Windows of time', 'Time windows of a harbour begin at noon. Windows of an hour are the shortest windows.'],
  ['webhooks', 'Webhooks', 'Webhooks tell your own server.'],
  ['undefined', 'Undefined values', 'An undefined value is none.'],
  ['lamp', 'Die Lampe', 'Die Lampe brennt mit Rüböl. Die Lampe im Winter brennt mit Petroleum.'],
];
const builder = createIndexBuilder();
const section = (page: string, title: string, text: string, heading = '') => {
  const id = heading === '' ? page : `${page}#${heading.toLowerCase()}`;
  return { id, page, title, headings: heading === '' ? [] : [heading], text, code: '', language: 'en' };
};
for (const [page, title, text] of pages) builder.addPage({ page, title, sections: [section(page, title, text)] });
const tides = [
  section('tides', 'Tides', 'Tides come twice a day.'),
  section('tides', 'Tides', 'A lantern shows the quay.', 'Night'),
];
builder.addPage({ page: 'tides', title: 'Tides', sections: tides });
const files = builder.finish();
const index = await openIndex({ load: async (name) => shardText(files.get(`${name}.js`)!) });
const first = async (...questions: string[]) => {
  const question = questions.pop()!;
  return (await answerFollowUp(index, question, questions)).quotes[0]?.page;
};

describe('a follow-up question', () => {
  test.each<[kind: string, questions: string[], page: string | undefined]>([
    ['refers to the one before', ['How do I install the program?', 'And on Windows?'], 'install-windows'],
    ['refers to another follow-up question', ['How do I install the program?', 'And on Windows?', 'And with npm?'], 'install'],
    ['has no words of its own', ['How do I install the program?', 'Why?'], 'install'],
    ['refers to the one before in German', ['Womit brennt die Lampe?', 'Und im Winter?'], 'lamp'],
    ['names another subject', ['How do I install the program?', 'webhooks'], 'webhooks'],
    ['is complete', ['How do I install the program?', 'When do time windows of a harbour begin?'], 'time'],
    ['is about something that the docs never mention', ['How do I install the program?', 'And on Solaris?'], undefined],
    ['is the first', ['And on Windows?'], 'time'],
    ['is the first, without words of its own', ['And why?'], undefined],
    [
      'is about something that the docs never mention, after a long question',
      ['How do I install the program on Windows with winget?', 'And on Solaris?'],
      undefined,
    ],
    [
      'has a word that the docs know beside one that they do not',
      ['How do I install the program with winget?', 'And on Windows or Solaris?'],
      'install-windows',
    ],
    [
      'has an answer of its own, after a question that has none',
      ['Who paints the office blue in spring?', 'And on Windows?'],
      'time',
    ],
    [
      'is complete, and has no answer',
      ['How do I install the program on Windows with winget install tide?', 'Which tides has an undefined server?'],
      undefined,
    ],
  ])('%s', async (_, questions, page) => {
    expect(await first(...questions)).toBe(page);
  });

  test('without an answer names the closest pages', async () => {
    const { quotes, nearest } = await answerFollowUp(index, 'Who paints the windows of the harbour office blue?', ['Why?']);
    expect([quotes, nearest[0]?.page]).toEqual([[], 'time']);
    const vague = await answerFollowUp(index, 'Why?', ['Who paints the windows of the harbour office blue?']);
    expect([vague.quotes, vague.nearest[0]?.page]).toEqual([[], 'time']);
  });
});

test.each([
  ['And on Windows?', 1],
  ['How do I install the program with npm?', 3],
  ['数据库备份怎么做？', 4],
  ['', 0],
])('%j has %i keywords', (question, words) => {
  expect(countKeywords(question)).toBe(words);
});

test.each([
  ['And on Windows?', true],
  ['Does it install on Windows with winget, npm?', true],
  ['Does it install the program on Windows with winget, npm?', true],
  ['Does it install the program on Windows with winget, npm, webhooks?', false],
  ['How do I install the program?', false],
])('%j refers to an earlier question: %s', (question, expected) => {
  expect(isFollowUp(question)).toBe(expected);
});

test.each<[questions: string[], subject: string | undefined]>([
  [['How do I install the program?', 'Which webhooks exist?'], 'Which webhooks exist?'],
  [['How do I install the program?', 'Which webhooks exist?', 'And on Windows?'], 'Which webhooks exist?'],
  [['How do I install the program?', 'Why?'], 'How do I install the program?'],
  [['And on Windows?', 'Why?'], 'Why?'],
  [['Why?', 'And on Windows?', 'And then?'], 'And then?'],
  [[], undefined],
])('of %j the subject is that of %j', (questions, subject) => {
  expect(lastSelfContained(questions)).toBe(subject);
});

describe('a question of a reader', () => {
  const onPage = (page: string, title: string): ReaderContext => ({ position: { page }, title });
  const time = 'Time windows of a harbour begin at noon.';
  const others =
    ' Install the program with winget. Webhooks tell your own server. Die Lampe brennt mit Rüböl, im Winter mit Petroleum. ' +
    'A lantern shows the quay. Tides come twice a day.';

  test.each<[about: string, question: string, context: ReaderContext, page: string | undefined]>([
    ['the page', 'What does this page say about npm?', onPage('install', 'Install the program'), 'install'],
    ['the page, in no other words', 'What is this page about?', onPage('webhooks', 'Webhooks'), 'webhooks'],
    [
      'the page, though only others have its words',
      'What is on this page about windows?',
      onPage('webhooks', 'Webhooks'),
      'webhooks',
    ],
    ['a page without a known title', 'What is on this page about windows?', { position: { page: 'webhooks' } }, 'time'],
    ['another page', 'When do time windows of a harbour begin?', onPage('webhooks', 'Webhooks'), 'time'],
    ['what is selected', 'What does this mean?', { selections: [time] }, 'time'],
    ['the beginning of a long selection', 'What does this mean?', { selections: [time.padEnd(200) + others] }, 'time'],
    [
      'something else than what is selected',
      'How do I install the program with winget?',
      { selections: [time] },
      'install-windows',
    ],
    [
      'an earlier question, with something selected that the docs lack',
      'And on Windows?',
      { selections: ['quux'], earlier: ['How do I install the program?'] },
      'install-windows',
    ],
    ['an earlier question', 'And on Windows?', { earlier: ['How do I install the program?'] }, 'install-windows'],
    ['what is selected, by a word that others have too', 'Windows?', { selections: ['Install the program.'] }, 'install-windows'],
    ['what is selected, as a follow-up', 'And on Windows?', { selections: ['Install the program.'] }, 'install-windows'],
    ['a page that the search does not have', 'What is on this page about windows?', onPage('private', 'Private'), 'time'],
    ['this page, without one', 'What is this page about?', { title: 'Webhooks' }, undefined],
    ['nothing that the docs have', 'Why?', {}, undefined],
  ])('about %s', async (_, question, context, page) => {
    expect((await answerInContext(index, question, context)).quotes[0]?.page).toBe(page);
  });
});

test('a question about a part of the page quotes that part, one about the page its introduction', async () => {
  const context: ReaderContext = { position: { page: 'tides' }, title: 'Tides' };
  const quoted = async (question: string) => (await answerInContext(index, question, context)).quotes[0]?.id;
  expect(await quoted('What does this page say about a lantern?')).toBe('tides#night');
  expect(await quoted('What is this page about?')).toBe('tides');
});
