import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgressWriter } from '../../../../server/jobs/worker/progress-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Work = { stage: string; progress: number; pageCount: number };

function writer(advance: (work: Work) => Promise<boolean> = () => Promise.resolve(true)) {
  const sent: Work[] = [];
  const heard: unknown[] = [];
  const progress = createProgressWriter(
    {
      advance: (_, work) => {
        sent.push(work);
        return advance(work);
      },
    },
    { id: 'se_1', attempt: 1 },
    { onLost: () => heard.push('lost'), onError: (error) => heard.push(error) },
  );
  return { progress, sent, heard };
}

test('writes each stage as it begins, then the last state at most every 250 ms', async () => {
  const { progress, sent } = writer();
  progress.update({ stage: 'fetch', done: 0, total: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ stage: 'fetch', progress: 0, pageCount: 0 }]);
  for (let done = 1; done <= 1000; done++) progress.update({ stage: 'render', done, total: 1000 });
  await vi.advanceTimersByTimeAsync(250);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent.slice(1)).toEqual([{ stage: 'render', progress: 75, pageCount: 1000 }]);
});

test('never decreases, and writes the rest at the end', async () => {
  const { progress, sent } = writer();
  progress.update({ stage: 'render', done: 8, total: 10 });
  progress.update({ stage: 'render', done: 2, total: 10 });
  progress.update({ stage: 'index', done: 0, total: 1 });
  await progress.end();
  progress.update({ stage: 'archive', done: 1, total: 1 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent.at(-1)).toEqual({ stage: 'index', progress: 75, pageCount: 8 });
  expect(sent.map((work) => work.progress)).toEqual(sent.map((work) => work.progress).toSorted((a, b) => a - b));
});

test('reports an abandoned run; an error is logged, and the next change is written again', async () => {
  const lost = writer(() => Promise.resolve(false));
  lost.progress.update({ stage: 'read', done: 1, total: 1 });
  await lost.progress.end();
  expect(lost.heard).toEqual(['lost']);

  const away = writer(() => Promise.reject(new Error('away')));
  away.progress.update({ stage: 'read', done: 1, total: 1 });
  await vi.advanceTimersByTimeAsync(300);
  away.progress.update({ stage: 'render', done: 1, total: 2 });
  await away.progress.end();
  expect(away.heard).toHaveLength(2);
  expect(away.sent.map(({ stage }) => stage)).toEqual(['read', 'render']);
});

test('writes the progress of a long stage, and leaves no timer behind', async () => {
  const { progress, sent } = writer();
  const render = (done: number) => progress.update({ stage: 'render', done, total: 10 });
  render(0);
  await vi.advanceTimersByTimeAsync(1000);
  render(3);
  await vi.advanceTimersByTimeAsync(100);
  render(5);
  expect(sent.map(({ pageCount }) => pageCount)).toEqual([0]);
  await vi.advanceTimersByTimeAsync(150);
  expect(sent.map(({ pageCount }) => pageCount)).toEqual([0, 5]);
  await vi.advanceTimersByTimeAsync(250);
  expect(vi.getTimerCount()).toBe(0);
  render(6);
  await progress.end();
  expect(sent.map(({ pageCount }) => pageCount)).toEqual([0, 5, 6]);
  expect(vi.getTimerCount()).toBe(0);
  render(7);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(3);
});

test('writes only the last of several stages that begin within 250 ms', async () => {
  const { progress, sent } = writer();
  for (const stage of ['fetch', 'read', 'render'] as const) {
    progress.update({ stage, done: 0, total: 1 });
    await vi.advanceTimersByTimeAsync(50);
  }
  await vi.advanceTimersByTimeAsync(250);
  expect(sent.map(({ stage }) => stage)).toEqual(['fetch', 'render']);
});

test('writes changes made during a slow write, without another change', async () => {
  const { progress, sent } = writer(() => new Promise((resolve) => setTimeout(resolve, 1000, true)));
  progress.update({ stage: 'render', done: 1, total: 10 });
  await vi.advanceTimersByTimeAsync(100);
  progress.update({ stage: 'render', done: 2, total: 10 });
  await vi.advanceTimersByTimeAsync(500);
  progress.update({ stage: 'render', done: 3, total: 10 });
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent.map(({ pageCount }) => pageCount)).toEqual([1, 2, 3]);
});

test('counts only rendered pages', async () => {
  const { progress, sent } = writer();
  progress.update({ stage: 'render', done: 8, total: 8 });
  progress.update({ stage: 'write', done: 500, total: 1000 });
  await progress.end();
  expect(sent.at(-1)!.pageCount).toBe(8);
});

test('an update after the end is not written, even if none was pending', async () => {
  const { progress, sent } = writer();
  progress.update({ stage: 'fetch', done: 0, total: 1 });
  await vi.advanceTimersByTimeAsync(1000);
  await progress.end();
  progress.update({ stage: 'read', done: 0, total: 1 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent.map(({ stage }) => stage)).toEqual(['fetch']);
});
