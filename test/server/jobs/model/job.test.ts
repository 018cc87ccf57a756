import { describe, expect, test } from 'vitest';
import { isFinished, isWhole, jobStages, progressAt } from '../../../../server/jobs/model/job.ts';

test.each([
  ['queued', false],
  ['running', false],
  ['completed', true],
  ['failed', true],
  ['canceled', true],
] as const)('%s is finished: %s', (status, finished) => {
  expect(isFinished(status)).toBe(finished);
});

test.each([
  [{}, true],
  [{ version: 'v14' }, true],
  [{ paths: [''] }, false],
  [{ language: 'en' }, false],
])('a request of %j is for the whole site: %s', (request, whole) => {
  expect(isWhole(request)).toBe(whole);
});

describe('progress', () => {
  test.each([
    [{ stage: 'fetch', done: 0, total: 1 }, 0],
    [{ stage: 'fetch', done: 1, total: 1 }, 2],
    [{ stage: 'read', done: 0, total: 10 }, 2],
    [{ stage: 'render', done: 0, total: 100 }, 5],
    [{ stage: 'render', done: 50, total: 100 }, 40],
    [{ stage: 'render', done: 1, total: 3 }, 28.3],
    [{ stage: 'render', done: 100, total: 100 }, 75],
    [{ stage: 'index', done: 1, total: 2 }, 78.5],
    [{ stage: 'write', done: 200, total: 200 }, 90],
    [{ stage: 'archive', done: 1, total: 1 }, 99],
    // More than was said before, and nothing to do at all.
    [{ stage: 'archive', done: 7, total: 5 }, 99],
    [{ stage: 'index', done: 0, total: 0 }, 82],
  ] as const)('of %o is %d percent', (work, progress) => {
    expect(progressAt(work)).toBe(progress);
  });

  test('increases through all stages, and reaches 100 in none', () => {
    const values = jobStages.flatMap((stage) => [0, 1, 2, 3].map((done) => progressAt({ stage, done, total: 3 })));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values.every((value) => value >= 0 && value < 100)).toBe(true);
  });
});
