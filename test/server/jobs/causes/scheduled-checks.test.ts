import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { activateExport } from '../../../../server/jobs/model/active-export.ts';
import { checkDueSites } from '../../../../server/jobs/causes/scheduled-checks.ts';
import type { SiteSource } from '../../../../server/sites/sites.ts';
import { startGitServer } from '../../sources/git-server.ts';
import { openTestServer } from '../../support/services.ts';
import { completeJob } from '../job-support.ts';

const git = await startGitServer();
const { services, clock, request } = await openTestServer({ privateHosts: ['127.0.0.1'], gitAuthorities: git.authorities });
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

test('a commit that a job is exporting, or that failed within the hour, is not exported again', async () => {
  const commit = git.commit('failing', { 'index.md': '# One' });
  await register({ type: 'git', url: `${git.address}/failing`, ref: 'main' }, 1);
  const [one] = await checkAfter(2);
  expect((await services.jobs.get(one!))?.request.commit).toBe(commit);
  const { attempt } = (await services.jobs.start(one!))!;
  expect(await checkAfter(2)).toEqual([]);
  await services.jobs.fail({ id: one!, attempt }, { code: 'ConfigNotJson', message: 'docs.json is not JSON.' });
  expect(await checkAfter(2)).toEqual([]);
  expect(await checkAfter(48)).toEqual([]);
  // What was in its way may be gone.
  const [again] = await checkAfter(11);
  expect(again).toMatch(/^se_/);
  const run = (await services.jobs.start(again!))!;
  await services.jobs.fail({ id: again!, attempt: run.attempt }, { code: 'ConfigNotJson', message: 'docs.json is not JSON.' });
  expect(await checkAfter(2)).toEqual([]);
  git.commit('failing', { 'index.md': '# Two' });
  expect(await checkAfter(2)).toHaveLength(1);
});

describe('the branches of a site with previews and a schedule', () => {
  const branch = (name: string, text: string) => git.commit('branches', { 'index.md': text }, name);
  const previews = async () => {
    const found = await services.previews.list(domain);
    return found.map((preview) => preview.branch);
  };
  async function registerWithPreviews(): Promise<void> {
    const settings = { builder: 'docs', deployment: 'client-hosted', schedule: { everyMinutes: 10 } } as const;
    const source = { type: 'git', url: `${git.address}/branches` } as const;
    const previewSettings = { branches: ['next', 'docs/*'], days: 14, most: 3 };
    const put = { ...settings, previews: previewSettings };
    await services.sites.put({ domain, organization: 'default', source, settings: put });
    clock.now += 1001;
  }
  const jobsOf = async (name: string) => {
    const { jobs } = await services.jobs.list({ organization: 'default', limit: 50 });
    return jobs.filter(({ request }) => request.preview?.branch === name);
  };

  test('are exported when they change, as by a push, and removed with their branch', async () => {
    git.commit('branches', { 'index.md': '# Main' });
    branch('next', '# Next');
    branch('other', '# Other');
    await registerWithPreviews();
    // What was pushed before the first look is known from then on, as before a hook is added.
    await checkAfter(11);
    expect(await previews()).toEqual([]);

    const commit = branch('next', '# Next, changed');
    branch('docs/ü', '# New');
    branch('other', '# Other, changed');
    await checkAfter(11);
    expect(await previews()).toEqual(['docs/ü', 'next']);
    const [job] = await jobsOf('next');
    expect(job).toMatchObject({ status: 'queued', request: { commit } });
    await completeJob(services.jobs, job!.id, { commit });
    await checkAfter(11);
    expect(await jobsOf('next')).toHaveLength(1);
    expect(await jobsOf('docs/ü')).toHaveLength(1);

    git.git('branches', 'branch', '--delete', '--force', 'docs/ü');
    await checkAfter(11);
    expect(await previews()).toEqual(['next']);
    expect((await jobsOf('docs/ü'))[0]?.status).toBe('canceled');
  });

  test('that expired come back with their next commit, and not before', async () => {
    git.commit('branches', { 'index.md': '# Main' });
    await registerWithPreviews();
    await checkAfter(11);
    branch('next', '# Later');
    await checkAfter(11);
    expect(await previews()).toEqual(['next']);
    clock.now += 15 * 86_400_000;
    await services.previews.removeOld();
    expect(await previews()).toEqual([]);
    await checkAfter(11);
    expect(await previews()).toEqual([]);
    branch('next', '# Again');
    await checkAfter(11);
    expect(await previews()).toEqual(['next']);
  });

  test('of another repository are all unknown', async () => {
    git.commit('branches', { 'index.md': '# Main' });
    await registerWithPreviews();
    await checkAfter(11);
    git.commit('moved', { 'index.md': '# Main' });
    git.commit('moved', { 'index.md': '# Next' }, 'next');
    const { settings } = (await services.sites.get(domain))!;
    const source = { type: 'git', url: `${git.address}/moved` } as const;
    await services.sites.put({ domain, organization: 'default', source, settings });
    await checkAfter(11);
    expect(await previews()).toEqual([]);
  });

  test('are not forgotten when the queue is full', async () => {
    git.commit('branches', { 'index.md': '# Main' });
    await registerWithPreviews();
    await checkAfter(11);
    branch('next', '# Full');
    const { queuedJobs } = services.options;
    services.options.queuedJobs = 1;
    await checkAfter(11);
    expect(await jobsOf('next')).toHaveLength(0);
    services.options.queuedJobs = queuedJobs;
    await checkAfter(11);
    expect(await jobsOf('next')).toHaveLength(1);
  });
});

test('a host that does not answer holds up no other site', async () => {
  const commit = git.commit('answering', { 'index.md': '# One' });
  const settings = { builder: 'docs', deployment: 'client-hosted', schedule: { everyMinutes: 1 } } as const;
  for (const name of ['a', 'b', 'c'])
    await services.sites.put({
      domain: `${name}.silent.example.com`,
      organization: 'default',
      source: { type: 'git', url: `${git.address}/silent-${name}` },
      settings,
    });
  let waiting = 0;
  git.before = (asked) => {
    if (!asked.url!.startsWith('/silent-')) return false;
    waiting++;
    return true;
  };
  await register({ type: 'git', url: `${git.address}/answering`, ref: 'main' }, 5);
  clock.now += 6 * 60_000;
  const stop = new AbortController();
  const checked = checkDueSites(services, stop.signal);
  const requests = async () => {
    const { jobs } = await services.jobs.list({ organization: 'default', domain, limit: 10 });
    return jobs.map((job) => job.request);
  };
  await expect.poll(requests).toEqual([{ commit }]);
  await expect.poll(() => waiting).toBe(3);
  stop.abort();
  await checked;
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
  const named = warnings.mock.calls
    .filter(([, text]) => text?.includes('schedule'))
    .map(([about]) => (about as { domain: string }).domain);
  expect(named.sort()).toEqual(['old.example.com', 'zone.example.com']);
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
