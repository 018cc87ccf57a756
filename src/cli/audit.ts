import { z } from 'zod';
import type { AuditEntryAnswer } from '../../server/organizations/audit-routes.ts';
import { openApiClient } from './api-client.ts';
import { jsonOption, organizationOption, table } from './subcommands.ts';
import { option, runner, text, whole, type Command } from './usage.ts';

const options = z.strictObject({
  event: option(text.optional(), 'EVENT', 'Only this event, such as key.create'),
  target: option(text.optional(), 'NAME', 'Only this target: a domain, or the ID of a key or a job'),
  key: option(text.optional(), 'ID', 'Only what this key did'),
  organization: organizationOption,
  limit: option(whole(1, 100).default(50), 'NUMBER', 'Number of entries (default: 50)'),
  json: jsonOption,
});

/** `carrel audit`: its options and how it is used. */
export const command: Command<typeof options> = {
  usage: 'audit',
  summary: 'Show who changed what on a server, latest first.',
  options,
  words: [0, 0],
  examples: [
    ['audit', 'The latest changes'],
    ['audit --event key.create', 'Who created keys'],
    ['audit --target docs.example.com --json', 'For a program: what happened to a site'],
  ],
};

export const run = runner(command, async ({ options: { json, limit, ...filter } }) => {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams([['limit', String(limit)], ...given]);
  const { entries } = await openApiClient(process.env).json<{ entries: AuditEntryAnswer[] }>('GET', `/v1/audit?${query}`);
  const rows = entries.map(({ at, event, target, keyId, name, address }) => [at, event, target, keyId ?? '', name, address]);
  console.log(json ? JSON.stringify(entries, null, 2) : table(['TIME', 'EVENT', 'TARGET', 'KEY', 'NAME', 'FROM'], rows));
  return 0;
});
