// The API's description, generated from the same schemas that validate requests.
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Api, ApiEnvironment } from './api.ts';

/** Serves `/openapi.json`: OpenAPI 3.1, generated on the first request. */
export function addOpenApiDescription(api: Api, { publicUrl }: { publicUrl: string }): void {
  let description: string | undefined;
  api.get('/openapi.json', (context) => {
    description ??= JSON.stringify(describe(api, publicUrl));
    return context.body(description, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });
}

const tags = {
  'Static export': 'Export jobs: start, follow, cancel, and create links to their bundles.',
  Bundles: 'Archives of completed exports, through links that expire.',
  Sites: 'Domains, the sources of their docs, and how they are built.',
  Keys: 'Keys of an organization: create, list, revoke; sign in and out.',
  Members: 'People of an organization: invite, change their role, remove; their passkeys.',
  Organizations: 'Organizations and their plans, for operators.',
  Webhooks: 'URLs that receive a request when a job ends.',
  Assistant:
    'Version 1.0.0. Answers questions about a site as streams, searches it and returns its pages. Its root, `{base_url}`, is `/discovery`.',
  Analytics: 'What readers do: events from pages, and what they add up to.',
  Playground: 'Requests that readers try on the pages of a site.',
  Operation: 'Health, readiness and metrics of the process.',
  Server: 'The backup of the database, for operators.',
};

const headers = {
  RequestId: {
    description: 'Identifies the request in the log of the server.',
    schema: { type: 'string', example: 'req_0123456789abcdef' },
  },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', example: 60 } },
  RateLimit: {
    description: 'For each limit: its name, the remaining requests (`r`) and the seconds until it resets (`t`).',
    schema: { type: 'string', example: '"organization";r=9999;t=3600' },
  },
  RateLimitPolicy: {
    description:
      'For each limit: its name, the number of requests that it allows (`q`) and the length of its window in seconds (`w`).',
    schema: { type: 'string', example: '"organization";q=10000;w=3600' },
  },
} as const;

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;
const securitySchemes = {
  adminKey: bearer(
    'An admin key, `svc_…`: a secret, for servers only. Each route names the scope that it needs; for members, it is that of their role.',
  ),
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-carrel-session',
    description:
      'The session of a browser that signed in with an admin key (`carrel-session` over http). Routes for admin keys accept it instead of a bearer token, only from pages of this server and with the header `X-Carrel-Session` that it began with, such as `X-Carrel-Session: 1`.',
  },
  sessionLink: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Carrel-Session-Link',
    description: 'The token of a sign-in link, which works once: the part of its URL after `#link=`.',
  },
  assistantKey: bearer('An assistant key, `svc_dsc_…`: public, and limited to its sites.'),
  pageToken: bearer(
    'The token of a page of a hosted site, `page_…`, from its `carrel.config.js`: for an hour at most, and only from pages on the origins of that site.',
  ),
  metricsToken: bearer('The token in `CARREL_METRICS_TOKEN`, if the server has one.'),
} as const;

/** The OpenAPI document of all routes. */
export function describe(api: Api, publicUrl: string) {
  const { openAPIRegistry: registry } = api;
  for (const [name, scheme] of Object.entries(securitySchemes)) registry.registerComponent('securitySchemes', name, scheme);
  for (const [name, header] of Object.entries(headers)) registry.registerComponent('headers', name, header);
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Carrel',
      version: '1.0.0',
      description:
        'Exports documentation sites as jobs, creates time-limited links to their bundles, and answers questions about them.',
      contact: { name: 'The operator of this server', url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' } as { name: string },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  });
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as Record<string, Operation>));
  for (const { responses } of operations) {
    const isLimited = '429' in responses && Object.keys(responses).some((status) => status.startsWith('2'));
    for (const [status, response] of Object.entries(responses)) addHeaders(status, response, isLimited);
  }
  return document;
}

interface Operation {
  tags?: string[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

/** The headers that all responses of a status have, on every route. */
function addHeaders(status: string, response: { headers?: Record<string, unknown> }, isLimited: boolean): void {
  const names: [header: string, name: keyof typeof headers][] = [['X-Request-Id', 'RequestId']];
  if (status === '429' || status === '503') names.push(['Retry-After', 'RetryAfter']);
  if (isLimited && (status === '429' || status.startsWith('2')))
    names.push(['RateLimit', 'RateLimit'], ['RateLimit-Policy', 'RateLimitPolicy']);
  for (const [header, name] of names) (response.headers ??= {})[header] = { $ref: `#/components/headers/${name}` };
}

interface Description {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns an example, as JSON, of the body that the route of a request expects, from the route's own description. */
export function createBodyExample(api: Api): (context: Context<ApiEnvironment>) => string | undefined {
  let description: Description | undefined;
  return (context) => {
    description ??= describe(api, '') as unknown as Description;
    const { schemas } = description.components;
    const path = routePath(context, -1).replaceAll(/:(\w+)/g, '{$1}');
    const operation = description.paths[path]?.[context.req.method.toLowerCase()];
    const schema = operation?.requestBody?.content?.['application/json']?.schema;
    return schema && JSON.stringify(exampleOf(schema, (ref) => schemas[ref.split('/').at(-1)!]!));
  };
}

/** The subset of JSON Schema that the examples of bodies need. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  example?: unknown;
}

/** An example value: the schema's own example, otherwise one made from its required properties. */
function exampleOf(schema: Schema, resolve: (ref: string) => Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(resolve(schema.$ref), resolve);
  if (schema.enum) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first) return exampleOf(first, resolve);
  if (schema.items) return [exampleOf(schema.items, resolve)];
  if (schema.properties) {
    const required = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(required.map(([name, part]) => [name, exampleOf(part, resolve)]));
  }
  return { string: 'text', number: 1, integer: 1, boolean: true }[[schema.type].flat()[0] ?? ''] ?? null;
}
