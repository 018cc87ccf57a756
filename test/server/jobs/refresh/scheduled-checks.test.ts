import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { activateExport } from '../../../../server/jobs/model/active-export.ts';
import { checkDueSites } from '../../../../server/jobs/refresh/scheduled-checks.ts';
import type { Services } from '../../../../server/services.ts';
import type { SiteSource } from '../../../../server/sites/sites.ts';
import { startGitServer, type GitServer } from '../../sources/git-server.ts';
import { openTestServer, type TestServer } from '../../support/services.ts';
import { completeJob } from '../job-support.ts';

vi.setConfig({ testTimeout: 60_000 });

let git: GitServer;
let services: Services;
let clock: { now: number };
let request: TestServer['request'];
beforeAll(async () => {
  git = await startGitServer();
  ({ services, clock, request } = await openTestServer({ privateHosts: ['127.0.0.1'], gitAuthorities: git.authorities }));
});
beforeEach(async () => {
  await services.database.query('delete from carrel.jobs');
  await services.database.query('delete from carrel.sites');
});
afterEach(() => {
  git.before = undefined;
});

const domain = 'docs.example.com';
async function register(source: SiteSource, everyMinutes = 10): Promise<void> {
  const settings = { builder: 'docs', deployment: 'client-hosted', schedule: { everyMinutes } } as const;
  await services.sites.put({ domain, organization: 'default', source, settings });
}

/** Looks for changes some minutes later; gives the jobs that are then queued. */
async function checkAfter(minutes: number): Promise<string[]> {
  clock.now += minutes * 60_000;
  await checkDueSites(services, new AbortController().signal);
  const { jobs } = await services.jobs.list({ organization: 'default', domain, status: 'queued', limit: 10 });
  return jobs.map(({ id }) => id);
}

test('a new commit is exported at the next time, and the same commit is not', async () => {
  const first = git.commit('scheduled', { 'index.md': '# One' });
  await register({ type: 'git', url: `${git.address}/scheduled`, ref: 'main' });
  expect(await checkAfter(9)).toEqual([]);
  const [one] = await checkAfter(2);
  expect(one).toMatch(/^se_/);
  await completeJob(services.jobs, one!, { commit: first });
  expect(await checkAfter(11)).toEqual([]);
  git.commit('scheduled', { 'index.md': '# Two' });
  expect(await checkAfter(5)).toEqual([]);
  expect(await checkAfter(6)).toHaveLength(1);
  // It still waits, so it is not queued a second time.
  expect(await checkAfter(11)).toHaveLength(1);
});

test('a site that was rolled back is exported again when there is a new commit, and not before', async () => {
  const commit = git.commit('rolled-back', { 'index.md': '# One' });
  await register({ type: 'git', url: `${git.address}/rolled-back`, ref: 'main' });
  const made = async (of: string) => {
    clock.now += 1001;
    const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
    await completeJob(services.jobs, id, { commit: of });
    return id;
  };
  const [older] = [await made('a'.repeat(40)), await made(commit)];
  await activateExport(services.database, { domain, organization: 'default', jobId: older });
  expect(await checkAfter(11)).toEqual([]);
  git.commit('rolled-back', { 'index.md': '# Two' });
  expect(await checkAfter(11)).toHaveLength(1);
});

test('a tag is followed to its commit', async () => {
  const commit = git.commit('tagged', { 'index.md': '# One' });
  git.git('tagged', 'tag', '--annotate', '--message', 'One', 'v1');
  await register({ type: 'git', url: `${git.address}/tagged`, ref: 'v1' });
  const [one] = await checkAfter(11);
  await completeJob(services.jobs, one!, { commit });
  expect(await checkAfter(11)).toEqual([]);
});

test('a repository that cannot be read is shown by one failed job, and not by one each time', async () => {
  await register({ type: 'git', url: `${git.address}/nothing-here` });
  const [one] = await checkAfter(11);
  const { attempt } = (await services.jobs.start(one!))!;
  await services.jobs.fail({ id: one!, attempt }, { code: 'GitNotFound', message: 'There is no such repository.' });
  expect(await checkAfter(11)).toEqual([]);
  const { values } = await services.metrics.checks.get();
  expect(values.find(({ labels }) => labels.result === 'failed')?.value).toBe(1);
});

test('a schedule that is removed checks no more, and one that stays keeps its time', async () => {
  git.commit('kept', { 'index.md': '# One' });
  const source = { type: 'git', url: `${git.address}/kept` } as const;
  await register(source);
  clock.now += 9 * 60_000;
  await register(source);
  expect(await checkAfter(2)).toHaveLength(1);
  await services.database.query('delete from carrel.jobs');
  const settings = { builder: 'docs', deployment: 'client-hosted' } as const;
  await services.sites.put({ domain, organization: 'default', source, settings });
  expect(await checkAfter(60)).toEqual([]);
});

test('a stored schedule that this version cannot read stops the checks of no other site, and is named in the log', async () => {
  git.commit('readable', { 'index.md': '# One' });
  await register({ type: 'git', url: `${git.address}/readable` });
  const settings = { builder: 'docs', deployment: 'client-hosted', schedule: { everyMinutes: 5 } } as const;
  const source = { type: 'git', url: `${git.address}/readable` } as const;
  for (const [name, schedule] of Object.entries({
    'old.example.com': { cron: 'H H * * *', timezone: 'UTC' },
    'zone.example.com': { cron: '0 6 * * *', timezone: 'Mars/Olympus' },
  })) {
    await services.sites.put({ domain: name, organization: 'default', source, settings });
    await services.database.query(
      `update carrel.sites set settings = jsonb_set(settings, '{schedule}', $2::jsonb) where domain = $1`,
      [name, JSON.stringify(schedule)],
    );
  }
  const warnings = vi.spyOn(services.log, 'warn');
  expect(await checkAfter(11)).toHaveLength(1);
  const named = warnings.mock.calls.filter(([, text]) => text?.includes('schedule')).map(([about]) => about);
  expect(named).toEqual([
    expect.objectContaining({ domain: 'old.example.com' }),
    expect.objectContaining({ domain: 'zone.example.com' }),
  ]);
  // They are checked once a day until someone corrects them.
  const due = await services.database.query<{ at: Date }>(
    `select next_check_at as at from carrel.sites where domain <> $1 order by domain`,
    [domain],
  );
  expect(due.map(({ at }) => at.getTime())).toEqual(Array(2).fill(clock.now + 86_400_000));
  warnings.mockRestore();
});

test('a schedule whose time zone is changed is due at its new time, once', async () => {
  git.commit('zoned', { 'index.md': '# One' });
  const path = `/v1/sites/${domain}`;
  const at = (time: string) => (Date.parse(time) - clock.now) / 60_000;
  const started = clock.now;
  clock.now = Date.parse('2030-10-26T12:00:00Z');
  const source = { type: 'git', url: `${git.address}/zoned` };
  const cron = '30 2 * * *';
  expect((await request('PUT', path, { source, schedule: { cron, timezone: 'Asia/Tokyo' } })).status).toBe(200);
  clock.now = Date.parse('2030-10-26T17:00:00Z');
  // 17:30 in UTC is half past two in Tokyo, and would be in half an hour.
  const { schedule } = await (await request('PATCH', path, { schedule: { cron, timezone: 'Europe/Paris' } })).json();
  expect(schedule).toEqual({ cron, timezone: 'Europe/Paris' });
  expect(await checkAfter(at('2030-10-26T23:59:00Z'))).toEqual([]);
  // The night has 02:30 twice: at 00:30 and 01:30 in UTC.
  const [one] = await checkAfter(at('2030-10-27T00:31:00Z'));
  expect(one).toMatch(/^se_/);
  await completeJob(services.jobs, one!, { commit: 'a'.repeat(40) });
  expect(await checkAfter(at('2030-10-27T01:31:00Z'))).toEqual([]);
  expect(await checkAfter(at('2030-10-28T01:31:00Z'))).toHaveLength(1);
  clock.now = started;
});
