import { expect, test } from 'vitest';
import type { Job } from '../../../../server/jobs/model/job.ts';
import { createWatch } from '../../../../server/jobs/model/watch-jobs.ts';

const job = { jobId: 'se_0000000000000001', status: 'canceled' } as unknown as Job;

/** A watched job whose reading ends when `finish` is called. */
function watched() {
  let read!: (job: Job) => void;
  const reading = new Promise<Job>((resolve) => (read = resolve));
  const watch = createWatch(() => reading);
  const heard: Job[] = [];
  const leave = watch.add('se_0000000000000001', (changed) => heard.push(changed));
  watch.changed('se_0000000000000001');
  const finish = async () => {
    read(job);
    await new Promise(setImmediate);
    return heard;
  };
  return { watch, leave, finish };
}

test('a watcher receives a job that was read', async () => {
  expect(await watched().finish()).toEqual([job]);
});

test('no one receives a job that was read while the watch ended', async () => {
  const { watch, finish } = watched();
  watch.end();
  expect(await finish()).toEqual([]);
});

test('a watcher that left while the job was read receives nothing', async () => {
  const { leave, finish } = watched();
  leave();
  expect(await finish()).toEqual([]);
});

/** Watched jobs whose states are `states`, by id; each is read when the event loop comes round. */
function readingFrom(states: Map<string, Job>) {
  const watch = createWatch(async (id) => {
    const state = states.get(id);
    await new Promise(setImmediate);
    if (!state) throw new Error('The database is not available.');
    return state;
  });
  /** Resolves when all states have been read, however often they changed meanwhile. */
  const settled = async () => {
    for (let round = 0; round < 5; round++) await new Promise(setImmediate);
  };
  return { watch, settled };
}
const running = { ...job, status: 'running' } as Job;

test('a job that changes while it is read is read again', async () => {
  const states = new Map([['se_1', running]]);
  const { watch, settled } = readingFrom(states);
  const heard: Job[] = [];
  watch.add('se_1', (changed) => heard.push(changed));
  watch.changed('se_1');
  states.set('se_1', job);
  watch.changed('se_1');
  await settled();
  expect(heard).toEqual([running, job]);
});

test('a state is reported once, and a later one again', async () => {
  const states = new Map([['se_1', running]]);
  const { watch, settled } = readingFrom(states);
  const heard: Job[] = [];
  watch.add('se_1', (changed) => heard.push(changed));
  for (let times = 0; times < 3; times++) {
    watch.changed('se_1');
    await settled();
  }
  expect(heard).toEqual([running]);
  states.set('se_1', job);
  watch.changed('se_1');
  await settled();
  expect(heard).toEqual([running, job]);
});

test('changes made while the database was unavailable are reported when it is back', async () => {
  const states = new Map<string, Job>();
  const { watch, settled } = readingFrom(states);
  const heard: string[] = [];
  for (const id of ['se_1', 'se_2']) watch.add(id, ({ status }) => heard.push(`${id} ${status}`));
  watch.changed('se_1');
  await settled();
  expect(heard).toEqual([]);
  states.set('se_1', running).set('se_2', job);
  watch.changedAll();
  await settled();
  expect(heard).toEqual(['se_1 running', 'se_2 canceled']);
});

test('a watcher that leaves does not affect the other watchers of its job', async () => {
  const { watch, settled } = readingFrom(new Map([['se_1', running]]));
  const heard: Job[] = [];
  const ends: string[] = [];
  const leave = watch.add(
    'se_1',
    () => heard.push(job),
    () => ends.push('left'),
  );
  watch.add(
    'se_1',
    (changed) => heard.push(changed),
    () => ends.push('stayed'),
  );
  leave();
  watch.changed('se_1');
  await settled();
  expect(heard).toEqual([running]);
  watch.end();
  expect(ends).toEqual(['stayed']);
});

test('a job without watchers is no longer read', async () => {
  let reads = 0;
  const watch = createWatch(async () => (reads++, running));
  watch.add('se_1', () => {})();
  watch.changed('se_1');
  watch.changedAll();
  expect(reads).toBe(0);
});

test('a job is read once at a time, so that an older state never comes after a newer one', async () => {
  const finish: ((job: Job) => void)[] = [];
  const watch = createWatch(() => new Promise((resolve) => finish.push(resolve)));
  const heard: Job[] = [];
  watch.add('se_1', (changed) => heard.push(changed));
  watch.changed('se_1');
  watch.changed('se_1');
  expect(finish).toHaveLength(1);
  finish[0]!(running);
  await new Promise(setImmediate);
  finish[1]!(job);
  await new Promise(setImmediate);
  expect(heard).toEqual([running, job]);
});

test('a watcher that leaves after the watch ended does not affect a later one', async () => {
  const { watch, settled } = readingFrom(new Map([['se_1', running]]));
  const leave = watch.add('se_1', () => {});
  watch.end();
  const heard: Job[] = [];
  watch.add('se_1', (changed) => heard.push(changed));
  leave();
  watch.changed('se_1');
  await settled();
  expect(heard).toEqual([running]);
});
