import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts';
import { makeExport, registerSite, runJob } from '../storage/exports.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { requestFrom } from '../support/on-first-request.ts';
import { migratedDatabase } from '../support/postgres.ts';
import { openPeopleServices } from './people-services.ts';
import { comeBack, invite, leaveSite, signIn, type Returning } from './people.ts';
import { place } from './places.ts';

const script = fileURLToPath(new URL('./people-process.ts', import.meta.url));
const domain = 'docs.example.com';
const kills = 5;
// Each kill interrupts as many, since a start takes most of the CPU time.
const atOnce = 32;
const mostSteps = 4 * atOnce;
const longestMilliseconds = 40;

interface Person {
  email: string;
  link?: string;
  session?: Record<string, string>;
  returning?: Returning;
  reader?: Record<string, string>;
}

/** One person after the other is invited, accepts and signs in to the site, until the server is killed. */
async function people(server: ServerProcess, name: string, all: Person[], step: () => void): Promise<void> {
  for (let at = 0; ; at++) {
    const person: Person = { email: `${name}-${at}@example.com` };
    all.push(person);
    step();
    person.link = (await invite(server, person.email)).link;
    step();
    person.session = await signIn(server, person.link);
    step();
    person.returning = await leaveSite(server, domain, person.session);
    step();
    person.reader = await comeBack(person.returning);
  }
}

test('a server that is killed five times while people are invited, accept and sign in leaves none of it half done', async () => {
  const { data } = place();
  mkdirSync(data);
  const database = await createPostgresDatabase(await requestFrom(inject('postgresPort')), migratedDatabase);
  const services = await openPeopleServices(database, data, ['http://api.example.com', 'http://sites.example.com']);
  onTestFinished(() => services.database.close());
  await registerSite(services, domain);
  await runJob(services, domain, await makeExport({ 'index.html': 'For all members' }));
  await services.database.query(`update carrel.sites set settings = settings || '{"members":"all"}'`);
  const owner = { organization: 'default', kind: 'admin', name: 'owner', scopes: ['owner'] } as const;
  const { secret: adminKey } = await services.keys.create({ ...owner, scopes: [...owner.scopes] }, { unlimited: true });
  writeFileSync(join(data, 'keys.json'), JSON.stringify({ adminKey }));
  const start = async () => {
    const server = await startServerProcess(data, {}, [script, database, data]);
    onTestFinished(() => server.kill());
    return server;
  };
  // The next ones start while one is killed.
  const next = [start(), start()];
  const all: Person[] = [];
  const causes: unknown[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const server = await next.shift()!;
    next.push(start());
    // A while after so many steps of these people: in the middle of some others. With all, one of them has taken every step.
    let left = kill === 0 ? mostSteps : Math.floor(Math.random() * mostSteps);
    let reach!: () => void;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const step = () => left-- > 0 || reach();
    const working = Array.from({ length: atOnce }, (_, at) =>
      people(server, `p-${kill}-${at}`, all, step).catch((error: unknown) => causes.push(error)),
    );
    // They end early only at a fault.
    await Promise.race([reached, Promise.all(working)]);
    await pause(Math.random() * longestMilliseconds);
    await server.kill();
    await Promise.all(working);
  }
  // Nothing was refused: each of them lost its connection.
  expect(causes.filter((error) => !(error instanceof TypeError))).toEqual([]);
  const [server] = await Promise.all(next);

  const rows = await services.database.query<{ email: string; links: number; sessions: number }>(
    `select email, (select count(*)::integer from carrel.session_links l where l.key = k.id) as links,
       (select count(*)::integer from carrel.sessions s where s.key = k.id) as sessions
     from carrel.keys k where email is not null`,
  );
  expect(rows.filter(({ links }) => links !== 1)).toEqual([]);
  const known = new Map(rows.map((row) => [row.email, row]));
  const { sites, address } = server!;
  const isReader = async (headers: Record<string, string>) =>
    (await fetch(`${sites}/sites/${domain}/`, { headers })).status === 200;
  for (const { email, link, session, returning, reader } of all) {
    const row = known.get(email);
    const worksOnce = async (use: () => Promise<unknown>, wasUsed: boolean) => {
      const works = await use().then(
        () => true,
        () => false,
      );
      expect([email, wasUsed && works]).toEqual([email, false]);
      await expect(use()).rejects.toThrow();
    };
    if (link === undefined) continue;
    expect([email, row?.links]).toEqual([email, 1]);
    await worksOnce(() => signIn(server!, link), (row?.sessions ?? 0) > 0);
    const account = session && (await fetch(`${address}/v1/session`, { headers: { ...session, origin: address } })).status;
    expect(account ?? 200).toBe(200);
    // The ports of a killed server are closed; the code is good at every process.
    const here = returning && { ...returning, url: returning.url.replace(/^http:\/\/[^/]+/, sites!) };
    if (here) await worksOnce(() => comeBack(here), reader !== undefined);
    expect(reader === undefined || (await isReader(reader))).toBe(true);
  }
  const counts = (['link', 'session', 'returning', 'reader'] as const).map((step) => all.filter((one) => one[step]).length);
  // Each step was reached, and some were interrupted.
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(counts.at(-1)).toBeLessThan(all.length);
});
