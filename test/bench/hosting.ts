// A site behind `carrel serve`, a server with a model and nginx, in turn: requests per second with wrk, and waiting times at half of that.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { followJob, startJob, startServerProcess } from '../support/server-process.ts';
import { tell } from './aims.ts';
import { generatePages, writeDocs } from './generate-docs.ts';

export interface HostingBench {
  pages: number;
  runs: number;
  /** Of each run. */
  seconds: number;
  repository: string;
}

interface Host {
  /** URL of the site, without a slash at its end. */
  address: string;
  stop(): Promise<void>;
}

type HostName = 'carrel serve' | 'server' | 'nginx';

/** Prints the rates of both, their ratio, and what 1,000 readers wait for. Needs nginx and wrk (`apt-get install nginx-light wrk`). */
export async function benchHosting({ pages, runs, seconds, repository }: HostingBench): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-hosting-'));
  try {
    const site = path.join(folder, 'site');
    await writeDocs(path.join(folder, 'docs'), generatePages(pages));
    const command = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      path.join(repository, 'src/cli/carrel.ts'),
    ] as const;
    execFileSync(command[0], [...command.slice(1), 'export', path.join(folder, 'docs'), '--out', site], { stdio: 'ignore' });
    const urls = await compressed(site);
    console.log(`${urls.length} pages`);

    const hosts: Record<HostName, () => Promise<Host>> = {
      'carrel serve': () => startCarrel([...command, 'serve', site, '--port', '0']),
      server: () => startServer(folder),
      nginx: () => startNginx(folder, site),
    };
    const rates: Record<HostName, number[]> = { 'carrel serve': [], server: [], nginx: [] };
    for (let run = 0; run < runs; run++) {
      for (const [name, start] of Object.entries(hosts) as [HostName, () => Promise<Host>][]) {
        const host = await start();
        try {
          // Each page is compressed once.
          await rateOf(host, urls, { folder, seconds: 2 });
          rates[name].push(await rateOf(host, urls, { folder, seconds }));
        } finally {
          await host.stop();
        }
      }
    }
    for (const [name, all] of Object.entries(rates)) console.log(`${name}: ${all.map(Math.round).join(', ')} pages/s`);
    for (const name of ['carrel serve', 'server'] as const)
      tell(`pages of ${name}, of those of nginx`, median(rates[name]) / median(rates.nginx), 'x', { least: 0.35 });
    await waiting(await hosts['carrel serve'](), urls, { folder, rate: Math.max(...rates['carrel serve']) / 2, seconds });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compresses all pages for nginx, and returns their addresses. */
async function compressed(site: string): Promise<string[]> {
  const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('index.html'));
  for (const file of files)
    await writeFile(path.join(site, `${file}.gz`), gzipSync(await readFile(path.join(site, file)), { level: 6 }));
  return files.map((file) => `/${file.split(path.sep).slice(0, -1).join('/')}/`.replace('//', '/'));
}

/** A script for wrk, which requests the pages in turn; `pause` is the mean before each, in milliseconds. */
function luaFor({ address }: Host, urls: string[], pause = 0): string {
  const { pathname } = new URL(address);
  return `local urls = { ${urls.map((url) => JSON.stringify(pathname === '/' ? url : pathname + url)).join(', ')} }
local at = 0
wrk.headers["accept-encoding"] = "gzip"
request = function()
  at = at % #urls + 1
  return wrk.format("GET", urls[at])
end
${pause > 0 ? `delay = function() return math.random(0, ${Math.round(pause * 2)}) end` : ''}
`;
}

async function startCarrel([program = '', ...args]: string[]): Promise<Host> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (!address) continue;
    child.stdout.resume();
    return { address, stop: async () => void (child.kill('SIGINT'), await ended) };
  }
  throw new Error('carrel serve ended before it listened.');
}

/** The docs as a site of a server with a model, whose pages have a token. */
async function startServer(folder: string): Promise<Host> {
  const data = path.join(folder, 'data');
  await rm(data, { recursive: true, force: true });
  const model = { CARREL_MODEL: 'any', CARREL_MODEL_URL: 'http://127.0.0.1:9/v1' };
  const server = await startServerProcess(data, model, undefined, []);
  const source = { type: 'folder', path: path.join(folder, 'docs') };
  const added = await server.request('PUT', '/v1/sites/bench', { source });
  if (!added.ok) throw new Error(`${added.status} ${await added.text()}`);
  const { status, error } = await followJob(server, await startJob(server, { domain: 'bench' }));
  if (status !== 'completed') throw new Error(`${status}: ${error}`);
  return { address: `${server.sites}/sites/bench`, stop: async () => void (await server.stop()) };
}

/** As fast as it is: one worker, compressed files beside the others, and none opened twice. */
async function startNginx(folder: string, site: string): Promise<Host> {
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    file,
    `daemon off; ${user} worker_processes 1; error_log stderr; pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  include /etc/nginx/mime.types; access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  open_file_cache max=10000 inactive=600s; open_file_cache_valid 600s;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${site}; index index.html; gzip_static on; }
}
`,
  );
  const child = spawn('nginx', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (piece: Buffer) => (errors += piece));
  const ended = once(child, 'close').then(() => true);
  const address = `http://127.0.0.1:${port}`;
  while (!(await fetch(address).then(Boolean, () => false))) {
    const isOver = await Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 50, false))]);
    if (isOver) throw new Error(`nginx ended: ${errors}`);
  }
  return { address, stop: async () => void (child.kill('SIGQUIT'), await ended) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Pages per second over 64 connections. Throws when one is refused. */
async function rateOf(host: Host, urls: string[], { folder, seconds }: Omit<Load, 'rate'>): Promise<number> {
  return pagesPerSecond(await wrk(host, luaFor(host, urls), { folder, args: ['-c64', `-d${seconds}s`] }));
}

/** What readers wait for when 1,000 have a connection open and ask for half of what is possible: each pauses between two pages. */
async function waiting(host: Host, urls: string[], { folder, rate, seconds }: Load): Promise<void> {
  const readers = 1000;
  try {
    // Each page is compressed once.
    await rateOf(host, urls, { folder, seconds: 2 });
    const script = luaFor(host, urls, (readers / rate) * 1000);
    const output = await wrk(host, script, { folder, args: [`-c${readers}`, `-d${seconds}s`, '--latency'] });
    console.log(`${pagesPerSecond(output)} pages/s over 1,000 connections`);
    const [, number = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output)!;
    tell('99 of 100 pages within', Number(number) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us'], 'ms', { most: 20 });
  } finally {
    await host.stop();
  }
}

/** Returns what it prints. Throws when a request is refused. */
async function wrk({ address }: Host, lua: string, { folder, args }: { folder: string; args: string[] }): Promise<string> {
  const script = path.join(folder, 'urls.lua');
  await writeFile(script, lua);
  const { stdout } = await promisify(execFile)('wrk', ['-t1', ...args, '-s', script, new URL(address).origin]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return stdout;
}

function pagesPerSecond(output: string): number {
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)![1]);
}

interface Load {
  folder: string;
  rate: number;
  seconds: number;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
