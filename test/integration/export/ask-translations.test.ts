import { expect, test } from 'vitest';
import { englishAskLabels } from '../../../integration/reader/ask/labels.ts';
import { askTranslations } from '../../../integration/export/ask-translations.ts';
import { searchLabels } from '../../../integration/export/search-labels.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test.each(Object.entries(askTranslations))('%s has the same blanks to fill as English', (language, words) => {
  expect(searchLabels(language)).toBeDefined();
  // The search dialog has the word for "close".
  expect(Object.keys(words).sort()).toEqual(
    Object.keys(englishAskLabels)
      .filter((name) => name !== 'close')
      .sort(),
  );
  for (const [name, text] of Object.entries(words)) {
    expect(placeholders(text), name).toEqual(placeholders(englishAskLabels[name as keyof typeof words]));
  }
});
