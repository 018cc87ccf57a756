import { expect, test } from 'vitest';
import { problemLine, problemLines, type Problem } from '../../integration/problem.ts';

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
    'team.html:1 The img loads "0.png". Copy it. (remote-load)',
    'team.html:2 The img loads "1.png". Copy it. (remote-load)',
    '… and 1,232 more of this kind (remote-load).',
    'a "/b" leads nowhere. (link-without-target)',
  ]);
  expect(problemLines([])).toEqual([]);
});

test('a message that ends without a full stop is a sentence before its hint', () => {
  const message = 'This script is no JavaScript: Expected a semicolon';
  const problem: Problem = {
    kind: 'script-not-bundled',
    severity: 'warning',
    page: 'a.js',
    line: 3,
    message,
    hint: 'Correct it.',
  };
  expect(problemLine(problem)).toBe(
    'a.js:3 This script is no JavaScript: Expected a semicolon. Correct it. (script-not-bundled)',
  );
});

test('an address that fills a page is cut in its middle', () => {
  const message = `"/${'z'.repeat(200_000)}" leads nowhere.`;
  const told = problemLine({ kind: 'link-without-target', severity: 'warning', page: 'a', message });
  expect(told.length).toBeLessThan(1100);
  expect(told).toMatch(/^a "\/z+…z+" leads nowhere\. \(link-without-target\)$/);
});
