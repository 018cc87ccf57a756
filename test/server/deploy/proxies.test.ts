// The configurations of proxies in the manual, each run by the program that it is for in front of a real server.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestOver } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { installedProgram } from '../../support/debian-package.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { chunk, done, openModelServer, textAnswer, type ModelServer } from '../assistant/model-server.ts';
import { firstExport, place, startServer } from '../faults/places.ts';
import { makeCertificate } from '../sources/git-server.ts';
import { freePort } from '../../support/listen.ts';

const page = readFileSync(new URL('../../../src/manual/deploy.mdx', import.meta.url), 'utf8');
/** The block of code with this title, in the manual. */
const configuration = (title: string): string => {
  const start = page.indexOf(`${title}\n`, page.indexOf('{#reverse-proxy}'));
  return page.slice(page.indexOf('\n', start) + 1, page.indexOf('\n```\n', start));
};
const domain = 'handbook.example.com';

// A hook that is added in another hook is not run.
const ends: (() => Promise<void> | void)[] = [];
const atEnd = (end: () => Promise<void> | void): void => void ends.unshift(end);
afterAll(async () => {
  for (const end of ends) await end();
});

let model: ModelServer;
let server: ServerProcess;
let assistantKey: string;
beforeAll(async () => {
  model = await openModelServer(textAnswer('Hello.'));
  const { data } = place(atEnd);
  const settings = {
    CARREL_PUBLIC_URL: 'https://docs-api.example.com',
    CARREL_SITES_URL: 'https://docs.example.com',
    CARREL_TRUSTED_PROXIES: '127.0.0.1',
  };
  for (const [name, value] of Object.entries(settings)) expect(page).toContain(`${name}=${value}`);
  const asked = { CARREL_MODEL_URL: model.url, CARREL_MODEL: 'scripted' };
  server = await startServer(data, { ...settings, ...asked, SITE: domain }, atEnd);
  await firstExport(server);
  const made = await server.request('POST', '/v1/keys', { kind: 'assistant', name: 'reader', domains: [domain] });
  assistantKey = ((await made.json()) as { secret: string }).secret;
});
afterAll(() => model.close());

interface Proxy {
  /** The package of Debian. */
  name: string;
  program: string;
  title: string;
  /** Arguments that run a configuration on the port, after the files that it needs are written. */
  prepare(text: string, folder: string, port: number): string[];
}

const proxies: [string, Proxy][] = [
  [
    'nginx',
    {
      name: 'nginx-light',
      program: 'nginx',
      title: '/etc/nginx/conf.d/carrel.conf',
      prepare(text, folder, port) {
        const { key, certificate } = makeCertificate(folder);
        const site = text
          .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
          .replaceAll('/etc/ssl/example.com.pem', certificate)
          .replaceAll('/etc/ssl/example.com.key', key);
        const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (kind) => `${kind}_temp_path ${folder}/${kind};`,
        );
        const around = `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${site}\n}\n`;
        writeFileSync(join(folder, 'nginx.conf'), around);
        return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
      },
    },
  ],
  [
    'Caddy',
    {
      name: 'caddy',
      program: 'caddy',
      title: 'Caddyfile',
      prepare(text, folder, port) {
        // Its own certificates, in place of those of a public authority.
        const around = `{\n  admin off\n  local_certs\n  skip_install_trust\n  auto_https disable_redirects\n  https_port ${port}\n  default_bind 127.0.0.1\n  storage file_system ${folder}\n}\n${text}\n`;
        writeFileSync(join(folder, 'Caddyfile'), around);
        return ['run', '--config', join(folder, 'Caddyfile')];
      },
    },
  ],
];

describe.each(proxies)('%s', (_, proxy) => {
  let port: number;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carrel-proxy-'));
    // The processes that serve may run as another user.
    chmodSync(folder, 0o755);
    port = await freePort();
    const text = configuration(proxy.title)
      .replaceAll('http://127.0.0.1:4400', server.address)
      .replaceAll('127.0.0.1:4400', server.address.replace('http://', ''))
      .replaceAll('127.0.0.1:4401', server.sites!.replace('http://', ''));
    const child = spawn(installedProgram(proxy.program, proxy.name), proxy.prepare(text, folder, port), {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece));
    atEnd(async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      rmSync(folder, { recursive: true, force: true });
    });
    await vi.waitFor(async () => expect((await ask('docs-api.example.com', '/healthz')).status, output).toBe(200), {
      timeout: 30_000,
      interval: 100,
    });
  });

  const ask = (host: string, path: string, { body, ...headers }: Record<string, string> = {}) =>
    send(port, host, path, { body, headers });

  test('an answer arrives in pieces', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    model.play({ steps: [chunk({ content: 'First' }), { until }, chunk({ content: ' second.' }), chunk({}, 'stop'), done] });
    const question = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How do I run a kettle at home?' }] };
    const response = await open(port, 'docs-api.example.com', `/discovery/v2/assistant/${domain}/message`, {
      headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fp: 'reader', messages: [question] }),
    });
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    await expect.poll(() => text, { timeout: 20_000 }).toContain('"delta":"First"');
    expect(text).not.toContain('second');
    release();
    await expect.poll(() => text, { timeout: 20_000 }).toContain('[DONE]');
    expect(text).toContain('"delta":" second."');
  });

  test('the largest body passes, and the server refuses a larger one in its own words', async () => {
    const hook = `/v1/sites/${domain}/hooks/generic`;
    const { secret } = (await (await server.request('PUT', hook)).json()) as { secret: string };
    const push = (bytes: number) => {
      const body = JSON.stringify({ ref: 'refs/tags/v1', text: '' });
      const filled = body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
      return ask('docs-api.example.com', hook, {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        body: filled,
      });
    };
    expect((await push(1024 * 1024)).status).toBeLessThan(300);
    expect((await push(1024 * 1024 + 1)).status).toBe(413);
  });

  test('a site is read below its path, below another one and at a host of its own', async () => {
    const bases: [string, string][] = [
      ['docs.example.com', `/sites/${domain}/`],
      ['docs.example.com', '/handbook/'],
      [domain, '/'],
    ];
    for (const [host, base] of bases) {
      const home = await ask(host, base);
      expect([home.status, home.text], `${host}${base}`).toEqual([200, expect.stringContaining('<h1')]);
      const page = /href="((?!\.\.|https?:)[^"#?]+)\/index\.html"/.exec(home.text)![1]!.replace(/^\.\//, '');
      const redirected = await ask(host, `${base}${page}/index.html?a=b`);
      expect([redirected.status, new URL(redirected.location!, `https://${host}${base}${page}/`).href]).toEqual([
        308,
        `https://${host}${base}${page}/?a=b`,
      ]);
      expect((await ask(host, `${base}${page}/?a=b`)).status).toBe(200);
      expect((await ask(host, `${base}missing`)).status).toBe(404);
    }
  });

  test('the server sees the address of the client, and none that the client claims', async () => {
    const name = `of-${proxy.program}`;
    const body = JSON.stringify({ kind: 'assistant', name, domains: [domain] });
    const headers = {
      authorization: `Bearer ${server.adminKey}`,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.9',
    };
    expect((await ask('docs-api.example.com', '/v1/keys', { ...headers, body })).status).toBe(201);
    const { entries } = (await (await server.request('GET', '/v1/audit?event=key.create')).json()) as {
      entries: { address: string }[];
    };
    expect(entries[0]!.address).toBe('127.0.0.2');
  });
});

test('every service and middleware that a router of Traefik names exists, and has the port of the server', () => {
  const { http } = parse(configuration('Traefik (file provider)')) as {
    http: {
      routers: Record<string, { rule: string; service: string; middlewares?: string[] }>;
      middlewares: Record<string, object>;
      services: Record<string, { loadBalancer: { servers: { url: string }[] } }>;
    };
  };
  const routers = Object.values(http.routers);
  expect(Object.keys(http.services)).toEqual(expect.arrayContaining(routers.map(({ service }) => service)));
  expect(Object.keys(http.middlewares)).toEqual(expect.arrayContaining(routers.flatMap(({ middlewares = [] }) => middlewares)));
  expect(Object.values(http.services).map(({ loadBalancer }) => loadBalancer.servers[0]!.url)).toEqual([
    'http://127.0.0.1:4400',
    'http://127.0.0.1:4401',
  ]);
});

interface Sent {
  headers: Record<string, string>;
  body?: string | undefined;
}

/** The response of a proxy to a client at another address than the server's. */
function open(port: number, host: string, path: string, { headers, body }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    requestOver({
      ...{ host: '127.0.0.1', port, path, servername: host, rejectUnauthorized: false, localAddress: '127.0.0.2', agent: false },
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, host, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
    })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

async function send(port: number, host: string, path: string, sent: Sent) {
  const response = await open(port, host, path, sent);
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: response.statusCode!, location: response.headers.location, text };
}
