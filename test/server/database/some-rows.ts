import type { Database } from '../../../server/database/database.ts';

/** Awkward text of all sorts: quotes, backslashes, line breaks, what looks like SQL, what is not ASCII. */
export const awkward = `it's "quoted"\\ and \\n not a break\nbut this is\r\n\t$1 %L '); drop schema carrel; -- ünï ✓ 🎉`;

/** Rows in every table. */
export async function insertSomeRows(database: Database): Promise<void> {
  const at = new Date('2026-11-21T10:20:30.456Z');
  for (const id of ['Zulu', 'alpha', 'émile']) {
    await database.query(`insert into carrel.organizations values ($1, $2, 'enterprise', $3)`, [id, awkward, at]);
  }
  await database.query(`update carrel.organizations set oidc_required = true where id = 'alpha'`);
  await database.query(
    `insert into carrel.keys (id, organization, kind, name, hash, hint, scopes, addresses, domains, origins, created_at)
     values ('key_1', 'alpha', 'admin', $1, 'hash', 'hint', $2, $3, $3, $3, $4)`,
    [awkward, ['read', awkward], [], at],
  );
  await database.query(
    `insert into carrel.passkeys (id, key, name, public_key, counter, created_at) values ('pk_1', 'key_1', $1, 'AQID', 1, $2)`,
    [awkward, at],
  );
  await database.query(`insert into carrel.sites values ('manual', 'alpha', $1, $2, null, $3, $3)`, [
    { kind: 'folder', path: awkward },
    { list: [1, null, { deep: 1e21 }] },
    at,
  ]);
  await database.query(
    `insert into carrel.sites (domain, organization, source, settings, created_at, updated_at, preview_of, branch, expires_at)
     values ('manual--next', 'alpha', '{}', '{}', $1, $1, 'manual', $2, $1)`,
    [at, awkward],
  );
  await database.query(`insert into carrel.push_hooks values ('manual', 'github', $1, $2)`, [awkward, at]);
  for (const id of ['se_2', 'se_1']) {
    await database.query(
      `insert into carrel.jobs (id, organization, domain, request, status, progress, result, created_at, updated_at)
       values ($1, 'alpha', 'manual', '{}', 'completed', 12.3, $2, $3, $3)`,
      [id, JSON.stringify([awkward]), at],
    );
  }
  for (let line = 1; line <= 450; line++) {
    await database.query('insert into carrel.job_log (job, at, text) values ($1, $2, $3)', ['se_1', at, `${line} ${awkward}`]);
  }
  await database.query(`insert into carrel.job_reports values ('se_1', 1, $1)`, [awkward]);
  await database.query(`insert into carrel.idempotency_keys values ('alpha', $1, 'hash', 'se_1', $2)`, [awkward, at]);
  await database.query(`insert into carrel.webhooks values ('wh_1', 'alpha', 'https://example.com', $1, 'sealed', $2)`, [
    ['job.completed'],
    at,
  ]);
  await database.query(
    `insert into carrel.threads values ('01JD6Z0000ABCDEFGHJKMNPQRS', 'alpha', 'manual', 'key_1', 'reader', 'secret', $1, $1)`,
    [at],
  );
  await database.query(
    `insert into carrel.answers values ('msg_1', '01JD6Z0000ABCDEFGHJKMNPQRS', $1, $1, $2, 'stop', 'quotes', $3, $3)`,
    [awkward, JSON.stringify([{ number: 1, title: awkward }]), at],
  );
  await database.query(
    `insert into carrel.events (domain, at, type, visitor, path, found) values ('manual', $1, 'view', 'hash', $2, false)`,
    [at, awkward],
  );
  await database.query(`insert into carrel.page_feedback values ('manual', $1, '2026-11-21', 'hash', false, $1, $2)`, [
    awkward,
    at,
  ]);
  await database.query(
    `insert into carrel.audit (at, organization, event, target, key, name, address, request)
     values ($1, 'alpha', 'site.put', 'manual', 'key_1', $2, '::1', 'req_1')`,
    [at, awkward],
  );
  await database.query(`insert into carrel.feedback values ('msg_1', 'down', $1, $2)`, [awkward, at]);
  await database.query(
    `insert into carrel.deliveries (id, webhook, sent, at, milliseconds, excerpt) values ('del_1', 'wh_1', $1, $2, 12, $3)`,
    [{ data: awkward }, at, awkward],
  );
  await database.query(`insert into carrel.model_failures values ('manual', $1, 3, $2, $2, 'ModelBusy', $1)`, [awkward, at]);
  await database.query(`insert into carrel.model_use values ('alpha', '2026-11-21', 2, 30, 4)`);
}
