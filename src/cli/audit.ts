import type { AuditEntryAnswer } from '../../server/organizations/audit-routes.ts';
import { openApiClient } from './api-client.ts';
import { jsonOption, organizationOption, printList } from './subcommands.ts';
import { option, text, whole, defineCommand } from './usage.ts';

const options = {
  event: option(text.optional(), 'EVENT', 'Only this event, such as key.create'),
  target: option(text.optional(), 'NAME', 'Only this target: a domain, or the ID of a key or a job'),
  key: option(text.optional(), 'ID', 'Only what this key did'),
  organization: organizationOption,
  limit: option(whole(1, 100).default(50), 'NUMBER', 'Number of entries (default: 50)'),
  json: jsonOption,
};

/** `carrel audit`: its options and how it is used. */
export const command = defineCommand({
  usage: 'audit',
  summary: 'Show who changed what on a server, latest first.',
  options,
  examples: [
    ['audit', 'The latest changes'],
    ['audit --event key.create', 'Who created keys'],
    ['audit --target docs.example.com --json', 'For a program: what happened to a site'],
  ],
  async run({ options: { json, limit, ...filter } }) {
    const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const query = new URLSearchParams([['limit', String(limit)], ...given]);
    const { entries } = await openApiClient(process.env).json<{ entries: AuditEntryAnswer[] }>('GET', `/v1/audit?${query}`);
    const head = ['TIME', 'EVENT', 'TARGET', 'KEY', 'NAME', 'FROM'];
    printList(entries, json, head, (entry) => {
      const { at, event, target, keyId, name, address } = entry;
      return [at, event, target, keyId ?? '', name, address];
    });
  },
});
