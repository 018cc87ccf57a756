import { expect, test } from 'vitest';
import { isCompound, locate, tokenize, toTerm } from '../../../integration/search/tokenize.ts';

test.each([
  ['Read the docs.', ['Read', 'the', 'docs']],
  ['useEffect', ['useEffect', 'use', 'Effect']],
  ['XMLHttpRequest', ['XMLHttpRequest', 'XML', 'Http', 'Request']],
  ['max_retry_count', ['max_retry_count', 'max', 'retry', 'count']],
  ['__init__ _foo foo_ ___', ['init', 'foo', 'foo']],
  ['_max_retry_', ['max_retry', 'max', 'retry']],
  ['useId', ['useId', 'use', 'Id']],
  ['getX', ['getX']],
  ['tasks.batchTrigger', ['tasks.batchTrigger', 'tasks', 'batchTrigger', 'batch', 'Trigger']],
  ['max-width C++ $?', ['max-width', 'max', 'width', 'C']],
  ["don't", ['don', 't']],
  ['doku\u00admentation', ['dokumentation']],
  ['安装命令行', ['安装', '装命', '命令', '令行']],
  ['第3章', ['第', '3', '章']],
  ['使用React组件', ['使用', 'React', '组件']],
  ['サーバー', ['サー', 'ーバ', 'バー']],
  ['𠮷野家', ['𠮷野', '野家']],
  ['설치하는 법', ['설치', '치하', '하는', '법']],
  ['ติดตั้ง', ['ติด', 'ดตั้', 'ตั้ง']],
  ['Установка сервера', ['Установка', 'сервера']],
  ['', []],
  ['… — ! \ud800', []],
])('splits %j into tokens', (text, tokens) => {
  expect(tokenize(text)).toEqual(tokens);
});

test.each([
  ['client.Run', ['client.Run']],
  ['await this.client.run().then.all()', ['this.client.run', 'then.all']],
  ['TCP/IP or a/b', ['TCP/IP', 'a/b']],
  ['npm i @scope/pkg-name, @decorator', ['@scope/pkg-name', '@decorator']],
  ['run --no-cache -v, not --', ['--no-cache', '-v']],
  ['see ./src/utf-8.ts and /v1/jobs', ['src/utf-8.ts', 'v1/jobs']],
  ['error AB-1042 of PGRST-116', ['AB-1042', 'PGRST-116']],
  ['in config.json.', ['config.json']],
  ['read-only Get-Item', ['read-only', 'Get-Item']],
  ['e.g. i.e. U.S. 1.2.3 v1.2.3 10/12 3.5 2-3 re- -', []],
  ['https://example.com/a/b mail@example.com a--b', []],
  [`${'a'.repeat(30)}.${'b'.repeat(30)}`, []],
  ['größe.wert.', []],
])('finds the compounds of %j', (text, compounds) => {
  expect(tokenize(text).filter(isCompound)).toEqual(compounds);
});

test.each([
  ['composed and decomposed letters', 'Größe Ångström 설치 ガイド', 'Größe Ångström 설치 ガイド'.normalize('NFD')],
  ['full and half width', 'API ガイド', 'ＡＰＩ ｶﾞｲﾄﾞ'],
  ['ligatures', 'file', 'ﬁle'],
  ['accents', 'deja resume', 'déjà résumé'],
  ['two accents on one letter', 'Tieng Viet', 'Tiếng Việt'],
  ['the two dots of Cyrillic', 'елка', 'ёлка'],
  ['vowel signs, hamza and stretching of Arabic', 'احمد ولد', 'أَحْمَد ولـــد'],
  ['the Arabic article', 'خادم', 'الخادم'],
  ['points of Hebrew', 'שלום', 'שָׁלוֹם'],
])('does not distinguish %s', (_, one, other) => {
  expect(tokenize(other)).toEqual(tokenize(one));
});

test('distinguishes letters that only look related', () => {
  expect(tokenize('й')).not.toEqual(tokenize('и'));
  expect(tokenize('が')).not.toEqual(tokenize('か'));
});

test.each(['الله', 'رسالتهم'])('the letters of the Arabic article stay in %s, where they are not one', (word) => {
  expect(tokenize(word)).toEqual([word]);
});

test.each([
  ['Tasks', 'task'],
  ['queries', 'query'],
  ['ties', 'tie'],
  ['tries', 'try'],
  ['orchestras', 'orchestra'],
  ['AWS', 'aws'],
  ['classes', 'class'],
  ['boxes', 'box'],
  ['status', 'status'],
  ['analysis', 'analysis'],
  ['class', 'class'],
  ['bus', 'bus'],
  ['v13s', 'v13s'],
  ['running', 'running'],
  ['İstanbul', 'istanbul'],
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), undefined],
])('makes %s the term %s', (token, term) => {
  expect(toTerm(tokenize(token)[0]!)).toBe(term);
});

test.each([
  ['Read useEffect, now', ['Read', 'useEffect', 'now']],
  ['使用React', ['使用', 'React']],
  ['命令行', ['命令', '令行']],
  [`a ${'é'.normalize('NFD')}t b`, ['a', `${'é'.normalize('NFD')}t`, 'b']],
])('locates the words in %j', (text, words) => {
  expect(locate(text).map(({ start, end }) => text.slice(start, end))).toEqual(words);
});

test.each([
  'Read useEffect, __init__ max_retry',
  'Call client.Run or @scope/name --no-cache, größe.wert',
  '使用React组件 サーバー',
  '설치하는 방법'.normalize('NFD'),
  'Größe ﬁle ½ ﷺ ย_x_安装',
  'تُثبَّت الأداة',
])('%j has the same tokens with and without positions', (text) => {
  expect(locate(text).flatMap(({ tokens }) => tokens)).toEqual(tokenize(text));
});
