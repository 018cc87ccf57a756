// What each service sends, in the shapes of its documentation: field names and nesting, with our own values.
import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PushService } from '../../../../server/jobs/causes/read-push.ts';
import { startGitServer, type GitServer } from '../../sources/git-server.ts';
import { openJobServer } from '../job-server.ts';
import { completeJob } from '../job-support.ts';

let git: GitServer;
let main: string;
const server = await openJobServer({ privateHosts: ['127.0.0.1'], gitAuthorities: await authorities() });
const { services, request, clock } = server;
const domain = 'pushed.acme.com';
const none = '0'.repeat(40);
const other = 'd'.repeat(40);

async function authorities(): Promise<string> {
  git = await startGitServer();
  return git.authorities;
}

interface Pushed {
  type: 'branch' | 'tag';
  name: string;
  before: string;
  after: string;
}
type Headers = Record<string, string>;
interface Host {
  service: PushService;
  /** The secret in the headers of a delivery, and its kind. */
  headers(secret: string, body: string, event: string): Headers;
  push(pushed: Pushed): { event: string; body: object };
  /** An event that is not a push. */
  test?: { event: string; body: object };
}

const signed = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
const refOf = ({ type, name }: Pushed) => `refs/${type === 'tag' ? 'tags' : 'heads'}/${name}`;
const gitlabBody = (pushed: Pushed) => ({
  object_kind: pushed.type === 'tag' ? 'tag_push' : 'push',
  event_name: pushed.type === 'tag' ? 'tag_push' : 'push',
  before: pushed.before,
  after: pushed.after,
  ref: refOf(pushed),
  checkout_sha: pushed.after === none ? null : pushed.after,
  project: {
    name: 'Docs',
    git_http_url: 'https://gitlab.internal/team/docs.git',
    git_ssh_url: 'git@gitlab.internal:team/docs.git',
    path_with_namespace: 'Team/docs',
    default_branch: 'main',
  },
  commits: [],
  total_commits_count: 1,
});
const change = ({ type, name, before, after }: Pushed) => {
  const at = (hash: string) => (hash === none ? null : { type, name, target: { type: 'commit', hash } });
  return { new: at(after), old: at(before), created: before === none, forced: false, closed: after === none, truncated: false };
};

const hosts: Record<string, Host> = {
  GitHub: {
    service: 'github',
    headers: (secret, body, event) => ({ 'x-hub-signature-256': `sha256=${signed(secret, body)}`, 'x-github-event': event }),
    push: (pushed) => ({
      event: 'push',
      body: {
        ...{ ref: refOf(pushed), before: pushed.before, after: pushed.after },
        ...{ created: pushed.before === none, deleted: pushed.after === none, forced: false },
        repository: { full_name: 'acme/docs', default_branch: 'main', clone_url: 'https://github.com/acme/docs.git' },
      },
    }),
    test: { event: 'ping', body: { zen: 'Keep it logically awesome.', hook_id: 1 } },
  },
  GitLab: {
    service: 'gitlab',
    headers: (secret, _body, event) => ({ 'x-gitlab-token': secret, 'x-gitlab-event': event }),
    push: (pushed) => ({ event: pushed.type === 'tag' ? 'Tag Push Hook' : 'Push Hook', body: gitlabBody(pushed) }),
    test: { event: 'Issue Hook', body: { object_kind: 'issue' } },
  },
  'a system hook of GitLab': {
    service: 'gitlab',
    headers: (secret) => ({ 'x-gitlab-token': secret, 'x-gitlab-event': 'System Hook' }),
    push: (pushed) => ({ event: '', body: gitlabBody(pushed) }),
    test: { event: '', body: { event_name: 'project_create', path_with_namespace: 'team/docs', project_id: 7 } },
  },
  'a system hook of GitLab for updates of repositories': {
    service: 'gitlab',
    headers: (secret) => ({ 'x-gitlab-token': secret, 'x-gitlab-event': 'System Hook' }),
    push: (pushed) => ({
      event: '',
      body: {
        event_name: 'repository_update',
        project: gitlabBody(pushed).project,
        changes: [{ before: pushed.before, after: pushed.after, ref: refOf(pushed) }],
        refs: [refOf(pushed)],
      },
    }),
    test: { event: '', body: { event_name: 'user_create', username: 'someone' } },
  },
  Gitea: {
    service: 'gitea',
    headers: (secret, body, event) => ({ 'x-gitea-signature': signed(secret, body), 'x-gitea-event': event }),
    push: (pushed) => ({
      event: 'push',
      body: {
        ...{ ref: refOf(pushed), before: pushed.before, after: pushed.after },
        repository: { full_name: 'team/docs', default_branch: 'main', clone_url: 'https://gitea.example.com/team/docs.git' },
      },
    }),
    test: { event: 'issues', body: { action: 'opened' } },
  },
  'Bitbucket Cloud': {
    service: 'bitbucket',
    headers: (secret, body, event) => ({ 'x-hub-signature': `sha256=${signed(secret, body)}`, 'x-event-key': event }),
    push: (pushed) => ({
      event: 'repo:push',
      body: {
        actor: { display_name: 'Someone' },
        repository: {
          full_name: 'team/docs',
          name: 'docs',
          scm: 'git',
          links: { html: { href: 'https://bitbucket.org/team/docs' } },
        },
        push: { changes: [change(pushed)] },
      },
    }),
    test: { event: 'repo:updated', body: { changes: { name: { new: 'docs', old: 'doc' } } } },
  },
  'Bitbucket Data Center': {
    service: 'bitbucket-data-center',
    headers: (secret, body, event) => ({ 'x-hub-signature': `sha256=${signed(secret, body)}`, 'x-event-key': event }),
    push: (pushed) => ({
      event: 'repo:refs_changed',
      body: {
        eventKey: 'repo:refs_changed',
        repository: { slug: 'docs', project: { key: 'TEAM' } },
        changes: [
          {
            ref: { id: refOf(pushed), displayId: pushed.name, type: pushed.type.toUpperCase() },
            ...{ refId: refOf(pushed), fromHash: pushed.before, toHash: pushed.after },
            type: pushed.before === none ? 'ADD' : pushed.after === none ? 'DELETE' : 'UPDATE',
          },
        ],
      },
    }),
    test: { event: 'repo:forked', body: { eventKey: 'repo:forked' } },
  },
  'another program': {
    service: 'generic',
    headers: (secret) => ({ authorization: `Bearer ${secret}` }),
    push: (pushed) => ({
      event: '',
      body: {
        [pushed.type === 'tag' ? 'ref' : 'branch']: pushed.type === 'tag' ? refOf(pushed) : pushed.name,
        after: pushed.after,
      },
    }),
  },
};

beforeAll(() => {
  main = git.commit('team/docs', { 'index.md': '# Docs' });
});
beforeEach(async () => {
  await services.database.query('delete from carrel.idempotency_keys');
  await services.database.query('delete from carrel.jobs');
  await services.database.query('delete from carrel.sites where preview_of is not null');
  clock.now += 2000;
  await services.sites.put({
    domain,
    organization: 'default',
    source: { type: 'git', url: `${git.address}/team/docs` },
    settings: { builder: 'docs', deployment: 'client-hosted', previews: { branches: ['next'], days: 14, most: 10 } },
  });
});

describe.each(Object.entries(hosts))('%s', (_, { service, headers, push, test: notAPush }) => {
  const path = `/v1/sites/${domain}/hooks/${service}`;
  let secret: string;
  beforeEach(async () => {
    ({ secret } = await (await request('PUT', path)).json());
  });
  const send = async ({ event, body }: { event: string; body: object }, key = secret) => {
    const text = JSON.stringify(body);
    const sent = { 'content-type': 'application/json; charset=utf-8', ...headers(key, text, event) };
    const response = await request('POST', path, text, null, sent);
    return { status: response.status, ...(await response.json()) };
  };
  const branch = (name: string, after: string, before = other) => push({ type: 'branch', name, before, after });

  test('a push to the default branch exports the site', async () => {
    const { status, jobId, reason } = await send(branch('main', main));
    expect([status, reason]).toEqual([202, 'pushed']);
    expect((await services.jobs.get(jobId))?.request).toEqual({ commit: main });
    await completeJob(services.jobs, jobId, { commit: main });
    clock.now += 2000;
    expect(await send(branch('main', main))).toMatchObject({ status: 200, reason: 'unchanged' });
  });

  test('a push to another branch or of a tag exports nothing', async () => {
    const nothing = { status: 200, jobId: null, reason: 'other-branch' };
    expect(await send(branch('wip', other, main))).toEqual(nothing);
    expect(await send(branch('wip', other, none))).toEqual(nothing);
    expect(await send(push({ type: 'tag', name: 'main', before: none, after: main }))).toEqual(nothing);
  });

  test('a new branch has a preview, until it is deleted', async () => {
    const added = await send(branch('next', other, none));
    expect(added).toMatchObject({ status: 202, reason: 'pushed', preview: `${domain}--next` });
    expect((await services.jobs.get(added.jobId))?.request).toMatchObject({ commit: other });
    expect(await send(branch('next', none, other))).toMatchObject({ reason: 'preview-removed' });
  });

  test('a wrong secret is refused, and another event is not a push', async () => {
    expect(await send(branch('main', main), 'wrong')).toMatchObject({ status: 401, code: 'PushRefused' });
    const event = notAPush ?? { event: '', body: { branch: 'wip' } };
    expect(await send(event)).toMatchObject({ status: 200, jobId: null });
  });
});

const sendTo = async (service: PushService, text: string, headers: Headers) => {
  const response = await request('POST', `/v1/sites/${domain}/hooks/${service}`, text, null, headers);
  return { status: response.status, ...(await response.json()) };
};
const secretOf = async (service: PushService): Promise<string> =>
  (await (await request('PUT', `/v1/sites/${domain}/hooks/${service}`)).json()).secret;

test.each(['bitbucket', 'bitbucket-data-center'] as const)(
  '%s reports several branches at once, and each counts',
  async (service) => {
    const secret = await secretOf(service);
    const host = Object.values(hosts).find((known) => known.service === service)!;
    const pushes = ['wip', 'next', 'main'].map((name) => ({ type: 'branch', name, before: none, after: other }) as const);
    const all = pushes.map((pushed) => host.push(pushed).body as { push?: { changes: object[] }; changes?: object[] });
    const changes = all.flatMap((body) => body.push?.changes ?? body.changes ?? []);
    const text = JSON.stringify(service === 'bitbucket' ? { push: { changes } } : { changes });
    const id = { 'x-request-uuid': 'one', 'x-request-id': 'one' };
    const { event } = host.push(pushes[0]!);
    const first = await sendTo(service, text, { ...host.headers(secret, text, event), ...id });
    expect(first).toMatchObject({ status: 202, reason: 'pushed' });
    const { jobs } = await services.jobs.list({ organization: 'default', limit: 10 });
    expect(jobs.map((job) => job.domain).toSorted()).toEqual([domain, `${domain}--next`]);
    // A repeated delivery starts nothing new.
    for (const { id: job } of jobs) await completeJob(services.jobs, job, {});
    expect(await sendTo(service, text, { ...host.headers(secret, text, event), ...id })).toMatchObject({ jobId: first.jobId });
    expect((await services.jobs.list({ organization: 'default', limit: 10 })).jobs).toHaveLength(2);
  },
);

test('the test of a connection by Bitbucket Data Center, which has no signature, is answered and does nothing', async () => {
  await secretOf('bitbucket-data-center');
  const headers = { 'x-event-key': 'diagnostics:ping', 'content-type': 'application/json' };
  const nothing = { status: 200, jobId: null, reason: 'not-a-push' };
  expect(await sendTo('bitbucket-data-center', '{"test":true}', headers)).toEqual(nothing);
  expect(await sendTo('bitbucket', '{"test":true}', headers)).toMatchObject({ status: 401 });
});

test.each([
  ['https://git.example.com/team/docs.git', 'pushed'],
  ['https://git.example.com/gitlab/Team/Docs', 'pushed'],
  ['ssh://git@git.example.com:2222/team/docs.git', 'pushed'],
  ['https://git.example.com/team/other-docs.git', 'other-repository'],
  ['https://git.example.com/docs.git', 'other-repository'],
])('of the pushes to all projects of a GitLab, those to the repository of the site count: %s is %s', async (url, reason) => {
  const site = (await services.sites.get(domain))!;
  await services.sites.put({ ...site, source: { type: 'git', url, ref: 'main' } });
  const secret = await secretOf('gitlab');
  const { body } = hosts['a system hook of GitLab']!.push({ type: 'branch', name: 'main', before: none, after: main });
  const headers = { 'x-gitlab-token': secret, 'x-gitlab-event': 'System Hook' };
  expect((await sendTo('gitlab', JSON.stringify(body), headers)).reason).toBe(reason);
});

test('a repository that does not answer in time lets any branch count', async () => {
  const site = (await services.sites.get(domain))!;
  await services.sites.put({ ...site, source: { type: 'git', url: `${git.address}/missing` } });
  const authorization = `Bearer ${await secretOf('generic')}`;
  expect((await sendTo('generic', '{"branch":"wip"}', { authorization })).reason).toBe('pushed');
});

test.each([
  ['{"branch":"next"}', 'next', 'pushed'],
  ['{"ref":"refs/heads/next"}', 'next', 'pushed'],
  ['{"ref":"v1"}', 'v1', 'pushed'],
  ['{"branch":"next"}', 'main', 'other-branch'],
  ['{"ref":"next"}', 'main', 'other-branch'],
  ['', 'main', 'pushed'],
  ['{}', 'main', 'pushed'],
])('the body %s of another program, for a site of %s: %s', async (body, ref, reason) => {
  const site = (await services.sites.get(domain))!;
  const settings = { ...site.settings, previews: undefined };
  await services.sites.put({ ...site, settings, source: { type: 'git', url: `${git.address}/team/docs`, ref } });
  const authorization = `Bearer ${await secretOf('generic')}`;
  expect((await sendTo('generic', body, { authorization })).reason).toBe(reason);
});
