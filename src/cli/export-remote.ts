import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import { guarded } from '../../integration/output/write-error.ts';
import type { JobObject } from '../../server/jobs/model/job-object.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { downloadBundle } from './download-bundle.ts';
import { megabytes } from './progress.ts';
import { watchJob } from './run-job.ts';
import { groupsOption, languageOption, list, notEmpty, option, versionOption, defineCommand } from './usage.ts';

const options = {
  out: option(
    z.string({ error: 'is required: name the zip to write' }).min(1, { error: 'must not be empty' }),
    'FILE',
    'Path of the zip (required)',
  ),
  version: versionOption,
  language: languageOption,
  paths: option(
    list.refine(notEmpty, { error: 'must not be empty' }).optional(),
    'LIST',
    'Export only these pages: guides/install,reference',
  ),
  groups: groupsOption,
  timeout: z.coerce
    .number({ error: 'must be a number' })
    .gt(0, { error: 'must be more than 0' })
    .max(30_000, { error: 'must be at most 30000' })
    .default(60)
    .meta({ takes: 'MINUTES', description: 'Minutes to wait before the job is canceled (default: 60)' }),
};

/** `carrel export-remote`: its options and how it is used. */
export const command = defineCommand({
  usage: 'export-remote DOMAIN',
  summary: 'Export a site on a server and download its bundle. Set CARREL_URL and CARREL_KEY.',
  options,
  examples: [
    ['export-remote my-docs --out docs.zip', 'Export a site and download its bundle'],
    ['export-remote my-docs --out fr.zip --language fr', 'Only one language'],
    ['export-remote my-docs --out partners.zip --groups partner', 'Also what partners may see'],
    ['export-remote my-docs --out docs.zip --timeout 10', 'Cancel it after ten minutes'],
  ],
  async run({ options: { out, timeout, ...request }, words: [domain = ''] }) {
    const target = resolve(out);
    checkOut(target);
    const client = openApiClient(process.env);
    const { version, sizeBytes, sha256 } = await watchJob(
      client,
      { domain, ...request },
      {
        stoppedError,
        timeout: { milliseconds: timeout * 60_000, error: remoteTimeoutError(timeout) },
        abandon: (job) => cancel(client, job),
        finish: ({ jobId }, watched) => downloadBundle({ client, jobId, out: target, ...watched }),
      },
    );
    console.log(
      `${out}: version ${version}, ${megabytes(sizeBytes)} MB, sha256 ${sha256}\nEvery file matches its hash in the manifest.`,
    );
  },
});

/** Cancels a job when no one waits for it any more. A finished job stays unchanged. */
async function cancel(client: ApiClient, { jobId }: JobObject): Promise<void> {
  try {
    await client.json('POST', `/v1/static-export/jobs/${jobId}/cancel`, { signal: AbortSignal.timeout(5000) });
  } catch {
    // The job has finished, or the server is unavailable: the command ends either way with the first error.
  }
}

/** Runs before the job starts. */
function checkOut(out: string): void {
  guarded(out, () => mkdirSync(dirname(out), { recursive: true }));
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory())
    throw new ExportError('OutputNotFile', `"${out}" is a folder.`, 'Specify a file, such as manual.zip.');
}

function stoppedError(): ExportError {
  return new ExportError(
    'Stopped',
    'The export was stopped. No file was written; the job is canceled unless it had finished.',
    'Run the command again to start over.',
  );
}

function remoteTimeoutError(minutes: number): ExportError {
  return new ExportError(
    'RemoteTimeout',
    `The bundle was not ready within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. No file was written; the job is canceled unless it had finished.`,
    "Check the server's queue and log, or wait longer: --timeout 120",
  );
}
