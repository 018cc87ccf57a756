// What the tests of jobs share.
import type { Queryable } from '../../../server/database/database.ts';
import type { Job, JobResult } from '../../../server/jobs/model/job.ts';
import type { Jobs } from '../../../server/jobs/model/jobs.ts';

export const jobResult: JobResult = {
  version: 'v14',
  pages: 3,
  files: 12,
  bytes: 4711,
  manifest: 'a'.repeat(64),
  archive: { sha256: 'b'.repeat(64), sizeBytes: 1234 },
  warnings: {},
};

/** An organization and its sites, as the tables hold them. */
export async function addOrganization(database: Queryable, id: string, domains: string[] = []): Promise<void> {
  await database.query(`insert into carrel.organizations values ($1, $1, 'enterprise', now())`, [id]);
  for (const domain of domains)
    await database.query(
      `insert into carrel.sites values ($1, $2, '{"type":"folder","path":"/docs"}', '{"builder":"docs","deployment":"cloud"}', null, now(), now())`,
      [domain, id],
    );
}

/** Runs a job from its start to its end. */
export async function completeJob(jobs: Jobs, id: string, result: Partial<JobResult> = {}): Promise<void> {
  const { attempt } = (await jobs.start(id))!;
  await jobs.complete({ id, attempt }, { ...jobResult, ...result });
}

/** The first state of a job that passes. */
export function jobThat(jobs: Jobs, id: string, passes: (job: Job) => boolean): Promise<Job> {
  return new Promise((resolve) => {
    const stop = jobs.watch(id, (job) => {
      if (!passes(job)) return;
      stop();
      resolve(job);
    });
  });
}
