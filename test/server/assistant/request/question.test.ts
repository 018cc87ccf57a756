import { expect, test } from 'vitest';
import { readerLanguage } from '../../../../server/assistant/request/question.ts';

test.each([
  ['Tidewater をインストールする方法は？', 'en', 'ja'],
  ['설치 방법은 무엇입니까?', 'en', 'ko'],
  ['如何安装？', 'en', 'zh'],
  ['如何安裝？', 'zh-TW', 'zh-TW'],
  ['導入方法', 'ja', 'ja'],
  ['Как установить с npm?', 'en', 'ru'],
  ['Як встановити?', 'uk', 'uk'],
  ['كيف أثبته؟', 'en', 'ar'],
  ['איך מתקינים?', 'en', 'he'],
  ['इसे कैसे स्थापित करें?', 'en', 'hi'],
  ['How do I install it?', 'en', 'en'],
  ['Wie installiere ich das?', 'en', 'en'],
  ['What does 導入 mean in the settings?', 'en', 'en'],
  ['', 'de', 'de'],
  ['123 ?!', 'de', 'de'],
  ['Как?', 'not a tag', 'ru'],
])('%j over docs in %s is asked in %s', (question, docs, language) => {
  expect(readerLanguage(question, docs)).toBe(language);
});
