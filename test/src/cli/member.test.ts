import { expect, test } from 'vitest';
import { listenForAccess } from './access-listener.ts';

const { services, run, newKey } = await listenForAccess();

test('a member is invited, listed, changed, sent another link, and removed', async () => {
  const made = await run([
    'member',
    'invite',
    'ada@example.com',
    '--role',
    'editor',
    '--name',
    'Ada',
    '--groups',
    'beta,partner',
  ]);
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/^http:\/\/[^\s#]+\/dashboard#link=[\w-]{43}\n$/);
  expect(made.stderr).toContain('Send the link to ada@example.com. It works once, until ');

  const listed = await run(['member', 'list']);
  expect(listed.stdout).toMatch(
    /^EMAIL +ROLE +EDITOR OF +GROUPS +STATUS +LAST USED +NAME\nada@example.com +editor +- +beta,partner +invited +never +Ada\n$/,
  );
  const changed = await run(['member', 'set', 'Ada@Example.com', '--role', 'owner']);
  expect(changed.stdout).toBe('ada@example.com (Ada) has the role owner.\n');
  const again = await run(['member', 'link', 'ada@example.com', '--json']);
  expect(JSON.parse(again.stdout).url).not.toBe(made.stdout.trim());
  const removed = await run(['member', 'remove', 'ada@example.com']);
  expect(removed.stdout).toContain('Removed ada@example.com.');
  expect(JSON.parse((await run(['member', 'list', '--json'])).stdout)).toEqual([]);
});

test('who is no member is named, and a list of many is whole', async () => {
  const unknown = await run(['member', 'remove', 'bo@example.com']);
  expect([unknown.code, unknown.stdout]).toEqual([1, '']);
  expect(unknown.stderr).toContain('There is no member "bo@example.com"');
  const operator = (await services.keys.find(await newKey({ scopes: ['operator'] })))!;
  const noLink = async () => {};
  for (let at = 0; at < 101; at++) {
    const person = { email: `${100 + at}p@example.com`, name: 'p', role: 'viewer', organization: 'other' } as const;
    await services.members.invite(operator, person, noLink);
  }
  const listed = await run(['member', 'list', '--organization', 'other', '--json']);
  expect(JSON.parse(listed.stdout)).toHaveLength(101);
  await services.members.invite(operator, { email: 'p@example.com', name: 'p', role: 'viewer', organization: 'other' }, noLink);
  const found = await run(['member', 'set', 'p@example.com', '--name', 'Found', '--organization', 'other']);
  expect(found.stdout).toContain('p@example.com (Found)');
});

test.each([
  [['member', 'invite'], 2, 'EMAIL'],
  [['member', 'invite', 'a@example.com', '--role', 'admin'], 2, 'must be viewer, editor, owner or operator'],
  [['member', 'require-oidc'], 1, 'The organization "default" has no OpenID Connect provider'],
  [['member', 'invite', 'nobody'], 1, 'must be an email address'],
  [['member', 'invite', 'a@example.com', '--editor-of', 'docs.example.com'], 1, 'has no site "docs.example.com"'],
  [['member', 'invite', 'a@example.com', '--editor-of', 'a b'], 1, 'editorOf'],
])('%j is refused', async (args, code, words) => {
  const refused = await run(args);
  expect([refused.code, refused.stdout]).toEqual([code, '']);
  expect(refused.stderr).toContain(words);
});

test('a key that only writes invites no one', async () => {
  const { code, stderr } = await run(['member', 'invite', 'a@example.com'], await newKey({ scopes: ['write'] }));
  expect([code, stderr]).toEqual([1, expect.stringContaining('This requires the scope "owner"')]);
});
