import { beforeAll, expect, test } from 'vitest';
import { carrel } from './carrel.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';

let server: RemoteServer;
beforeAll(async () => {
  server = await openRemoteServer();
});
const run = (...args: string[]) =>
  carrel(['job', ...args], { env: { ...process.env, CARREL_URL: server.url, CARREL_KEY: server.adminKey } });

test('a job is started, awaited, shown and listed', async () => {
  server.work = server.complete;
  const started = await run('start', 'manual');
  const [, id = ''] = /^Job: {7}(se_[0-9a-f]{16})\nDomain: {4}manual\nStatus: {4}completed\n/.exec(started.stdout) ?? [];
  expect([started.code, id]).toEqual([0, expect.stringMatching(/^se_/)]);
  expect(started.stdout).toMatch(/Served at: \S+\/sites\/manual\/\n$/);
  expect((await run('show', id)).stdout).toBe(started.stdout);
  expect(JSON.parse((await run('show', id, '--json')).stdout)).toMatchObject({ jobId: id, status: 'completed' });
  const listed = await run('list', '--domain', 'manual', '--status', 'completed');
  expect(listed.stdout).toMatch(new RegExp(`^ID +DOMAIN +STATUS +CREATED +TOOK +ISSUES\\n${id} +manual +completed +\\d{4}-`));
  expect((await run('list', '--status', 'failed')).stdout.trimEnd()).toBe('ID  DOMAIN  STATUS  CREATED  TOOK  ISSUES');
});

test('a job that fails ends the command, and says in which stage it failed', async () => {
  server.work = async (job) => {
    await server.services.jobs.advance(job, { stage: 'render', progress: 30, pageCount: 3 });
    await server.services.jobs.log(job, 'Reading docs.json\n');
    await server.services.jobs.fail(job, { code: 'ConfigNotJson', message: 'docs.json is not JSON.' });
  };
  const failed = await run('start', 'manual');
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  const [, id = ''] = /The job (se_[0-9a-f]{16}) failed \(ConfigNotJson\)/.exec(failed.stderr) ?? [];
  const { stdout } = await run('show', id);
  expect(stdout).toContain('Status:    failed in stage render\n');
  expect(stdout).toContain('Error:     docs.json is not JSON. (ConfigNotJson)\n');
  expect((await run('log', id)).stdout).toBe('Reading docs.json\n');
});

test('a job that is only queued can be canceled, once', async () => {
  server.work = () => Promise.resolve();
  const { jobId } = JSON.parse((await run('start', 'manual', '--no-wait', '--json')).stdout);
  expect((await run('cancel', jobId)).stdout).toBe(`Canceled the job ${jobId} of manual.\n`);
  expect((await run('show', jobId)).stdout).toContain('Status:    canceled');
});

test.each([
  [['show', 'se_0000000000000000'], 1, 'JobUnknown'],
  [['show', '../keys'], 1, 'JobUnknown'],
  [['start', 'nowhere'], 1, 'SiteUnknown'],
  [['list', '--status', 'done'], 2, 'must be one of queued, running'],
  [['stop'], 2, 'Unknown command: job stop'],
])('%j exits with %s: %s', async (args, code, words) => {
  const ended = await run(...args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toContain(words);
});
