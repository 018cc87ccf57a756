import { expect, test } from 'vitest';
import { resultUrl } from '../../../../integration/reader/shared/events.ts';

test.each([
  ['guides/install#npm', ['instal'], 'x/index.html?highlight=instal#npm'],
  ['guides/install', ['a', 'b&c'], 'x/index.html?highlight=a+b%26c'],
  ['guides/install#安装', ['安装'], 'x/index.html?highlight=%E5%AE%89%E8%A3%85#%E5%AE%89%E8%A3%85'],
])('the URL of %s has the words and the anchor', (id, terms, expected) => {
  expect(resultUrl({ id, terms }, 'x/index.html')).toBe(expected);
});
