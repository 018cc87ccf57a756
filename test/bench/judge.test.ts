import { expect, test } from 'vitest';
import { statementsIn } from './judge.ts';

test.each([
  [
    'Run it [1]. It stops after e.g. ten minutes [2].',
    [
      ['Run it.', 1],
      ['It stops after e.g. ten minutes.', 2],
    ],
  ],
  [
    'Run it. [1] Then stop it. [1][2]',
    [
      ['Run it.', 1],
      ['Then stop it.', 1, 2],
    ],
  ],
  [
    '## Steps\n\n1. Open the lid [1].\n2. Pour [the water](a.md#x) [2].',
    [
      ['Open the lid.', 1],
      ['Pour [the water](a.md#x).', 2],
    ],
  ],
  ['Run:\n\n```sh\nnpm i # [9]\n```\n[1]\n\nDone.', [['Run:\nnpm i # [9]', 1], ['Done.']]],
  ['Take `a[1]` or [2](b) [3].', [['Take `a[1]` or [2](b).', 3]]],
  ['| Part | Price |\n| --- | --: |\n| Lid | $4 [1] |', [['| Part | Price |'], ['| Lid | $4 |', 1]]],
  ['\n\n---\n', []],
])('%j', (markdown, statements) => {
  expect(statementsIn(markdown).map(({ text, cites }) => [text, ...cites])).toEqual(statements);
});
