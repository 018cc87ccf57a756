import { expect, test } from 'vitest';
import { countProblems, firstProblems, problemLine, type Problem, withoutCopies } from '../../integration/diagnostics.ts';

test('the first problems are the errors, then the warnings, then the notes, grouped by file and ordered by line', () => {
  const problem = (severity: Problem['severity'], page: string, line?: number): Problem => ({
    ...{ kind: 'link-without-target', severity, page, line, message: 'm' },
  });
  const problems = [
    ...Array.from({ length: 60 }, (_, i) => problem('warning', 'a.mdx', 60 - i)),
    ...[problem('note', 'a.mdx', 1), problem('warning', 'b.mdx'), problem('warning', 'a.mdx', 3), problem('error', 'z.mdx', 9)],
  ];
  const { first, others } = firstProblems(problems, 6);
  expect(first.map(({ severity, page, line }) => `${severity} ${page} ${line}`)).toEqual([
    'error z.mdx 9',
    'warning a.mdx 1',
    'warning a.mdx 2',
    'warning a.mdx 3',
    'warning a.mdx 3',
    'warning a.mdx 4',
  ]);
  expect(others).toBe('… and 58 more (58 link-without-target)');
  const all = firstProblems(problems, 100);
  expect(all.others).toBeUndefined();
  expect(all.first.slice(-2).map(({ severity, page }) => `${severity} ${page}`)).toEqual(['warning b.mdx', 'note a.mdx']);
  expect(firstProblems(problems).first).toHaveLength(50);
  expect(firstProblems([])).toEqual({ first: [] });
  expect(countProblems(problems)).toEqual({ errors: 1, warnings: 62, notes: 1 });
});

test('a problem is printed as one line without terminal control characters', () => {
  const text = 'a\u001b[2Jb\nError: c\u202ed\r\u009be';
  expect(problemLine({ kind: 'link-without-target', severity: 'warning', page: text, line: 2, message: text, hint: text })).toBe(
    'a[2Jb Error: cd e:2 a[2Jb Error: cd e. a[2Jb Error: cd e (link-without-target)',
  );
});

test('a message that ends without a period is a sentence before its hint', () => {
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

test('a very long URL is shortened in its middle', () => {
  const message = `"/${'z'.repeat(200_000)}" is broken.`;
  const lineOf = (text: string) => problemLine({ kind: 'link-without-target', severity: 'warning', page: 'a', message: text });
  const line = lineOf(message);
  expect(line.length).toBeLessThan(1100);
  for (const start of ['', 'z']) expect(lineOf(start + '😀'.repeat(999))).not.toMatch(/\p{Surrogate}/u);
  expect(line).toMatch(/^a "\/z+…z+" is broken\. \(link-without-target\)$/);
});

test('a problem that the languages and versions of a page share, and a note on whole pages, is listed once, with its count and first places', () => {
  const problem = (page: string | undefined, line?: number, message = 'Broken.'): Problem => ({
    ...{ kind: 'link-without-target', severity: 'warning', page, line, message, hint: 'Correct it.' },
  });
  const shared = ['en', 'de', 'fr', 'ja', 'pt', 'ru'].map((language, i) => problem(`${language}/v1/lamp.mdx`, i + 3));
  const own = [problem('en/v1/lamp.mdx', 9), problem('en/v1/fog.mdx'), problem('de/lamp.mdx', 3, 'Other.')];
  const nowhere = [problem(undefined), problem(undefined)];
  const message = 'Broken. The same is in 5 more files: de/v1/lamp.mdx:4, fr/v1/lamp.mdx:5, ja/v1/lamp.mdx:6 and 2 more.';
  expect(withoutCopies([...shared, ...own, ...nowhere])).toEqual([problem('en/v1/lamp.mdx', 3, message), ...own, ...nowhere]);
  expect(withoutCopies([problem('v1/a.md'), problem('v2/a.md')])).toEqual([
    problem('v1/a.md', undefined, 'Broken. The same is in one more file: v2/a.md.'),
  ]);
  const loads = ['a.mdx', 'b.mdx'].map((page): Problem => ({ ...problem(page), kind: 'remote-load', severity: 'note' }));
  expect(withoutCopies(loads)).toEqual([{ ...loads[0], message: 'Broken. The same is in one more file: b.mdx.' }]);
});
