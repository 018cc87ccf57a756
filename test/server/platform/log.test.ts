import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Key } from '../../../server/http/key.ts';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { createLog, withoutSecretText } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';

/** A log, and what was written to it. */
function recorded() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLog('debug', destination), lines, last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> };
}

const key = `svc_${'k'.repeat(43)}`;

test('a line is JSON with level, time and message', () => {
  const { log, last } = recorded();
  log.info({ requestId: 'req_1' }, 'started');
  expect(last()).toEqual({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), requestId: 'req_1', msg: 'started' });
});

describe('hides by name', () => {
  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'key',
    'secret',
    'password',
    'signature',
    'webhook-signature',
    'apiKey',
    'adminKey',
    'assistant_key',
    'accessToken',
    'secretAccessKey',
    'credentials',
  ])('%s, at any depth', (name) => {
    const { log, lines } = recorded();
    const holds = { [name]: 'hunter2' };
    log.info({ ...holds, request: { headers: holds, all: [holds] } }, 'x');
    log.child({ request: holds }).info('y');
    log.error({ err: Object.assign(new Error('x'), { response: holds }) });
    log.error({ cause: new Error('x', { cause: Object.assign(new Error('y'), holds) }) });
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('')).toContain('[hidden]');
  });

  test.each([
    ['keyId', 'key_0123456789abcdef'],
    ['key', 'key_0123456789abcdef'],
    ['keys', 3],
    ['domain', 'docs.example.com'],
    ['path', '/v1/keys'],
    ['secret', undefined],
  ])('not %s: %s', (name, value) => {
    const { log, lines, last } = recorded();
    log.info({ [name]: value }, 'x');
    expect(last()[name]).toEqual(value);
    expect(lines[0]).not.toContain('[hidden]');
  });
});

describe('hides in texts', () => {
  test.each([
    ['an admin key', `used ${key} today`, 'used svc_[hidden] today'],
    ['the token of a page', `page_1893456000.${'k'.repeat(43)} was refused`, 'page_[hidden] was refused'],
    ['an assistant key', `svc_dsc_${'k'.repeat(43)}`, 'svc_[hidden]'],
    ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_[hidden]'],
    ['a bearer', 'Authorization: Bearer abc.def', 'Authorization: Bearer [hidden]'],
    [
      'a password of git',
      "fatal: unable to access 'https://me:hunter2@git.example.com/docs.git/'",
      "fatal: unable to access 'https://[hidden]@git.example.com/docs.git/'",
    ],
    ['a password with @', 'https://me:p@hunter2@git.example.com/a', 'https://[hidden]@git.example.com/a'],
    ['a token of git', 'https://ghp_hunter2@github.com/a/b', 'https://[hidden]@github.com/a/b'],
    ['a database', 'postgresql://carrel:hunter2@db:5432/carrel', 'postgresql://[hidden]@db:5432/carrel'],
    ['a bundle link', 'GET /v1/bundles/se_1?expires=99&signature=abc_-def', 'GET /v1/bundles/se_1?expires=99&signature=[hidden]'],
    [
      'a presigned address',
      'https://s3.example.com/b/k.zip?X-Amz-Credential=AKIA%2F2026&X-Amz-Expires=60&X-Amz-Signature=0a1b',
      'https://s3.example.com/b/k.zip?X-Amz-Credential=[hidden]&X-Amz-Expires=60&X-Amz-Signature=[hidden]',
    ],
  ])('%s', (_name, text, left) => {
    expect(withoutSecretText(text)).toBe(left);
    const { log, last } = recorded();
    log.warn(text);
    expect(last().msg).toBe(left);
    log.warn({ err: new Error(text), deep: { list: [text] } }, 'failed');
    expect(JSON.stringify(last())).toContain(JSON.stringify(left).slice(1, -1));
    expect(JSON.stringify(last())).not.toContain('hunter2');
  });

  test('nothing of an ordinary URL or email address', () => {
    const text = 'GET https://docs.example.com/guides/a@b?page=2 for me@example.com';
    expect(withoutSecretText(text)).toBe(text);
  });
});

test('logs a cause with its message, code and stack', () => {
  const { log, last } = recorded();
  log.error({ err: new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) }) }, 'InternalError');
  expect(last().err).toMatchObject({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('log.test.ts'),
    cause: { message: 'inner', code: 'ECONNREFUSED' },
  });
});

test('handles circular objects, bytes and deep trees', () => {
  const { log, last } = recorded();
  const ring: Record<string, unknown> = { bytes: new Uint8Array(1000), when: new Date(0) };
  ring.self = ring;
  log.info({ ring });
  expect(last().ring).toEqual({ bytes: '[bytes]', when: '1970-01-01T00:00:00.000Z', self: '[…]' });
});

describe('a request', () => {
  /** The line of a request to a small API. */
  async function lineOf(path: string, headers: HeadersInit = {}) {
    const { log, last } = recorded();
    const services = { log, options: serverOptionsSchema.parse({}), metrics: createMetrics(), now: () => 0 };
    const api = emptyApi(services);
    api.get('/healthz', (context) => context.text('ok'));
    api.get('/v1/bundles/:id', (context) => {
      context.set('key', { id: 'key_0123456789abcdef' } as Key);
      return context.text('ok');
    });
    api.get('/broken', () => {
      throw new Error('inside');
    });
    await api.request(path, { headers });
    return last();
  }

  test('is one line, without its query and its headers', async () => {
    expect(await lineOf('/v1/bundles/se_1?signature=hunter2', { authorization: `Bearer ${key}` })).toEqual({
      level: 'info',
      time: expect.any(String),
      method: 'GET',
      path: '/v1/bundles/se_1',
      status: 200,
      ms: 0,
      requestId: expect.stringMatching(/^req_[0-9a-f]{16}$/),
      keyId: 'key_0123456789abcdef',
      address: expect.any(String),
      msg: 'request',
    });
  });

  test.each([
    ['/healthz', 'debug', 200],
    ['/readyz', 'info', 404],
    ['/broken', 'warn', 500],
  ])('of %s has the level %s', async (path, level, status) => {
    expect(await lineOf(path)).toMatchObject({ level, status });
  });
});

test('searches a long line quickly', () => {
  for (const part of ['://', 'svc_', 'bearer ', 'a', 'signature=', '@']) {
    expect(withoutSecretText(part.repeat(1_000_000 / part.length))).toBeDefined();
  }
});
