import { expect, test } from 'vitest';
import { searchLabelsOf } from '../../../integration/client/search-labels.ts';

test('takes only what the dialog shows', () => {
  expect(
    searchLabelsOf({ search: 'Suche', close: 'Schließen', lastUpdated: 'Zuletzt geändert', searchClear: undefined }),
  ).toEqual({
    search: 'Suche',
    close: 'Schließen',
  });
});
