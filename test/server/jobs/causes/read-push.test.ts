import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { concerns, readPush, type PushService } from '../../../../server/jobs/causes/read-push.ts';

const secret = 'a secret of the hook';
const commit = 'c'.repeat(40);
const body = Buffer.from(
  JSON.stringify({
    ref: 'refs/heads/main',
    after: commit,
    repository: { default_branch: 'main' },
    project: { default_branch: 'main' },
  }),
);
const signature = createHmac('sha256', secret).update(body).digest('hex');

const proofs: Record<PushService, Record<string, string>> = {
  github: { 'x-hub-signature-256': `sha256=${signature}`, 'x-github-delivery': 'one', 'x-github-event': 'push' },
  gitlab: { 'x-gitlab-token': secret, 'idempotency-key': 'one', 'x-gitlab-event': 'Push Hook' },
  gitea: { 'x-gitea-signature': signature, 'x-gitea-delivery': 'one', 'x-gitea-event': 'push' },
  bitbucket: { 'x-hub-signature': `sha256=${signature}`, 'x-request-uuid': 'one', 'x-event-key': 'repo:push' },
  'bitbucket-data-center': {
    'x-hub-signature': `sha256=${signature}`,
    'x-request-id': 'one',
    'x-event-key': 'repo:refs_changed',
  },
  generic: { authorization: `Bearer ${secret}`, 'idempotency-key': 'one' },
};
const services = Object.keys(proofs) as PushService[];

test.each(services)('a push by %s has its branch, commit and delivery', (service) => {
  expect(readPush(service, new Headers(proofs[service]), body, secret)).toEqual({
    delivery: 'one',
    isPush: true,
    changes: [{ ref: 'refs/heads/main', commit, isDeleted: false }],
    defaultBranch: 'main',
  });
});

test.each(services)('%s with another secret, no proof or another body is not read', (service) => {
  expect(readPush(service, new Headers(proofs[service]), body, 'another secret')).toBeUndefined();
  expect(readPush(service, new Headers(), body, secret)).toBeUndefined();
  const signed = service !== 'gitlab' && service !== 'generic';
  const changed = readPush(service, new Headers(proofs[service]), Buffer.from(`${String(body)} `), secret);
  expect(changed === undefined).toBe(signed);
});

test.each([
  ['github', { 'x-github-event': 'pull_request' }, 'opened'],
  ['gitlab', { 'x-gitlab-event': 'Merge Request Hook' }, 'reopen'],
] as const)(
  '%s reports a pull request that was opened, as a change of its branch unless that is in a fork',
  (service, event, action) => {
    const read = (from: number, did: string) => {
      const payload = {
        github: {
          action: did,
          pull_request: { head: { ref: 'next', sha: commit, repo: { id: from } }, base: { repo: { id: 1 } } },
        },
        gitlab: {
          object_attributes: {
            ...{ action: did, source_branch: 'next', last_commit: { id: commit } },
            ...{ source_project_id: from, target_project_id: 1 },
          },
        },
      }[service];
      const sent = Buffer.from(JSON.stringify(payload));
      const proof = { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(sent).digest('hex')}` };
      return readPush(service, new Headers({ ...proof, 'x-gitlab-token': secret, ...event }), sent, secret);
    };
    const changes = [{ ref: 'refs/heads/next', commit, isDeleted: false, isOpened: true }];
    expect(read(1, action)).toMatchObject({ isPush: true, changes });
    expect([read(2, action)?.isPush, read(1, 'closed')?.isPush]).toEqual([false, false]);
  },
);

test("the example of GitHub's documentation is valid", () => {
  const headers = { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' };
  expect(readPush('github', new Headers(headers), Buffer.from('Hello, World!'), "It's a Secret to Everybody")).toBeDefined();
});

test('GitHub can send a form, and the test of a new hook is not a push', () => {
  const form = Buffer.from(new URLSearchParams({ payload: String(body) }).toString());
  const headers = {
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(form).digest('hex')}`,
    'x-github-event': 'ping',
  };
  expect(readPush('github', new Headers(headers), form, secret)).toMatchObject({ isPush: false, changes: [{ commit }] });
});

test('a deleted branch has no commit', () => {
  const deleted = Buffer.from(JSON.stringify({ ref: 'refs/heads/old', after: '0'.repeat(40) }));
  expect(readPush('gitlab', new Headers(proofs.gitlab), deleted, secret)).toMatchObject({
    changes: [{ isDeleted: true, commit: undefined }],
  });
});

test.each([
  ['refs/heads/main', undefined, true],
  ['refs/heads/next', undefined, false],
  ['refs/heads/next', 'next', true],
  ['refs/tags/v1', 'v1', true],
  ['refs/heads/main', 'v1', false],
  [undefined, 'v1', true],
])('a push to %s concerns a site of %s: %s', (ref, wanted, expected) => {
  expect(concerns({ ref, defaultBranch: 'main' }, wanted)).toBe(expected);
});
