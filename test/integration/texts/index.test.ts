import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { english, labelsOf, type Labels } from '../../../integration/texts/index.ts';

const languages = readdirSync(new URL('../../../integration/texts/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

/** Each text of a language with the name of its group: ['ask.askSend', 'Send']. */
function textsOf(labels: Labels): [name: string, text: string][] {
  return Object.entries(labels).flatMap(([group, texts]) =>
    Object.entries(texts).map(([key, text]): [string, string] => [`${group}.${key}`, text]),
  );
}

test.each(languages)('%s has every text, with the placeholders of the English one', async (language) => {
  const texts = new Map(textsOf(await labelsOf(language)));
  const englishTexts = textsOf(english);
  expect([...texts.keys()].sort()).toEqual(englishTexts.map(([name]) => name).sort());
  for (const [name, text] of englishTexts) {
    expect(texts.get(name)!.trim(), name).not.toBe('');
    expect(placeholders(texts.get(name)!), name).toEqual(placeholders(text));
  }
});

test.each(languages.filter((language) => language !== 'en'))('%s is not English', async (language) => {
  const { search, playground } = await labelsOf(language);
  expect(search.search).not.toBe(english.search.search);
  expect(playground.faultRequired).not.toBe(english.playground.faultRequired);
});

const traditional = '搜尋';
const simplified = '搜索';
const fallback = 'Search';

test.each([
  ['zh', simplified],
  ['zh-CN', simplified],
  ['zh-SG', simplified],
  ['zh-Hans-HK', simplified],
  ['zh-TW', traditional],
  ['zh_TW', traditional],
  ['zh-HK', traditional],
  ['zh-mo', traditional],
  ['zh-Hant', traditional],
  ['ZH-HANT-TW', traditional],
  ['zh-Hant-HK', traditional],
  ['de-AT', 'Suche'],
  ['DE', 'Suche'],
  ['pt-BR', 'Pesquisar'],
  ['en', fallback],
  ['en-GB', fallback],
  ['sv', fallback],
  ['tlh', fallback],
  ['__proto__', fallback],
  ['constructor', fallback],
  ['', fallback],
  [undefined, fallback],
])('the labels of %j are those of its script, else of its language, else English', async (language, search) => {
  expect((await labelsOf(language)).search.search).toBe(search);
});
