import { expect, test } from 'vitest';
import { withoutThinking } from '../../../../server/assistant/model/model-call.ts';

const texts: [text: string, startsThinking: boolean, said: string][] = [
  ['<think>Hm.</think>It is so.', false, 'It is so.'],
  ['Hm.</think>It is so.', true, 'It is so.'],
  ['It is so.', false, 'It is so.'],
  ['<think>Hm.</think>It is<think>Hm?</think> so.', false, 'It is so.'],
  ['<think>Never closed', false, ''],
  ['Never closed', true, ''],
  ['a < b <thing> and </think> <thin', false, 'a < b <thing> and </think> <thin'],
  ['<<think><</think></think>>', false, '<</think>>'],
  ['', false, ''],
];

test.each(texts)('%j (thinking first: %s) becomes %j, in one piece or character by character', (text, startsThinking, said) => {
  for (const pieces of [[text], Array.from(text)]) {
    const filter = withoutThinking('think', startsThinking);
    expect(pieces.map(filter.push).join('') + filter.end()).toBe(said);
  }
});

test('text that cannot become a tag any more is not held back', () => {
  const filter = withoutThinking('think', false);
  expect(['It is', ' <thi', 'ng>'].map(filter.push)).toEqual(['It is', ' ', '<thing>']);
});
