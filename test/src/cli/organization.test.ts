import { expect, test } from 'vitest';
import { listenForAccess } from './access-listener.ts';

const { services, run, newKey } = await listenForAccess();

test('an organization is created and listed, and its plan set', async () => {
  const made = await run(['organization', 'create', 'my-team', '--name', 'My team']);
  expect([made.code, made.stdout]).toEqual([0, 'my-team (My team) has the plan enterprise.\n']);
  const changed = await run(['organization', 'set-plan', 'my-team', 'standard']);
  expect(changed.stdout).toBe('my-team (My team) has the plan standard.\n');
  expect((await services.organizations.get('my-team'))?.plan).toBe('standard');
  const { stdout } = await run(['organization', 'list']);
  expect(stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  ').replace(/\d{4}-\d\d-\d\d/, 'DAY'))).toEqual([
    'ID  PLAN  CREATED  NAME',
    'default  enterprise  DAY  default',
    'my-team  standard  DAY  My team',
    'other  enterprise  DAY  other',
    '',
  ]);
  expect(JSON.parse((await run(['organization', 'list', '--json'])).stdout)).toHaveLength(3);
});

test.each([
  [['organization', 'create', 'default'], 1, 'OrganizationExists'],
  [['organization', 'create', 'My Team'], 1, 'lower-case letters'],
  [['organization', 'set-plan', 'nobody', 'standard'], 1, 'There is no organization "nobody".'],
  [['organization', 'set-plan', 'default', 'gold'], 1, 'must be one of enterprise, standard'],
  [['organization', 'create', 'x', '--plan', 'gold'], 2, '--plan: must be enterprise or standard'],
  [['organization', 'set-plan', 'default'], 2, 'Missing argument: PLAN'],
  [['organization', 'set-plan'], 2, 'Missing arguments: ID PLAN'],
])('%j exits with %s: %s', async (args, code, words) => {
  const ended = await run(args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toContain(words);
});

test('without the scope operator nothing is shown', async () => {
  const { code, stderr } = await run(['organization', 'list'], await newKey({ scopes: ['write'] }));
  expect(code).toBe(1);
  expect(stderr).toContain('ScopeMissing');
});
