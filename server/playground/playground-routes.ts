// Requests that readers try on the pages of a site, sent by this server to the APIs of the site.
import { z } from '@hono/zod-openapi';
import { onAbort } from '../../integration/text/on-abort.ts';
import { playgroundFile } from '../../integration/manifest.ts';
import { createActiveExports } from '../active-exports/active-exports.ts';
import { textOf } from '../active-exports/open-site.ts';
import { pageSecurity, sendingPage, siteWithoutExportError, type SiteAccessParts, domainParams } from '../sites/site-access.ts';
import { listedOrigins, specifiedOrigins } from '../hosting/with-settings.ts';
import type { Api } from '../http/api.ts';
import { jsonBody } from '../http/error-answers.ts';
import { eventStream, eventStreamHeaders } from '../http/event-stream.ts';
import type { Jobs } from '../jobs/model/jobs.ts';
import { addressSubject, countRequest, type Limits } from '../organizations/limits.ts';
import { ApiError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Sites } from '../sites/sites.ts';
import type { Storage } from '../storage/storage.ts';
import { requestTarget, type TargetEvent } from './request-target.ts';
import { addRoutes, routesOf } from '../http/route.ts';

const requestSchema = z
  .object({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) URL, such as https://api.example.com/parcels' })
      .max(8000)
      .openapi({ example: 'https://api.example.com/parcels' }),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, { error: 'must be the name of a header' }),
        z
          .string()
          .max(8000)
          .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'must be one line of Latin characters' }),
      )
      .default({})
      .openapi({ description: 'Cookies, and headers of the connection and of proxies, are not sent.' }),
    body: z
      .union([z.string(), z.object({ base64: z.base64() })])
      .nullish()
      .openapi({ description: 'A text, or bytes in Base64.' }),
  })
  .openapi('PlaygroundRequest', {
    example: {
      method: 'POST',
      url: 'https://api.example.com/parcels',
      headers: { 'content-type': 'application/json' },
      body: '{"to":"Ada"}',
    } as never,
  });

const answerEventSchema = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('head'),
      status: z.int(),
      statusText: z.string(),
      headers: z.record(z.string(), z.string()).openapi({ description: 'Names are in lower case.' }),
      milliseconds: z.int().openapi({ description: 'Time to this head.' }),
    })
    .openapi({ title: 'head', description: 'The first event.' }),
  z
    .object({
      type: z.literal('bytes'),
      bytes: z.string().openapi({ description: 'In Base64, without the `Content-Encoding` of the answer.' }),
    })
    .openapi({ title: 'bytes', description: 'A piece of the body.' }),
  z.object({ type: z.literal('end') }).openapi({ title: 'end', description: 'The answer is complete.' }),
  z
    .object({ type: z.literal('error'), error: z.string(), code: z.enum(['PlaygroundHostRefused', 'PlaygroundTargetFailed']) })
    .openapi({
      title: 'error',
      description: 'The API did not complete its answer, or the answer is longer than this server loads.',
    }),
]);

const answerEvents = eventStream({
  data: 'PlaygroundEvent',
  description:
    'Server-sent events as the answer arrives. Each `data:` contains one JSON object: first `head`, then `bytes`, and `end` or `error`.',
  example:
    'data: {"type":"head","status":200,"statusText":"OK","headers":{"content-type":"application/json"},"milliseconds":12}\n\ndata: {"type":"bytes","bytes":"eyJpZCI6N30="}\n\ndata: {"type":"end"}\n\n',
}).openapi('PlaygroundAnswer');

export interface PlaygroundParts extends SiteAccessParts {
  sites: Sites;
  jobs: Jobs;
  storage: Storage;
  limits: Pick<Limits, 'count'>;
  log: Logger;
  options: ServerOptions;
}

// Sites whose servers are known.
const mostSites = 1000;
// More than readers of one process need; each holds two connections.
const mostRequests = 500;

interface Playground extends PlaygroundParts {
  specified: ReturnType<typeof specifiedServers>;
  /** Requests that are running. */
  running: { count: number };
}

const route = routesOf<Playground>({ tags: ['Playground'], security: pageSecurity, middleware: sendingPage });

export function addPlaygroundRoutes(api: Api, parts: PlaygroundParts): void {
  api.openAPIRegistry.register('PlaygroundEvent', answerEventSchema);
  addRoutes(api, { ...parts, specified: specifiedServers(parts), running: { count: 0 } }, { sendPlaygroundRequest });
}

function specifiedServers(parts: PlaygroundParts) {
  return createActiveExports(parts, {
    most: mostSites,
    async make(_domain, { opened }) {
      const file = await opened.file(playgroundFile);
      return specifiedOrigins(file ? await textOf(file) : '');
    },
  });
}

const sendPlaygroundRequest = route('post /v1/playground/{domain}', {
  summary: 'Send a request to an API of a site',
  description:
    'For sites whose `features.playground.mode` is `proxy`. The URL, and each one that it redirects to, must be on one of `features.playground.hosts`, or else on a server of the site’s API specifications. A redirect to another origin gets no credentials.',
  params: domainParams,
  body: jsonBody(requestSchema),
  answers: {
    200: {
      description: 'The answer of the API, whatever its status is.',
      content: { 'text/event-stream': { schema: answerEvents } },
    },
  },
  errors: [400, 401, 403, 404, 413, 415, 429, 502],
  async handle({ parts, context, params: { domain }, body: { method, url: given, headers, body: sent } }) {
    const { limits, log, options, running } = parts;
    const address = addressSubject(context.get('address'));
    await countRequest(context, limits, [
      { name: 'site', subject: `playground ${domain}`, most: options.playgroundPerHour, seconds: 3600 },
      { name: 'reader', subject: `playground ${domain} ${address}`, most: options.playgroundPerMinute, seconds: 60 },
    ]);
    const origins = await originsOf(parts, domain);
    if (running.count >= mostRequests) {
      throw new ApiError('StreamsFull', `${mostRequests} requests of playgrounds are running. Try again in 5 s.`, {
        headers: { 'retry-after': '5' },
      });
    }

    const url = new URL(given);
    const leaving = new AbortController();
    const started = performance.now();
    const logged = (result: object) =>
      log.info(
        {
          ...{ domain, method, url: `${url.origin}${url.pathname}`, ...result },
          ...{ ms: Math.round(performance.now() - started), requestId: context.get('requestId') },
        },
        'playground request',
      );
    running.count++;
    try {
      const events = await requestTarget(
        { method, url, headers, body: bytesOf(sent) },
        {
          origins,
          privateHosts: options.playgroundPrivateHosts,
          seconds: options.playgroundSeconds,
          maxBytes: options.playgroundMb * 1_000_000,
          signal: AbortSignal.any([context.req.raw.signal, leaving.signal]),
        },
      );
      const body = streamOf(events, {
        connection: context.req.raw.signal,
        leave: () => leaving.abort(),
        ended(result) {
          running.count--;
          logged(result);
        },
      });
      return context.body(body, 200, eventStreamHeaders);
    } catch (error) {
      running.count--;
      logged({ code: error instanceof ApiError ? error.code : undefined });
      throw error;
    }
  },
});

/** Throws `ApiError` 403 `PlaygroundHostRefused` if the site sends no requests through this server, 404 `SiteWithoutExport`. */
async function originsOf({ sites, specified }: Playground, domain: string): Promise<string[]> {
  const settings = (await sites.get(domain))?.settings.features?.playground;
  if (settings?.mode !== 'proxy') {
    throw new ApiError(
      'PlaygroundHostRefused',
      `The playground of "${domain}" sends no requests through this server. Set features.playground.mode of the site to "proxy": PATCH /v1/sites/${domain}`,
    );
  }
  if (settings.hosts) return listedOrigins(settings.hosts);
  const found = await specified.open(domain);
  if (!found) throw siteWithoutExportError(domain);
  return found.made;
}

function bytesOf(body: z.output<typeof requestSchema>['body']): string | Uint8Array | undefined {
  return typeof body === 'object' && body ? Buffer.from(body.base64, 'base64') : (body ?? undefined);
}

interface StreamOptions {
  /** Aborted when the connection of the reader is closed, maybe before the first event is read. */
  connection: AbortSignal;
  /** Stops the request. */
  leave: () => void;
  /** Called once, at the end or when the reader leaves. */
  ended: (result: { status?: number; code?: string }) => void;
}

function streamOf(events: AsyncGenerator<TargetEvent>, { connection, leave, ended }: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let result: { status?: number; code?: string } = {};
  let isOver = false;
  const end = () => {
    if (!isOver) ended(result);
    isOver = true;
  };
  const stop = () => {
    leave();
    end();
  };
  onAbort(connection, stop);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (isOver) return;
        if (done) {
          end();
          return controller.close();
        }
        if (value.type === 'head') result = { status: value.status };
        if (value.type === 'error') result = { ...result, code: value.code };
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}
