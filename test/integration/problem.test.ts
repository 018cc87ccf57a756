import { expect, test } from 'vitest';
import { problemLines, type Problem } from '../../integration/problem.ts';

test('hundreds of problems of one kind are a few lines and a count, and hide none of another kind', () => {
  const pictures = Array.from({ length: 1234 }, (_, i): Problem => ({
    kind: 'remote-load',
    severity: 'warning',
    page: 'team.html',
    line: i + 1,
    message: `The img loads "${i}.png".`,
    hint: 'Copy it.',
  }));
  const link: Problem = { kind: 'link-without-target', severity: 'warning', page: 'a', message: '"/b" leads nowhere.' };
  expect(problemLines([...pictures, link], 2)).toEqual([
    'team.html:1 The img loads "0.png". Copy it.',
    'team.html:2 The img loads "1.png". Copy it.',
    '… and 1,232 more of this kind (remote-load).',
    'a "/b" leads nowhere.',
  ]);
  expect(problemLines([])).toEqual([]);
});
