import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createKeys, type Keys } from './organizations/keys.ts';
import { createOrganizations } from './organizations/organizations.ts';
import type { Database, Queryable } from './database/database.ts';
import { createJobs } from './jobs/model/jobs.ts';
import type { Services } from './services.ts';
import { readRecord, writeRecord } from './platform/json-file.ts';
import { createSites, siteSettingsSchema, type SiteSource } from './sites/sites.ts';

/** The site a fresh server begins with. */
export interface FirstSite {
  domain: string;
  source: SiteSource;
}

/** What the first start created. The keys are stored only in the file. */
export interface FirstStart {
  adminKey: string;
  assistantKey: string;
  /** JSON of `url`, `adminKey` and `assistantKey`, which only its owner can read. */
  file: string;
  /** The first export, which is queued. */
  jobId: string;
}

/**
 * Gives an empty server its organization, its first site with an export, and its first keys. Undefined when there is any organization: then its file of keys
 * gets the address of today. Of several processes that start at once on one database, one does it.
 */
export async function firstStart(services: Services, { domain, source }: FirstSite): Promise<FirstStart | undefined> {
  const { database, now, publicUrl, options } = services;
  const first = await database.transaction(async (transaction) => {
    await transaction.query(`select pg_advisory_xact_lock(hashtext('carrel first start'))`);
    const [any] = await transaction.query('select id from carrel.organizations limit 1');
    const inside = within(database, transaction);
    const keys = createKeys(inside, now);
    if (any) {
      await keepAddress(options.data, publicUrl, keys);
      return undefined;
    }
    const { id: organization } = await createOrganizations(inside, now).create({
      id: 'default',
      name: 'Default',
      plan: 'enterprise',
    });
    await createSites(inside, now).put({ domain, organization, source, settings: siteSettingsSchema.parse({}) });
    const admin = await keys.create(
      { organization, kind: 'admin', name: 'First admin key', scopes: ['read', 'write', 'operator'] },
      { unlimited: true },
    );
    const assistant = await keys.create(
      { organization, kind: 'assistant', name: `Assistant of ${domain}`, domains: [domain] },
      { unlimited: true },
    );
    const job = await createJobs(inside, now).create({ organization, domain, request: {} });
    // Before the commit: a server that stops here starts as an empty one again, and after the commit the file is there.
    const file = await writeKeys(options.data, { url: publicUrl, adminKey: admin.secret, assistantKey: assistant.secret });
    return { adminKey: admin.secret, assistantKey: assistant.secret, file, jobId: job.id };
  });
  // A server that stops before this line sends the job when it starts again, as every unfinished one.
  if (first) await services.queue.send({ id: first.jobId, domain });
  return first;
}

/** A database whose work is all part of a transaction that goes on. */
function within(database: Database, transaction: Queryable): Database {
  return {
    kind: database.kind,
    query: (sql, parameters) => transaction.query(sql, parameters),
    transaction: (work) => work(transaction),
    listen: (channel, onPayload) => database.listen(channel, onPayload),
    createBoss: () => database.createBoss(),
    close: () => database.close(),
  };
}

const fileName = 'keys.json';
const keysSchema = z.object({ url: z.string(), adminKey: z.string(), assistantKey: z.string() });

/** A server can be started at another port. The file of another database stays as it is. */
async function keepAddress(folder: string, url: string, { find }: Pick<Keys, 'find'>): Promise<void> {
  const file = join(folder, fileName);
  const keys = await readRecord(file, keysSchema);
  if (keys && keys.url !== url && (await find(keys.adminKey))) await writeRecord(file, { ...keys, url });
}

/** The file appears completely or not at all. An existing one is renamed, since it may contain the keys of another database. */
async function writeKeys(folder: string, keys: z.infer<typeof keysSchema>): Promise<string> {
  const file = join(folder, fileName);
  if (existsSync(file)) renameSync(file, join(folder, 'keys.before.json'));
  await writeRecord(file, keys);
  return file;
}
