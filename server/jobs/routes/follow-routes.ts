// Routes that follow a job: its events, its log and its report.
import { createRoute, z } from '@hono/zod-openapi';
import { adminKey, caller, type AccessParts } from '../../organizations/authenticate.ts';
import type { Api } from '../../http/api.ts';
import { errorAnswers, jsonAnswer } from '../../http/error-answers.ts';
import { eventStream } from '../../http/event-stream.ts';
import { ApiError } from '../../platform/errors.ts';
import { jobEvents, createStreamLimit } from './job-events.ts';
import type { Jobs } from '../model/jobs.ts';
import { jobObject } from '../model/job-object.ts';
import { jobReportSchema, reportOf } from '../model/job-report.ts';
import { logQuery, jobParams, jobsPath, ownJob } from './request-schemas.ts';

const jobStream = eventStream({
  data: 'Job',
  description:
    'Server-sent events of the type `job`. Each `data:` contains the job as JSON; lines that begin with a colon are comments.',
  example: 'event: job\ndata: {"jobId":"se_0123456789abcdef","status":"running"}\n\n',
}).openapi('JobStream');

export function addJobFollowRoutes(api: Api, parts: AccessParts & { jobs: Jobs }): void {
  const { jobs, sitesUrl } = parts;
  const streams = createStreamLimit();
  const read = { tags: ['Static export'], security: [{ adminKey: [] }], middleware: adminKey(parts, 'read') };

  api.openapi(
    createRoute({
      ...read,
      method: 'get',
      path: `${jobsPath}/{jobId}/events`,
      operationId: 'streamStaticExportJobEvents',
      summary: 'Follow a job',
      description:
        'Server-sent events: `job`, with the job as data, immediately and at each change, until the job is finished, the key is revoked or the session ends. A new connection starts with the current state.',
      request: { params: jobParams },
      responses: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: jobStream } } },
        ...errorAnswers(401, 403, 404, 429),
      },
    }),
    async (context) => {
      const { id, organization } = await ownJob(jobs, context);
      streams.check(organization);
      const events = jobEvents(jobs, id, (job) => JSON.stringify(jobObject(job, sitesUrl)));
      const { headers } = context.req.raw;
      const address = context.get('address');
      // While the database is unavailable, the last known permission still applies.
      const mayRead = () =>
        caller(parts, headers, address).then(
          () => true,
          (error: unknown) => !(error instanceof ApiError),
        );
      // Proxies must neither buffer nor compress the stream.
      return context.body(streams.guard(organization, events, mayRead), 200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
    },
  );

  api.openapi(
    createRoute({
      ...read,
      method: 'get',
      path: `${jobsPath}/{jobId}/log`,
      operationId: 'readStaticExportJobLog',
      summary: 'Log of a job',
      description:
        'What the runs of the job have printed so far, without secrets, up to 1 MB. To continue reading, send the value of `X-Log-Cursor` as `after`.',
      request: { params: jobParams, query: logQuery },
      responses: {
        200: {
          description: 'What its runs logged, oldest first.',
          content: { 'text/plain': { schema: z.string() } },
          headers: z.object({
            'x-log-cursor': z
              .string()
              .openapi({ description: 'The value of `after` that requests what follows.', example: '128' }),
          }),
        },
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const { id } = await ownJob(jobs, context);
      const { after } = context.req.valid('query');
      const pieces = await jobs.readLog(id, after);
      const text = pieces.map((piece) => (piece.text.endsWith('\n') ? piece.text : `${piece.text}\n`)).join('');
      return context.text(text, 200, { 'x-log-cursor': String(pieces.at(-1)?.id ?? after) });
    },
  );

  api.openapi(
    createRoute({
      ...read,
      method: 'get',
      path: `${jobsPath}/{jobId}/report`,
      operationId: 'readStaticExportJobReport',
      summary: 'Report of a finished job',
      description: 'All issues found in the docs, with page and line: the JSON that `carrel export --report` writes.',
      request: { params: jobParams },
      responses: {
        200: jsonAnswer('The report.', jobReportSchema),
        ...errorAnswers(401, 403, 404, 409, 410),
      },
    }),
    async (context) => context.json(await reportOf(jobs, await ownJob(jobs, context)), 200),
  );
}
