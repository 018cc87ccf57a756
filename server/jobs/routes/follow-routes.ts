// Routes that follow a job: its events, its log and its report.
import { z } from '@hono/zod-openapi';
import type { Api } from '../../http/api.ts';
import { jsonAnswer } from '../../http/error-answers.ts';
import { eventStream, eventStreamHeaders } from '../../http/event-stream.ts';
import { jobEvents, createStreamLimit } from './job-events.ts';
import type { Jobs } from '../model/jobs.ts';
import { jobObject } from '../model/job-object.ts';
import { jobReportSchema, reportOf } from '../model/job-report.ts';
import { logQuery, jobParams, ownJob } from './request-schemas.ts';
import { adminRoutesOf, type AdminRouteParts } from '../../organizations/admin-route.ts';
import { addRoutes } from '../../http/route.ts';

const jobStream = eventStream({
  data: 'Job',
  description:
    'Server-sent events of the type `job`. Each `data:` contains the job as JSON; lines that begin with a colon are comments.',
  example: 'event: job\ndata: {"jobId":"se_0123456789abcdef","status":"running"}\n\n',
}).openapi('JobStream');

interface FollowRouteParts extends AdminRouteParts {
  jobs: Jobs;
  streams: ReturnType<typeof createStreamLimit>;
}

const route = adminRoutesOf<FollowRouteParts>('Static export');

export function addJobFollowRoutes(api: Api, parts: Omit<FollowRouteParts, 'streams'>): void {
  addRoutes(
    api,
    { ...parts, streams: createStreamLimit() },
    { streamStaticExportJobEvents, readStaticExportJobLog, readStaticExportJobReport },
  );
}

const streamStaticExportJobEvents = route('get /v1/static-export/jobs/{jobId}/events', {
  summary: 'Follow a job',
  description:
    'Server-sent events: `job`, with the job as data, immediately and at each change, until the job is finished, the key is revoked or the session ends. A new connection starts with the current state.',
  scope: 'read',
  params: jobParams,
  answers: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: jobStream } } } },
  errors: [404, 429],
  async handle({ parts, context }) {
    const { jobs, sitesUrl, streams } = parts;
    const { id, organization } = await ownJob(jobs, context);
    streams.check(organization);
    const events = jobEvents(jobs, id, (job) => JSON.stringify(jobObject(job, sitesUrl)));
    return context.body(streams.counted(organization, events), 200, eventStreamHeaders);
  },
});

const readStaticExportJobLog = route('get /v1/static-export/jobs/{jobId}/log', {
  summary: 'Log of a job',
  description:
    'What the runs of the job have printed so far, without secrets, up to 1 MB. To continue reading, send the value of `X-Log-Cursor` as `after`.',
  scope: 'read',
  params: jobParams,
  query: logQuery,
  answers: {
    200: {
      description: 'What its runs logged, oldest first.',
      content: { 'text/plain': { schema: z.string() } },
      headers: z.object({
        'x-log-cursor': z.string().openapi({ description: 'The value of `after` that requests what follows.', example: '128' }),
      }),
    },
  },
  errors: [400, 404],
  async handle({ parts: { jobs }, context, query: { after } }) {
    const { id } = await ownJob(jobs, context);
    const pieces = await jobs.readLog(id, after);
    const text = pieces.map((piece) => (piece.text.endsWith('\n') ? piece.text : `${piece.text}\n`)).join('');
    return context.text(text, 200, { 'x-log-cursor': String(pieces.at(-1)?.id ?? after) });
  },
});

const readStaticExportJobReport = route('get /v1/static-export/jobs/{jobId}/report', {
  summary: 'Report of a finished job',
  description: 'All issues found in the docs, with page and line: the JSON that `carrel export --report` writes.',
  scope: 'read',
  params: jobParams,
  answers: { 200: jsonAnswer('The report.', jobReportSchema) },
  errors: [404, 409, 410],
  async handle({ parts: { jobs }, context }) {
    return await reportOf(jobs, await ownJob(jobs, context));
  },
});
