import { expect, test } from 'vitest';
import { answerLabels } from '../../../integration/search/answer-labels.ts';
import { translated } from '../../../integration/search/translated.ts';
import { answerTexts } from '../../../server/assistant/answer/answer-texts.ts';

const tables = {
  'the words around quotes': (language: string) => answerLabels(language).answerNone,
  'what the assistant says of itself': (language: string) => answerTexts(language).cutOff,
};
const english = { quotes: 'The docs do not answer this.', assistant: 'The answer broke off before its end. Ask again.' };

test.each([
  ['zh', '文档没有回答这个问题。', '回答在结束前中断了。请再问一次。'],
  ['zh-CN', '文档没有回答这个问题。', '回答在结束前中断了。请再问一次。'],
  ['zh-Hans-HK', '文档没有回答这个问题。', '回答在结束前中断了。请再问一次。'],
  ['zh-TW', '文件沒有回答這個問題。', '回答在結束前中斷了。請再問一次。'],
  ['zh_TW', '文件沒有回答這個問題。', '回答在結束前中斷了。請再問一次。'],
  ['zh-HK', '文件沒有回答這個問題。', '回答在結束前中斷了。請再問一次。'],
  ['zh-mo', '文件沒有回答這個問題。', '回答在結束前中斷了。請再問一次。'],
  ['zh-Hant', '文件沒有回答這個問題。', '回答在結束前中斷了。請再問一次。'],
  ['ZH-HANT-TW', '文件沒有回答這個問題。', '回答在結束前中斷了。請再問一次。'],
  ['de-AT', 'Die Dokumentation beantwortet das nicht.', 'Die Antwort brach vor ihrem Ende ab. Fragen Sie noch einmal.'],
  ['tlh', english.quotes, english.assistant],
  ['constructor', english.quotes, english.assistant],
  ['', english.quotes, english.assistant],
])('in %j the words are of its script', (language, quotes, assistant) => {
  expect(Object.values(tables).map((wordsIn) => wordsIn(language))).toEqual([quotes, assistant]);
});

test('a table without Traditional Chinese gives no Simplified in its place', () => {
  expect(translated({ zh: 'Simplified' }, 'zh-TW')).toBeUndefined();
  expect(translated({ zh: 'Simplified' }, 'zh-SG')).toBe('Simplified');
});
