// For whoever watches over the server: does it live, can it work, how much does it do.
import { createRoute, z } from '@hono/zod-openapi';
import { Gauge } from 'prom-client';
import { sameText } from '../access/secret.ts';
import type { Api } from '../api.ts';
import { errorAnswers } from '../error-answers.ts';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';

const healthSchema = z.object({ status: z.literal('ok') }).openapi('Health');
const liveSchema = healthSchema
  .extend({
    instance: z.string().optional().openapi({
      description: 'Names this process among those with an embedded database; the lock of its data folder holds it.',
    }),
  })
  .openapi('Life');
const tags = ['Operation'];
const json = { 'application/json': { schema: healthSchema } };

const liveRoute = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'getHealth',
  security: [],
  tags,
  summary: 'Tells that the process lives',
  description: 'Asks nothing of the database: a process that waits for it is not to be restarted.',
  responses: { 200: { description: 'It lives.', content: { 'application/json': { schema: liveSchema } } }, ...errorAnswers(400) },
});

const readyRoute = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  security: [],
  tags,
  summary: 'Tells that requests can be answered',
  description: 'Answers 503 with the code `NotReady` and the part that is away within 2 seconds.',
  responses: { 200: { description: 'Database and storage answer.', content: json }, ...errorAnswers(400) },
});

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  security: [{}, { metricsToken: [] }],
  tags,
  summary: 'Numbers of requests, jobs, queue and process for Prometheus',
  description: 'Open, unless the server was given a metrics token; then that is the bearer.',
  responses: {
    200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: z.string() } } },
    ...errorAnswers(401),
  },
});

/** Milliseconds that database and storage get to answer. */
const patience = 2000;

export function addHealthRoutes(api: Api, services: Services): void {
  const { registry } = services.metrics;
  addQueueGauge(services);

  const { instance } = services.database;
  api.openapi(liveRoute, (context) => context.json({ status: 'ok' as const, instance }, 200));

  api.openapi(readyRoute, async (context) => {
    await Promise.all([
      inTime('database', () => services.database.query('select 1')),
      inTime('storage', () => services.storage.check()),
    ]);
    return context.json({ status: 'ok' as const }, 200);
  });

  api.openapi(metricsRoute, async (context) => {
    const { metricsToken } = services.options;
    if (metricsToken !== undefined && !sameText(context.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      throw new ApiError(
        401,
        'MetricsTokenWrong',
        'The numbers are told to who knows the token. Send it as "Authorization: Bearer …"; it is the server\'s CARREL_METRICS_TOKEN.',
        { headers: { 'www-authenticate': 'Bearer' } },
      );
    }
    return context.text(await registry.metrics(), 200, { 'content-type': registry.contentType });
  });
}

/** Throws `ApiError` 503 `NotReady` that names the part; why it is away is for the log. */
async function inTime(part: string, work: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patience} ms.`)), patience);
  });
  try {
    await Promise.race([work(), late]);
  } catch (cause) {
    throw new ApiError(503, 'NotReady', `The ${part} is away. The log of the server says why.`, {
      cause,
      headers: { 'retry-after': '5' },
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The queue is counted when the numbers are asked for. */
function addQueueGauge({ metrics: { registry }, queue, log }: Services): void {
  const name = 'carrel_queue_jobs';
  registry.removeSingleMetric(name);
  registry.registerMetric(
    new Gauge({
      name,
      help: 'Jobs that wait and run, in all processes',
      labelNames: ['state'],
      registers: [],
      async collect() {
        this.reset();
        try {
          for (const [state, count] of Object.entries(await queue.counts())) this.set({ state }, count);
        } catch (err) {
          // The other numbers are told all the same, and a missing one is seen.
          log.warn({ err }, 'The queue could not be counted.');
        }
      },
    }),
  );
}
