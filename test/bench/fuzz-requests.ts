// Requests by a description of an API: each begins as a valid one, and has as many mutations as chance gives it.
import type { ServerProcess } from '../support/server-process.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

export interface Operation {
  path: string;
  method: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  schemas: Record<string, Schema>;
}

export interface Sent {
  /** For people. */
  what: string;
  url: string;
  init: { method: string; headers: Headers; body?: string };
  /** Instead of `url` and `init`: bytes for a connection. */
  raw?: Buffer;
  /** Of a hosted site, whose errors are pages. */
  isPage: boolean;
}

const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '%',
  '%00',
  '%2e%2e%2f',
  '..',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  'ä'.repeat(700),
  "'; drop table carrel.jobs; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '1e400',
  '-1',
  'NaN',
  '0',
  '9007199254740993',
  '2026-02-31T25:61:00Z',
  'https://[::1]:0/',
  'file:///etc/passwd',
  'xn--a--b',
  'a.b.c.d.e.f',
  '\u202e\ufeff',
  '👩‍👩‍👧',
  'x\r\ny: z',
];
const oddValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  {},
  [[[]]],
  [null],
  { $ref: '#' },
  { toString: 1 },
  { length: -1 },
  ...oddTexts,
];
const contentTypes = ['application/json', 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '', 'a/b/c'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** `learn` takes what the server answers, whose IDs and names later requests use. */
export function createRequests(operations: Operation[], random: () => number, server: ServerProcess) {
  const known = new Map<string, string[]>([['domain', ['docs']]]);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const by = (share: number) => random() < share;

  function textFor(name: string): string {
    const names = known.get(name) ?? known.get('id');
    if (names && by(0.8)) return pick(names);
    return by(0.5) ? pick(oddTexts) : Math.floor(random() * 1e9).toString(36);
  }

  function valueOf(schema: Schema, { schemas }: Operation, name: string, depth = 0): unknown {
    if (by(0.04)) return pick(oddValues);
    const go = (one: Schema, key = name) => valueOf(one, { schemas } as Operation, key, depth + 1);
    if (schema.$ref) return depth > 8 ? null : go(schemas[schema.$ref.split('/').at(-1)!] ?? {});
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    const choice = schema.oneOf ?? schema.anyOf;
    if (choice) return go(pick(choice));
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => go(one)));
    if (schema.example !== undefined && by(0.5)) return schema.example;
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
    if (type === 'object' || schema.properties) {
      const entries = Object.entries(schema.properties ?? {})
        .filter(([key]) => (schema.required?.includes(key) ? by(0.97) : by(0.4)))
        .map(([key, one]) => [key, go(one, key)] as const);
      if (by(0.05)) entries.push([pick(oddTexts), pick(oddValues)]);
      return Object.fromEntries(entries);
    }
    if (type === 'array') return Array.from({ length: Math.floor(random() * 4) }, () => go(schema.items ?? {}));
    if (type === 'integer' || type === 'number') return Math.floor(random() * ((schema.maximum ?? 100) + 2));
    if (type === 'boolean') return by(0.5);
    if (type === 'null') return null;
    return textFor(name);
  }

  function bodyOf(operation: Operation): string | undefined {
    const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
    if (!schema) return by(0.05) ? pick(oddTexts) : undefined;
    if (by(0.02)) return '['.repeat(5000) + ']'.repeat(5000);
    if (by(0.01)) return JSON.stringify({ a: 'x'.repeat(70_000) });
    const text = JSON.stringify(valueOf(schema, operation, 'body')) ?? '';
    return by(0.04) ? text.slice(0, Math.floor(random() * text.length)) : text;
  }

  function headersFor(body: string | undefined): Headers {
    const headers = new Headers();
    if (by(0.93)) headers.set('authorization', `Bearer ${by(0.85) ? server.adminKey : by(0.7) ? server.assistantKey : 'svc_x'}`);
    if (body !== undefined) headers.set('content-type', by(0.95) ? 'application/json' : pick(contentTypes));
    if (by(0.05)) headers.set('idempotency-key', Math.floor(random() * 50).toString());
    if (by(0.05)) headers.set('origin', pick(['null', 'https://elsewhere.example', server.address]));
    if (by(0.03)) headers.set('cookie', `carrel-session=${Math.floor(random() * 1e9)}`);
    if (by(0.03)) headers.set('x-forwarded-for', pick(['::1, x', '203.0.113.7']));
    if (by(0.03)) headers.set('accept', pick(['text/event-stream', 'text/html', '*/*;q=x']));
    if (by(0.02)) headers.set('last-event-id', pick(['-1', 'x', '99999999999999999999']));
    return headers;
  }

  function pathOf(operation: Operation): string {
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encoded(textFor(name)));
    const query = (operation.parameters ?? [])
      .filter((one) => one.in === 'query' && (one.required || by(0.4)))
      .map(({ name, schema }) => `${name}=${encoded(plain(valueOf(schema ?? {}, operation, name)))}`);
    if (by(0.03)) query.push(`${encoded(pick(oddTexts))}=${encoded(pick(oddTexts))}`);
    return filled + (query.length > 0 ? `?${query.join('&')}` : '');
  }

  function encoded(text: string): string {
    const safe = encodeURIComponent(wellFormed(text));
    return by(0.98) ? safe : `${safe}%`;
  }

  /** Those of the server's first start: without them, all further requests would be refused alike. */
  const isKept = (method: string, address: string) =>
    method !== 'GET' && (kept.some((id) => address.includes(id)) || /\/organizations\/default\b/.test(address));
  const kept: string[] = [];

  return {
    next(): Sent {
      if (by(0.04)) {
        const asked = pick([
          'docs/',
          'docs/index.html',
          'docs/../..',
          'docs/%00',
          'docs/carrel.config.js',
          `x/${pick(oddTexts)}`,
        ]);
        const url = `${server.sites}/sites/${asked.includes('%') ? asked : encodeURI(wellFormed(asked))}`;
        return { what: `page ${asked}`, url, init: { method: pick(['GET', 'HEAD']), headers: new Headers() }, isPage: true };
      }
      const operation = pick(operations);
      const method = by(0.97) ? operation.method : pick(methods);
      const address = pathOf(operation);
      if (isKept(method, address)) return this.next();
      const body = ['GET', 'HEAD'].includes(method) ? undefined : bodyOf(operation);
      const headers = headersFor(body);
      const sent = {
        what: `${method} ${operation.path}`,
        url: server.address + address,
        init: { method, headers, body },
        isPage: false,
      };
      return by(0.03) ? { ...sent, what: `bytes of ${sent.what}`, raw: bytesOf(method, address, headers, body) } : sent;
    },

    learn(value: unknown): void {
      const visit = (one: unknown, name: string): void => {
        if (Array.isArray(one)) one.forEach((item) => visit(item, name));
        else if (typeof one === 'object' && one !== null) for (const [key, item] of Object.entries(one)) visit(item, key);
        else if (typeof one === 'string' && /^(?:id|domain|\w+Id|cursor|next\w*)$/.test(name) && one.length < 200) {
          const names = known.get(name) ?? [];
          known.set(name, [...new Set([one, ...names])].slice(0, 50));
        }
      };
      visit(value, '');
    },

    keep(ids: string[]): void {
      kept.push(...ids);
    },
  };

  /** A request as it goes over a connection, with some bytes changed, cut off or repeated. */
  function bytesOf(method: string, address: string, headers: Headers, body = ''): Buffer {
    const lines = [
      `${method} ${address} HTTP/1.1`,
      'host: 127.0.0.1',
      'connection: close',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    const bytes = Buffer.from(
      `${[...lines, ...[...headers].map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n${body}`,
    );
    for (let change = 0; change < 1 + random() * 3; change++)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return by(0.2) ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Half a character becomes the sign for one that is not known: addresses are UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
