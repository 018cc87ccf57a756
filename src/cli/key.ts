import type { KeyAnswer } from '../../server/organizations/key-schemas.ts';
import { openApiClient } from './api-client.ts';
import { answerOptions, organizationOption, organizationQuery, printList, jsonExamples } from './subcommands.ts';
import { list, option, whole, defineCommand } from './usage.ts';

const day = 86_400_000;

/** `carrel key …`: how they are used. */
export const subcommands = {
  create: defineCommand({
    usage: 'key create NAME',
    summary: 'Create a key and show it once: an admin key, or with --domains an assistant key.',
    examples: [
      ['key create ci', 'An admin key'],
      ['key create ci --scopes read,write --days 90', 'An admin key that expires'],
      ['key create panel --domains my-docs --origins https://docs.example.com', 'An assistant key for readers'],
    ],
    options: {
      scopes: option(list.optional(), 'SCOPES', 'Scopes of an admin key: read, write, owner, operator (default: read,write)'),
      domains: option(list.optional(), 'DOMAINS', 'Create an assistant key for these sites'),
      origins: option(list.optional(), 'ORIGINS', 'Web origins that can use the assistant key'),
      addresses: option(list.optional(), 'RANGES', 'IP addresses and CIDR ranges that can use the key'),
      days: option(whole(1, 36_500).optional(), 'DAYS', 'Days until it expires (default: never)'),
      ...answerOptions,
    },
    async run({ words: [name], options: { days, json, domains, scopes, origins, addresses, organization } }) {
      const made = await openApiClient(process.env).json<KeyAnswer & { secret: string }>('POST', '/v1/keys', {
        body: {
          kind: domains ? 'assistant' : 'admin',
          name,
          scopes,
          domains,
          origins,
          addresses,
          organization,
          expiresAt: days === undefined ? undefined : new Date(Date.now() + days * day).toISOString(),
        },
      });
      if (json) console.log(JSON.stringify(made, null, 2));
      else {
        console.log(made.secret);
        // On standard error, so that `KEY=$(carrel key create …)` contains only the key.
        console.error(`The ${made.kind} key "${made.name}" is shown only once. Its ID is ${made.keyId}; ${ending(made)}.`);
      }
    },
  }),
  list: defineCommand({
    usage: 'key list',
    summary: 'List keys with their permissions, last use and expiry.',
    examples: jsonExamples('key list', 'All keys'),
    options: answerOptions,
    async run({ options: { organization, json } }) {
      const path = `/v1/keys${organizationQuery(organization)}`;
      const { keys } = await openApiClient(process.env).json<{ keys: KeyAnswer[] }>('GET', path);
      printList(keys, json, head, row);
    },
  }),
  revoke: defineCommand({
    usage: 'key revoke ID',
    summary: 'Revoke a key by its ID (key_…, from `key list`). It stops working immediately.',
    examples: [['key revoke key_1234', 'Stop a key at once']],
    options: { organization: organizationOption },
    async run({ words: [id], options: { organization } }) {
      await openApiClient(process.env).request('DELETE', `/v1/keys/${encodeURIComponent(id!)}${organizationQuery(organization)}`);
      console.log(`Revoked the key ${id}.`);
    },
  }),
};

const head = ['ID', 'KIND', 'STATUS', 'ALLOWS', 'ENDS WITH', 'LAST USED', 'EXPIRES', 'NAME'];

function row({ keyId, kind, status, scopes, domains, hint, lastUsedAt, expiresAt, name }: KeyAnswer): string[] {
  const may = (kind === 'admin' ? scopes : domains).join(',');
  return [
    keyId,
    kind,
    status,
    may,
    hint,
    lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never',
    expiresAt?.slice(0, 10) ?? 'never',
    name,
  ];
}

function ending({ expiresAt }: KeyAnswer): string {
  return expiresAt ? `it expires on ${expiresAt.slice(0, 10)}` : 'it does not expire';
}
