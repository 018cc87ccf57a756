import { EventEmitter } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import type { JobObject } from '../../../server/jobs/model/job-object.ts';
import { openApiClient } from '../../../src/cli/api-client.ts';
import { downloadBundle } from '../../../src/cli/download-bundle.ts';
import { followJob } from '../../../src/cli/run-job.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel, startCarrel } from './carrel.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';
import { writeFiles } from '../../support/write-files.ts';

let server: RemoteServer;
beforeAll(async () => {
  server = await openRemoteServer();
});
beforeEach(() => {
  server.work = server.complete;
  server.between = (_request, next) => next();
  server.asked.length = 0;
});

const environment = () => ({ ...process.env, CARREL_URL: server.url, CARREL_KEY: server.adminKey });

/** `carrel export-remote` in an empty folder. */
async function exportRemote(args: string[], env: NodeJS.ProcessEnv = environment()) {
  const cwd = temporaryFolder();
  return { cwd, ...(await carrel(['export-remote', ...args], { cwd, env })) };
}

/** A body whose connection breaks behind these bytes, once whoever asked has taken them. */
function breaking(bytes: Uint8Array, taken: Promise<unknown>): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream(
    {
      async pull(controller) {
        if (!sent) controller.enqueue(bytes);
        else await taken.then(() => controller.error(new Error('broken')));
        sent = true;
      },
    },
    { highWaterMark: 0 },
  );
}

/** The first bytes of a response, of which no more is read. */
async function firstPiece(response: Response): Promise<Uint8Array> {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value!;
}

async function newJob(): Promise<string> {
  const client = openApiClient(environment());
  return (await client.json<JobObject>('POST', '/v1/static-export/jobs', { body: { domain: 'manual' } })).jobId;
}

describe('the command', () => {
  test('starts a job, shows its stages, and writes a complete bundle', async () => {
    const { cwd, code, stdout, stderr } = await exportRemote(['manual', '--out', 'new/manual.zip']);
    expect(stderr).toContain('Downloading\n');
    expect(stdout).toMatch(/^new\/manual\.zip: version \S+, \d+\.\d MB, sha256 [0-9a-f]{64}\n/);
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, 'new'))).toEqual(['manual.zip']);
    expect(await verifyBundle(join(cwd, 'new/manual.zip'))).toEqual([]);
  });

  test('passes on its options', async () => {
    server.work = (run) => server.services.jobs.fail(run, { code: 'X', message: 'x' });
    await exportRemote(['manual', '--out', 'a.zip', '--version', 'v14', '--language', 'en', '--groups', 'partner,a%2Cb']);
    const { jobs } = await server.services.jobs.list({ organization: 'default', limit: 1 });
    expect(jobs[0]!.request).toEqual({
      version: 'v14',
      language: 'en',
      groups: ['partner', 'a,b'],
      startedBy: 'First admin key',
    });
  });

  test('exits with 1 for a failed job, with its error and the end of its log; the file stays unchanged', async () => {
    server.work = async (run) => {
      for (let line = 1; line <= 30; line++) await server.services.jobs.log(run, `line ${line}`);
      await server.services.jobs.fail(run, { code: 'NoPages', message: 'The folder has no pages.' });
    };
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a.zip'), 'before');
    const { code, stderr } = await carrel(['export-remote', 'manual', '--out', 'a.zip'], { cwd, env: environment() });
    expect(code).toBe(1);
    expect(stderr).toContain('line 11\n');
    expect(stderr).not.toContain('line 10\n');
    expect(stderr).toMatch(/Error \(RemoteJobFailed\): The job se_[0-9a-f]{16} failed \(NoPages\): The folder has no pages\./);
    expect(readdirSync(cwd)).toEqual(['a.zip']);
    expect(readFileSync(join(cwd, 'a.zip'), 'utf8')).toBe('before');
  });

  test('cancels its job on Ctrl+C', async () => {
    const started = new Promise<string>((resolve) => {
      server.work = async ({ id }) => resolve(id);
    });
    const cwd = temporaryFolder();
    const { child, ended } = startCarrel(['export-remote', 'manual', '--out', 'a.zip'], { cwd, env: environment() });
    const id = await started;
    await vi.waitFor(() => expect(server.asked).toContain(`GET /v1/static-export/jobs/${id}/events`), 60_000);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(stderr).toContain('Error (Stopped)');
    expect(code).toBe(1);
    expect(await server.services.jobs.get(id)).toMatchObject({ status: 'canceled' });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('removes files of a killed download, and nothing else', async () => {
    const cwd = temporaryFolder();
    // No process has this number.
    writeFiles(cwd, { '.a.zip.carrel-new-4194305/download.part': 'x' });
    writeFileSync(join(cwd, '.b.zip'), 'x');
    expect((await carrel(['export-remote', 'manual', '--out', 'a.zip'], { cwd, env: environment() })).code).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['.b.zip', 'a.zip']);
  });

  test('cancels its job at the time limit', async () => {
    const started = new Promise<string>((resolve) => {
      server.work = async ({ id }) => resolve(id);
    });
    const { code, stderr } = await exportRemote(['manual', '--out', 'a.zip', '--timeout', '0.05']);
    expect(stderr).toContain('Error (RemoteTimeout): The bundle was not ready within 0.05 minutes.');
    expect(code).toBe(1);
    expect(await server.services.jobs.get(await started)).toMatchObject({ status: 'canceled' });
  });

  test('reports that another user canceled the job', async () => {
    server.work = ({ id }) => server.services.jobs.cancel(id);
    const { code, stderr } = await exportRemote(['manual', '--out', 'a.zip']);
    expect(stderr).toContain('Error (RemoteJobCanceled)');
    expect(code).toBe(1);
  });

  test('sends its start again if the response is lost, and starts one job', async () => {
    let lost = 0;
    server.between = async (request, next) => {
      const response = await next();
      if (request.method !== 'POST' || !request.url.endsWith('/jobs') || lost++ > 0) return response;
      return new Response('Bad gateway', { status: 502 });
    };
    const { jobs: before } = await server.services.jobs.list({ organization: 'default', limit: 100 });
    expect((await exportRemote(['manual', '--out', 'a.zip'])).code).toBe(0);
    const { jobs: after } = await server.services.jobs.list({ organization: 'default', limit: 100 });
    expect([lost, after.length - before.length]).toEqual([2, 1]);
  });

  test('reads URL and key from the file of the first start on this machine', async () => {
    const { CARREL_URL, CARREL_KEY, ...rest } = environment();
    const { data } = server.services.options;
    expect((await exportRemote(['manual', '--out', 'a.zip'], { ...rest, CARREL_DATA: data })).code).toBe(0);
    // It is not sent to another server.
    const { stderr } = await exportRemote(['manual', '--out', 'a.zip'], {
      ...rest,
      CARREL_DATA: data,
      CARREL_URL: 'http://other.example.com',
    });
    expect(stderr).toContain('Error (KeyNotGiven)');
    expect([CARREL_URL, CARREL_KEY]).toEqual([server.url, server.adminKey]);
  });
});

describe('a failure has a reason and leaves no file', () => {
  test.each<[string, string[], NodeJS.ProcessEnv, number, string]>([
    ['no domain', ['--out', 'a.zip'], {}, 2, 'Missing argument: DOMAIN'],
    ['no file', ['manual'], {}, 2, '--out: is required: name the zip to write'],
    ['no paths', ['manual', '--out', 'a.zip', '--paths', ','], {}, 2, '--paths: must not be empty'],
    ['a bad timeout', ['manual', '--out', 'a.zip', '--timeout', '0'], {}, 2, '--timeout: must be more than 0'],
    ['a folder', ['manual', '--out', '.'], {}, 1, 'Error (OutputNotFile)'],
    ['another site', ['nosuch', '--out', 'a.zip'], {}, 1, 'Error (ServerRefused): There is no site "nosuch".'],
    ['an unknown key', ['manual', '--out', 'a.zip'], { CARREL_KEY: 'svc_nosuchkey' }, 1, 'Code KeyUnknown, request req_'],
    ['no key', ['manual', '--out', 'a.zip'], { CARREL_KEY: '' }, 1, 'Error (KeyNotGiven)'],
    ['no address', ['manual', '--out', 'a.zip'], { CARREL_URL: 'docs.example.com' }, 1, 'Error (AddressInvalid)'],
  ])('%s', async (_name, args, more, status, text) => {
    const { cwd, code, stdout, stderr } = await exportRemote(args, { ...environment(), ...more });
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([code, stdout]).toEqual([status, '']);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('following a job', () => {
  const waits = [1, 1, 1];
  const follow = async (id: string) => {
    const states: string[] = [];
    const client = openApiClient(environment());
    for await (const job of followJob(client, id, { signal: new AbortController().signal, waits })) states.push(job.status);
    return states.filter((status, index) => status !== states[index - 1]);
  };

  test('polls while events are refused', async () => {
    server.between = (request, next) => (request.url.endsWith('/events') ? new Response('no', { status: 502 }) : next());
    expect((await follow(await newJob())).at(-1)).toBe('completed');
  });

  test('continues when the stream of events always breaks', async () => {
    server.between = async (request, next) => {
      if (!request.url.endsWith('/events')) return next();
      const value = await firstPiece(await next());
      return new Response(breaking(value.slice(0, value.length - 5), Promise.resolve()), {
        headers: { 'content-type': 'text/event-stream' },
      });
    };
    expect((await follow(await newJob())).at(-1)).toBe('completed');
  });

  test('ends with the message of the server when it refuses', async () => {
    await expect(follow('se_0000000000000000')).rejects.toMatchObject({ code: 'ServerRefused', status: 404 });
  });

  test('ends when the server stays unavailable', async () => {
    const id = await newJob();
    server.between = () => new Response('', { status: 503 });
    await expect(follow(id)).rejects.toMatchObject({ code: 'ServerRefused', status: 503 });
  });
});

describe('downloading a bundle', () => {
  /** Downloads the bundle of a completed job. */
  const progress = new EventEmitter<{ bytes: [number] }>();
  const onProgress = (done: number) => void progress.emit('bytes', done);

  async function download() {
    const id = await newJob();
    await vi.waitFor(async () => expect((await server.services.jobs.get(id))!.status).toBe('completed'), 60_000);
    server.asked.length = 0;
    const out = join(temporaryFolder(), 'a.zip');
    const client = openApiClient(environment());
    const { signal } = new AbortController();
    const result = downloadBundle({ client, jobId: id, out, signal, waits: [1, 1], onProgress });
    return { out, result, links: () => server.asked.filter((path) => path.endsWith('/bundle')).length };
  }
  const isDownload = (request: Request) => request.url.includes('/v1/bundles/');

  test('resumes after a broken connection', async () => {
    const ranges: (string | null)[] = [];
    server.between = async (request, next) => {
      if (!isDownload(request)) return next();
      ranges.push(request.headers.get('range'));
      const response = await next();
      if (ranges.length > 2) return response;
      const value = await firstPiece(response);
      const wanted = ranges.length * 1000;
      const taken = new Promise<void>((resolve) => progress.on('bytes', (done) => done >= wanted && resolve()));
      return new Response(breaking(value.slice(0, 1000), taken), response);
    };
    const { out, result } = await download();
    await result;
    expect(ranges).toEqual([null, 'bytes=1000-', 'bytes=2000-']);
    expect(await verifyBundle(out)).toEqual([]);
  });

  test('requests a new link when the first one expired', async () => {
    let count = 0;
    server.between = (request, next) => (isDownload(request) && count++ === 0 ? new Response('', { status: 403 }) : next());
    const { out, result, links } = await download();
    await result;
    expect(links()).toBe(2);
    expect(await verifyBundle(out)).toEqual([]);
  });

  test('ends when new links do not work either', async () => {
    server.between = (request, next) => (isDownload(request) ? new Response('', { status: 403 }) : next());
    const { out, result, links } = await download();
    await expect(result).rejects.toMatchObject({ code: 'BundleLinkDead' });
    expect(links()).toBe(2);
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });

  test('refuses bytes that were changed in transit', async () => {
    server.between = async (request, next) => {
      const response = await next();
      if (!isDownload(request)) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      bytes[100]! ^= 1;
      return new Response(bytes, response);
    };
    const { out, result } = await download();
    await expect(result).rejects.toMatchObject({ code: 'BundleDigestWrong' });
    expect(existsSync(out)).toBe(false);
  });
});
