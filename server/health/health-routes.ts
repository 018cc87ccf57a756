// For monitoring: whether the server lives, whether it can work, and how much it does.
import { createRoute, z } from '@hono/zod-openapi';
import { Gauge } from 'prom-client';
import { sameText } from '../platform/secrets.ts';
import type { Api } from '../http/api.ts';
import { errorAnswers } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { watchReadiness, type PartFault, type Readiness } from './readiness.ts';

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
  description:
    'Answers 503 with the code `NotReady` and the part that is away or does not answer, within 2 seconds. A part that worked is away after three failed checks, a second apart, and does not answer after 20 seconds. A server that stops is not ready.',
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

export function addHealthRoutes(api: Api, services: Services): void {
  const { registry } = services.metrics;
  addQueueGauge(services);

  const { instance } = services.database;
  api.openapi(liveRoute, (context) => context.json({ status: 'ok' as const, instance }, 200));

  const { database, storage, log, stopping } = services;
  const parts = [
    { name: 'database', readiness: watched('database', () => database.query('select 1')) },
    { name: 'storage', readiness: watched('storage', () => storage.check()) },
  ];

  function watched(name: string, check: () => Promise<unknown>): Readiness {
    return watchReadiness(check, {
      onChange: (fault) =>
        fault ? log.error({ err: fault.cause }, sentence(name, fault)) : log.info(`The ${name} can be used.`),
    });
  }

  api.openapi(readyRoute, async (context) => {
    if (stopping?.aborted) throw notReady('The server is stopping. Ask another one.');
    const faults = await Promise.all(parts.map(({ readiness }) => readiness.fault()));
    for (const [index, fault] of faults.entries()) {
      if (fault) throw notReady(`${sentence(parts[index]!.name, fault)} The log of the server says why.`, fault.cause);
    }
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

/** Names the part; why it cannot be used is for the log. */
function sentence(part: string, { kind }: PartFault): string {
  return kind === 'away' ? `The ${part} is away.` : `The ${part} does not answer: it is away, or slow.`;
}

function notReady(message: string, cause?: unknown): ApiError {
  return new ApiError(503, 'NotReady', message, { cause, headers: { 'retry-after': '5' } });
}

/** The queue is counted on each request of the metrics. */
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
          // The other numbers are still answered, and a missing one is visible.
          log.warn({ err }, 'The queue could not be counted.');
        }
      },
    }),
  );
}
