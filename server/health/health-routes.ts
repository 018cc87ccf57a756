// For monitoring: health, readiness and metrics.
import { z } from '@hono/zod-openapi';
import { Gauge } from 'prom-client';
import { checkModel, watchModel } from '../assistant/model/model-check.ts';
import { sameText } from '../platform/secrets.ts';
import { modelOfServer } from '../sites/model-settings.ts';
import type { Api } from '../http/api.ts';
import { isOwnHost, namesOf } from '../http/own-host.ts';
import { jsonAnswer, namedObject } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { watchReadiness, type PartFault, type Readiness } from './readiness.ts';
import { addRoutes, routesOf } from '../http/route.ts';

const healthSchema = namedObject('Health', { status: z.literal('ok') });
const liveSchema = healthSchema
  .extend({
    instance: z.string().optional().openapi({
      description: 'Identifies this process if it has an embedded database; the lock of its data folder has the same value.',
    }),
  })
  .openapi('Life');
const readySchema = namedObject('Readiness', {
  status: z.enum(['ok', 'degraded']).openapi({ description: 'A degraded server is ready: its answers quote the docs.' }),
  model: z.enum(['ok', 'unlisted', 'rejected', 'unavailable', 'unknown']).optional().openapi({
    description:
      "The server's own model, if it has one: whether its server lists it, rejects the key, or does not respond. Checked at most every 30 seconds.",
  }),
});

interface HealthParts extends Services {
  watched: { name: string; readiness: Readiness }[];
  /** Of the server's own model, if it has one. */
  modelState?: ReturnType<typeof watchModel>;
}

const route = routesOf<HealthParts>({ tags: ['Operation'], security: [] });

export function addHealthRoutes(api: Api, services: Services): void {
  addQueueGauge(services);
  const watched = watchParts(services);
  addRoutes(api, { ...services, watched, modelState: watchOwnModel(services) }, { getHealth, getReadiness, getMetrics });
}

const getHealth = route('get /healthz', {
  summary: 'Check that the process is running',
  description: 'Does not query the database: a process that waits for it must not be restarted.',
  answers: { 200: jsonAnswer('The process is running.', liveSchema) },
  errors: [400],
  handle: ({ parts }) => ({ status: 'ok' as const, instance: parts.database.instance }),
});

const getReadiness = route('get /readyz', {
  summary: 'Check that the server is ready for requests',
  description:
    'Responds within 2 seconds, with 503 and the code `NotReady` if the database or the storage is unavailable. A part that has worked counts as unavailable after three failed checks, a second apart, or 20 seconds without an answer, and after one failed check if it was not checked for longer than that. A server that is stopping is not ready. A model that is unavailable is named, but the server stays ready.',
  answers: { 200: jsonAnswer('The database and the storage are available.', readySchema) },
  errors: [400],
  async handle({ parts: { watched, modelState, stopping } }) {
    if (stopping?.aborted) throw notReadyError('The server is stopping. Use another one.');
    const faults = await Promise.all(watched.map(({ readiness }) => readiness.fault()));
    for (const [index, fault] of faults.entries()) {
      if (fault)
        throw notReadyError(`${sentence(watched[index]!.name, fault)} The log of the server has the reason.`, fault.cause);
    }
    const model = modelState && ((await modelState())?.state ?? ('unknown' as const));
    const isDegraded = model === 'rejected' || model === 'unavailable';
    return { status: isDegraded ? ('degraded' as const) : ('ok' as const), model };
  },
});

const getMetrics = route('get /metrics', {
  summary: 'Read metrics of requests, jobs, queue and process for Prometheus',
  description:
    'Public, unless the server has a metrics token; that is then the bearer token. Without one, the host must be a name of the server.',
  security: [{}, { metricsToken: [] }],
  answers: { 200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: z.string() } } } },
  errors: [401],
  async handle({ parts, context }) {
    const { registry } = parts.metrics;
    const { metricsToken } = parts.options;
    if (metricsToken !== undefined && !sameText(context.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      throw new ApiError(
        'MetricsTokenWrong',
        'The metrics require the token in the server\'s CARREL_METRICS_TOKEN. Send it as "Authorization: Bearer …".',
        { headers: { 'www-authenticate': 'Bearer' } },
      );
    }
    const { hostname } = new URL(context.req.url);
    if (metricsToken === undefined && !isOwnHost(hostname, namesOf(parts.options, [parts.publicUrl])))
      throw new ApiError(
        'HostNotAllowed',
        `The metrics are not answered for the host "${hostname}". Add it to the server's CARREL_ALLOW_HOSTS, or set CARREL_METRICS_TOKEN.`,
      );
    return context.text(await registry.metrics(), 200, { 'content-type': registry.contentType });
  },
});

function watchParts({ database, storage, log }: Services): HealthParts['watched'] {
  const checks = { database: () => database.query('select 1'), storage: () => storage.check() };
  return Object.entries(checks).map(([name, check]: [string, () => Promise<unknown>]) => ({
    name,
    readiness: watchReadiness(check, {
      onChange: (fault) =>
        fault ? log.error({ err: fault.cause }, sentence(name, fault)) : log.info(`The ${name} is available.`),
    }),
  }));
}

function watchOwnModel({ options, log }: Services): HealthParts['modelState'] {
  const model = modelOfServer(options);
  if (!model) return undefined;
  return watchModel(() => checkModel(model, options.privateHosts), {
    onChange: ({ state, detail }) =>
      state === 'ok' || state === 'unlisted'
        ? log.info('The model is available.')
        : log.warn(
            { detail },
            `The model ${state === 'rejected' ? 'rejects the key' : 'is unavailable'}: answers quote the docs.`,
          ),
  });
}

/** Names only the part; the log has the reason. */
function sentence(part: string, { kind }: PartFault): string {
  return kind === 'failing' ? `The ${part} is unavailable.` : `The ${part} does not answer: it is unavailable or slow.`;
}

function notReadyError(message: string, cause?: unknown): ApiError {
  return new ApiError('NotReady', message, { cause, headers: { 'retry-after': '5' } });
}

/** The jobs in the queue are counted for each request of the metrics. */
function addQueueGauge({ metrics: { registry }, queue, log }: Services): void {
  const name = 'carrel_queue_jobs';
  registry.removeSingleMetric(name);
  registry.registerMetric(
    new Gauge({
      name,
      help: 'Queued and running jobs in all processes',
      labelNames: ['state'],
      registers: [],
      async collect() {
        this.reset();
        try {
          for (const [state, count] of Object.entries(await queue.counts())) this.set({ state }, count);
        } catch (err) {
          // The response still contains all other metrics, and a missing one is visible.
          log.warn({ err }, 'The jobs in the queue could not be counted.');
        }
      },
    }),
  );
}
