import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import { duration } from '../../server/dashboard/client/duration.ts';
import type { JobObject } from '../../server/jobs/model/job-object.ts';
import { jobStatuses } from '../../server/jobs/model/job.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { shown } from '../../integration/text/escape.ts';
import { watchJob } from './run-job.ts';
import { jsonOption, print, printList, jsonExamples } from './subcommands.ts';
import {
  commandName,
  flag,
  groupsOption,
  languageOption,
  list,
  notEmpty,
  option,
  text,
  versionOption,
  whole,
  defineCommand,
} from './usage.ts';

const jobsPath = '/v1/static-export/jobs';

/** `carrel job …`: how they are used. */
export const subcommands = {
  start: defineCommand({
    usage: 'job start DOMAIN',
    summary: 'Start an export and wait for its end. Ctrl+C stops the waiting; the export continues.',
    examples: [
      ['job start my-docs', 'Export the site and follow the progress'],
      ['job start my-docs --no-wait', 'Only queue the job'],
      ['job start my-docs --language fr', 'Export one language, which does not replace what is served'],
    ],
    options: {
      label: versionOption,
      language: languageOption,
      paths: option(list.refine(notEmpty, { error: 'must not be empty' }).optional(), 'LIST', 'Export only these pages'),
      groups: groupsOption,
      'no-wait': flag('Do not wait for its end'),
      json: jsonOption,
    },
    async run({ words: [domain], options: { label, language, paths, groups, 'no-wait': isQueuedOnly, json } }) {
      const client = openApiClient(process.env);
      const request = { domain: domain!, version: label, language, paths, groups };
      const job = isQueuedOnly
        ? await client.json<JobObject>('POST', jobsPath, { body: request })
        : await follow(client, request);
      return show(job, json);
    },
  }),
  list: defineCommand({
    usage: 'job list',
    summary: 'List jobs, latest first.',
    examples: [
      ['job list', 'The latest jobs'],
      ['job list --domain my-docs --status failed', 'Failed jobs of a site'],
      ['job list --limit 100 --json', 'For a program'],
    ],
    options: {
      domain: option(text.optional(), 'DOMAIN', 'Only jobs of this site'),
      status: option(
        z.enum(jobStatuses, { error: `must be one of ${jobStatuses.join(', ')}` }).optional(),
        'STATUS',
        `Only jobs with this status: ${jobStatuses.join(', ')}`,
      ),
      limit: option(whole(1, 100).default(20), 'NUMBER', 'Number of jobs (default: 20)'),
      json: jsonOption,
    },
    async run({ options: { domain, status, limit, json } }) {
      const query = new URLSearchParams({ limit: String(limit), ...(domain && { domain }), ...(status && { status }) });
      const { jobs } = await openApiClient(process.env).json<{ jobs: JobObject[] }>('GET', `${jobsPath}?${query}`);
      const head = ['ID', 'DOMAIN', 'STATUS', 'CREATED', 'TOOK', 'ISSUES'];
      printList(jobs, json, head, (job) => [job.jobId, job.domain, job.status, job.createdAt, duration(job) ?? '', issues(job)]);
    },
  }),
  show: defineCommand({
    usage: 'job show ID',
    summary: 'Show a job: its state, its result or its error.',
    examples: jsonExamples('job show se_0123456789abcdef', 'State and result'),
    options: { json: jsonOption },
    run: async ({ words: [id], options: { json } }) =>
      show(await openApiClient(process.env).json<JobObject>('GET', jobPath(id!)), json),
  }),
  log: defineCommand({
    usage: 'job log ID',
    summary: 'Print the log of a job.',
    examples: [['job log se_0123456789abcdef', 'What the exporter printed']],
    options: {},
    async run({ words: [id] }) {
      process.stdout.write(await openApiClient(process.env).text('GET', `${jobPath(id!)}/log`));
    },
  }),
  cancel: defineCommand({
    usage: 'job cancel ID',
    summary: 'Cancel a queued or running job.',
    examples: [['job cancel se_0123456789abcdef', 'Nothing of it is stored']],
    options: {},
    async run({ words: [id] }) {
      const job = await openApiClient(process.env).json<JobObject>('POST', `${jobPath(id!)}/cancel`);
      console.log(`Canceled the job ${job.jobId} of ${job.domain}.`);
    },
  }),
};

/** Starts a job and shows its progress; its last state. */
export function follow(client: ApiClient, request: { domain: string }): Promise<JobObject> {
  return watchJob(client, request, {
    stoppedError: (job) => continuesError(job, request.domain),
    finish: (job) => Promise.resolve(job),
  });
}

function continuesError(job: JobObject | undefined, domain: string): ExportError {
  const program = commandName(process.env);
  return new ExportError(
    'Stopped',
    `The export of "${domain}"${job ? ` (${job.jobId})` : ''} continues on the server.`,
    job
      ? `See it: ${program} job show ${job.jobId}. Cancel it: ${program} job cancel ${job.jobId}`
      : `See it: ${program} job list`,
  );
}

function jobPath(id: string): string {
  return `${jobsPath}/${encodeURIComponent(id)}`;
}

function show(job: JobObject, json: boolean): void {
  const stage = job.stage === null ? '' : `${job.status === 'failed' ? ' in stage' : ':'} ${job.stage}`;
  const lines = [
    ['Job', job.jobId],
    ['Domain', job.domain],
    ['Status', `${job.status}${stage}`],
    ['Progress', `${job.progress} %, ${job.pageCount} ${job.pageCount === 1 ? 'page' : 'pages'}`],
    ['Created', job.createdAt],
    ...(job.finishedAt ? [['Took', duration(job) ?? '']] : []),
    ...(job.version ? [['Version', job.version]] : []),
    ...(job.groups ? [['Groups', job.groups.join(', ')]] : []),
    ...(job.problems ? [['Issues', issues(job)]] : []),
    ...(job.error ? [['Error', `${job.error} (${job.errorCode})`]] : []),
    ...(job.activeUrl ? [['Served at', job.activeUrl]] : []),
  ];
  print(job, json, shown(lines.map(([name, value]) => `${`${name}:`.padEnd(11)}${value}`).join('\n')));
}

/** `1 error, 2 warnings`; empty for a job without a report. */
export function issues({ problems }: Pick<JobObject, 'problems'>): string {
  if (!problems) return '';
  const { errors, warnings } = problems;
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
