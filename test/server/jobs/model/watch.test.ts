import { expect, test } from 'vitest';
import type { Job } from '../../../../server/jobs/model/job.ts';
import { createWatch } from '../../../../server/jobs/model/watch.ts';

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

test('a watcher hears of a job that was read', async () => {
  expect(await watched().finish()).toEqual([job]);
});

test('no one hears of a job that was read while the watch ended', async () => {
  const { watch, finish } = watched();
  watch.end();
  expect(await finish()).toEqual([]);
});

test('a watcher that left while the job was read hears nothing', async () => {
  const { leave, finish } = watched();
  leave();
  expect(await finish()).toEqual([]);
});
