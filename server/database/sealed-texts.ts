// The texts in the database that are encrypted with a secret of the server, wherever they are: checked together, and encrypted again.
import { ExportError } from '../../integration/errors.ts';
import { canUnseal, otherSecretHint, seal, unseal, type Secrets } from '../platform/secrets.ts';
import type { Queryable } from './database.ts';

/** What an encrypted text belongs to; it is decrypted for nothing else. Permanent. */
export const sealNames = {
  webhook: (id: string) => id,
  pushHook: (domain: string, service: string) => `push hook ${service} ${domain}`,
  model: (domain: string, baseUrl: string) => `model ${domain} ${baseUrl}`,
};

interface SealedText {
  /** Human-readable. */
  of: string;
  name: string;
  sealed: string;
  /** Replaces the text `$2` with `$1`, unless another process has; `row` are the parameters after these. */
  update: string;
  row: unknown[];
}

interface SealedTexts {
  /** Number of texts that the current secret decrypts. */
  current: number;
  /** Texts that only a previous secret decrypts. */
  previous: SealedText[];
  /** What no secret decrypts, by what it is of. */
  lost: string[];
}

export async function examineSealed(database: Queryable, secrets: readonly string[]): Promise<SealedTexts> {
  const found: SealedTexts = { current: 0, previous: [], lost: [] };
  for (const text of await sealedTexts(database)) {
    const [current, ...previous] = secrets.map((secret) => canUnseal(text.sealed, text.name, secret));
    if (current) found.current += 1;
    else if (previous.includes(true)) found.previous.push(text);
    else if (!found.lost.includes(text.of)) found.lost.push(text.of);
  }
  return found;
}

/** Encrypts with the current secret what is encrypted with a previous one; returns how many texts, and what no secret decrypts. */
export async function sealAgain(database: Queryable, secrets: Secrets): Promise<{ count: number; lost: string[] }> {
  const { previous, lost } = await examineSealed(database, secrets);
  for (const { name, sealed, update, row } of previous)
    await database.query(update, [seal(unseal(sealed, name, secrets), name, secrets), sealed, ...row]);
  return { count: previous.length, lost };
}

/** Undefined if nothing is lost. */
export function lostError(lost: string[]): ExportError | undefined {
  if (lost.length === 0) return undefined;
  const shown = [...lost.slice(0, 5), ...(lost.length > 5 ? [`${lost.length - 5} more`] : [])].join(', ');
  return new ExportError('SecretOther', `The secret of this server does not decrypt what is stored: ${shown}.`, otherSecretHint);
}

async function sealedTexts(database: Queryable): Promise<SealedText[]> {
  const webhooks = await database.query<{ id: string; sealed: string }>(
    'select id, secret as sealed from carrel.webhooks order by id',
  );
  const hooks = await database.query<{ domain: string; service: string; sealed: string }>(
    'select domain, service, secret as sealed from carrel.push_hooks order by domain, service',
  );
  const models = await database.query<{ domain: string; path: string[]; sealed: string; baseUrl: string }>(
    `select domain, path, settings #>> path as sealed, settings #>> (path[1:2] || '{baseUrl}') as "baseUrl" from carrel.sites,
     (values ('{assistant,model,sealedKey}'::text[]), ('{assistant,model,sealedHeaders}'),
       ('{assistant,fallback,sealedKey}'), ('{assistant,fallback,sealedHeaders}')) as places (path)
     where settings #>> path is not null order by domain, path`,
  );
  return [
    ...webhooks.map(({ id, sealed }) => ({
      of: `webhook ${id}`,
      name: sealNames.webhook(id),
      sealed,
      update: 'update carrel.webhooks set secret = $1 where secret = $2 and id = $3',
      row: [id],
    })),
    ...hooks.map(({ domain, service, sealed }) => ({
      of: `push hook ${service} of ${domain}`,
      name: sealNames.pushHook(domain, service),
      sealed,
      update: 'update carrel.push_hooks set secret = $1 where secret = $2 and domain = $3 and service = $4',
      row: [domain, service],
    })),
    ...models.map(({ domain, path, sealed, baseUrl }) => ({
      of: `model of ${domain}`,
      name: sealNames.model(domain, baseUrl),
      sealed,
      // A change of the site that has read it before then begins again, or it would write the text of the previous secret.
      update: `update carrel.sites set settings = jsonb_set(settings, $4::text[], to_jsonb($1::text)),
                 updated_at = updated_at + interval '1 millisecond'
               where settings #>> $4::text[] = $2 and domain = $3`,
      row: [domain, path],
    })),
  ];
}
