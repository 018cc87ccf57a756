import { beforeAll, expect, test } from 'vitest';
import { carrel } from './carrel.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';

let server: RemoteServer;
let ids: string[];
const run = (...args: string[]) =>
  carrel(['site', ...args], { env: { ...process.env, CARREL_URL: server.url, CARREL_KEY: server.adminKey } });
const exportSite = async () => {
  const { id } = await server.services.jobs.create({ organization: 'default', domain: 'manual', request: {} });
  await server.complete((await server.services.jobs.start(id))!);
  return id;
};
beforeAll(async () => {
  server = await openRemoteServer();
  ids = [await exportSite(), await exportSite()];
});
/** The state of each export, latest first. */
const states = async () => {
  const { stdout } = await run('exports', 'manual');
  const [head, ...rows] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^JOB +VERSION +COMMIT +PAGES +KB +CREATED +READERS +STATE$/);
  return rows.map((row) => [row.split(' ')[0], /Z +all *(.*)$/.exec(row)?.[1] ?? '']);
};

test('an earlier export is served, pinned and unpinned', async () => {
  const [first, second] = ids;
  expect(await states()).toEqual([
    [second, 'active'],
    [first, ''],
  ]);
  const rolledBack = await run('rollback', 'manual');
  expect(rolledBack.stdout).toMatch(new RegExp(`^manual serves ${first} \\(\\S+\\) until the next export completes\\.\\n$`));
  expect(await states()).toEqual([
    [second, ''],
    [first, 'active'],
  ]);
  expect(await run('rollback', 'manual')).toMatchObject({ code: 1, stderr: expect.stringContaining('ExportNotStored') });
  expect((await run('rollback', 'manual', second!, '--pin')).stdout).toContain('until it is unpinned.');
  expect(await states()).toEqual([
    [second, 'active, pinned'],
    [first, ''],
  ]);
  expect(await run('rollback', 'manual', first!)).toMatchObject({ code: 1, stderr: expect.stringContaining('SitePinned') });
  expect((await run('rollback', 'manual', '--unpin')).stdout).toBe(
    `Unpinned ${second}: the next export of manual replaces it.\n`,
  );
  expect(await run('rollback', 'manual', '--unpin')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no pinned export'),
  });
  const { stdout } = await run('rollback', 'manual', first!, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ jobId: first, active: true, pinned: false });
});

test.each([
  ['exports', 'SiteUnknown'],
  ['rollback', 'SiteUnknown'],
])('%s of an unknown site is refused', async (command, code) => {
  expect(await run(command, 'nowhere')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(code) });
});
