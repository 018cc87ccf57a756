import { expect, test } from 'vitest';
import { listenForAccess } from './access-listener.ts';

const { services, clock, run, newKey } = await listenForAccess();

test('a key is created, listed and revoked', async () => {
  const made = await run([
    'key',
    'create',
    'Nightly export',
    '--scopes',
    'read,write',
    '--addresses',
    '127.0.0.1',
    '--days',
    '30',
  ]);
  expect(made.code).toBe(0);
  const secret = made.stdout.trim();
  expect(secret).toMatch(/^svc_[0-9A-Za-z]{43}$/);
  const [key] = await services.keys.list('default');
  expect(key).toMatchObject({ name: 'Nightly export', scopes: ['read', 'write'], addresses: ['127.0.0.1'], kind: 'admin' });
  expect(Math.round((key!.expiresAt!.getTime() - clock.now) / 86_400_000)).toBe(30);
  // The key stands alone on standard output; the sentence about it does not repeat it.
  expect(made.stderr).toContain(`Its ID is ${key!.id}; it expires on ${key!.expiresAt!.toISOString().slice(0, 10)}.`);
  expect(made.stderr).not.toContain(secret);

  const listed = await run(['key', 'list'], secret);
  const lines = listed.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^ID +KIND +STATUS +ALLOWS +ENDS WITH +LAST USED +EXPIRES +NAME$/);
  expect(lines[1]).toMatch(new RegExp(`^${key!.id} +admin +active +read,write +${key!.hint} .* Nightly export$`));
  expect(listed.stdout).not.toContain(secret);

  const revoked = await run(['key', 'revoke', key!.id]);
  expect([revoked.code, revoked.stdout]).toEqual([0, `Revoked the key ${key!.id}.\n`]);
  const refused = await run(['key', 'list'], secret);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('This key is unknown');
  expect(refused.stderr).toContain('KeyUnknown');
});

test('--json prints the response, and --organization selects another organization', async () => {
  const made = await run(['key', 'create', 'theirs', '--organization', 'other', '--json']);
  expect(JSON.parse(made.stdout)).toMatchObject({ organization: 'other', scopes: ['read', 'write'], secret: expect.any(String) });
  const listed = await run(['key', 'list', '--organization', 'other', '--json']);
  expect(JSON.parse(listed.stdout)).toHaveLength(1);
});

test('a refusal of the server is printed with its message and code, and exits with 1', async () => {
  const { code, stdout, stderr } = await run(
    ['key', 'create', 'more', '--scopes', 'operator'],
    await newKey({ scopes: ['write'] }),
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('This requires the scope "operator"; this key has "write".');
  expect(stderr).toContain('ScopeMissing');
  expect(stderr).not.toMatch(/\n {4}at /);
});

test.each([
  [['key', 'make'], 'Unknown command: key make', 'key create, key list, key revoke'],
  [['key', 'create'], 'Missing argument: NAME', 'key create NAME'],
  [['key', 'create', 'x', '--days', 'soon'], '--days: must be a number', 'key --help'],
  [['key', 'create', 'x', '--days', '0'], '--days: must be 1 or more', 'key --help'],
  [['key', 'revoke'], 'Missing argument: ID', 'key revoke ID'],
  [['key', 'list', 'all'], 'Unexpected argument: all', 'key list'],
  [['key', 'list', '--zap'], "Unknown option '--zap'", 'key --help'],
])('invalid usage %j exits with 2', async (args, message, hint) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});

test('help lists all subcommands', async () => {
  const { code, stdout } = await run(['key', '--help']);
  expect(code).toBe(0);
  for (const words of ['key create NAME', 'key list', 'key revoke ID', '--scopes SCOPES']) expect(stdout).toContain(words);
  expect((await run(['key', 'create', '--help'])).stdout).not.toContain('key revoke');
});
