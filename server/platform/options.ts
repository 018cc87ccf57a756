// One schema for the configuration: type, defaults, checks and documentation. Each key has its environment variable: `CARREL_` and the key
// in capitals, or a standard name.
import { Resolver } from 'node:dns';
import { resolve } from 'node:path';
import { z } from 'zod';
import { baseUrlSchema } from '../../integration/option-values.ts';
import type { EmbeddingModel } from '../../integration/remote/embeddings.ts';
import { limitPresets, limits, wholeNumber } from './limits.ts';

const whole = (least: number, most: number, fallback: number) => wholeNumber(least, most).default(fallback);
const port = (fallback: number) => whole(0, 65_535, fallback);
const url = baseUrlSchema('https://docs.example.com').transform((url) => url.replace(/\/+$/, ''));
const text = z.string().min(1);
const secretText = z.string().min(32, { error: 'must have 32 characters or more' });
const printable = z.string().regex(/^[\x21-\x7e]+$/, { error: 'must not contain spaces' });
const secretOf = (schema: z.ZodType<string>, description: string) => schema.optional().meta({ secret: true, description });
const oneOf = <const Value extends string>(values: [Value, ...Value[]], fallback: NoInfer<Value>, description: string) =>
  z
    .enum(values, { error: `must be ${values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`}` })
    .default(fallback as never)
    .describe(description);
const list = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').map((part) => part.trim()))])
  .transform((parts) => parts.filter((part) => part !== ''))
  .default([]);

/** What `readOptions` finds: the options, and each limit beside the preset that it changes. */
export const optionsShape = {
  /** Which part of the server this process is. @default 'all' */
  role: oneOf(['all', 'api', 'worker'], 'all', 'What this process runs: all, api or worker'),
  /** @default '127.0.0.1' */
  host: text.default('127.0.0.1').describe('Address to listen on'),
  /** @default 4400 */
  port: port(4400).describe('Port of the API and the dashboard; 0 for any free port'),
  /** @default 4401 */
  sitesPort: port(4401).describe('Port of the exported sites; 0 for any free port'),
  /** @default 'http://HOST:PORT' */
  publicUrl: url.optional().describe('URL of the API as callers reach it'),
  /** @default 'http://HOST:SITES_PORT' */
  sitesUrl: url.optional().describe('URL of the exported sites as readers reach them'),
  /** @default '.carrel' */
  data: text
    .default('.carrel')
    .transform((folder) => resolve(folder))
    .describe('Folder for everything that the server stores on disk'),
  databaseUrl: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .optional()
    .meta({ secret: true, description: 'PostgreSQL to use instead of the embedded database' }),
  /** @default 'auto' */
  migrations: oneOf(
    ['auto', 'manual'],
    'auto',
    'Whether a start migrates the database (auto), or only `carrel migrate` does (manual)',
  ),
  secret: secretOf(
    secretText,
    'Signs links and page tokens, and encrypts stored secrets; generated and stored in the data folder by default',
  ),
  secretPrevious: secretOf(secretText, 'The previous secret, which is still accepted'),
  s3Bucket: text.optional().describe('Bucket that stores exports instead of the disk'),
  s3Endpoint: url.optional().describe('URL of an S3-compatible service'),
  s3Prefix: z.string().default('').describe('Prefix of all keys in the bucket'),
  /** @default 'on' */
  sitesIndex: oneOf(['on', 'off'], 'on', 'Whether the root of the sites lists them: on or off'),
  /** @default 1 */
  workers: whole(1, 64, 1).describe('Jobs to run at the same time in this process'),
  /** @default 20 */
  drainSeconds: whole(0, 3600, 20).describe('Seconds that running jobs have to finish when the server stops'),
  /** @default 'auto' */
  finishThread: oneOf(
    ['always', 'auto', 'never'],
    'auto',
    'Whether the finish event has threadId at its top level: always, auto (not for AI SDK clients) or never',
  ),
  /** @default 'info' */
  log: oneOf(['silent', 'error', 'warn', 'info', 'debug'], 'info', 'Lowest level to log: silent, error, warn, info or debug'),
  allowHosts: list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .describe('Further names of this server, whose requests for /metrics and the list of sites are answered; * for all'),
  trustedProxies: list.describe('IP addresses or CIDR ranges of proxies whose X-Forwarded-For header is trusted'),
  privateHosts: list.describe(
    'Hosts, IP addresses or CIDR ranges in private networks that git, webhooks and models are allowed to reach',
  ),
  playgroundPrivateHosts: list.describe(
    'Hosts, IP addresses or CIDR ranges in private networks that playgrounds are allowed to reach',
  ),
  dnsServers: list
    .refine(areDnsServers, { error: 'must be IP addresses, with a port or without, such as 10.0.0.53' })
    .describe('Servers that are asked for the DNS records that prove domains; by default those of the system'),
  gitCredentials: text
    .optional()
    .describe('File of git credentials, one per line: https://user:password@host organization=ID repositories=PATTERNS'),
  gitSshOrganizations: list.describe(
    'Organizations that are allowed to add ssh repositories without the scope operator; the server opens them with its own ssh keys',
  ),
  gitAuthorities: text
    .transform((file) => resolve(file))
    .optional()
    .describe("File of certificate authorities (PEM) that git trusts instead of the system's"),
  modelUrl: url
    .optional()
    .describe('OpenAI-compatible model that answers for sites without their own: http://127.0.0.1:11434/v1'),
  model: text.max(200).optional().describe('Name of that model'),
  modelKey: secretOf(printable, 'API key of that model'),
  /** @default 8192 */
  modelContextTokens: whole(2048, 10_000_000, 8192).describe('Context size of that model in tokens, including its answer'),
  /** @default true */
  modelTools: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], { error: 'must be true or false' })
    .default(true)
    .describe('Whether models may search again and read pages, for sites without a setting of their own: true or false'),
  signingKey: text.optional().describe('File of the key that signs exports; with a signing command, of its public key'),
  signingCommand: text.optional().describe('Shell command that signs exports, such as one of a key service'),
  signingPassword: secretOf(text, 'Password of the key that signs exports'),
  embeddingsUrl: url
    .optional()
    .describe('OpenAI-compatible server of an embedding model: exports get vectors, and questions find what has other words'),
  embeddingsModel: text.max(200).optional().describe('Name of the embedding model'),
  embeddingsKey: secretOf(printable, 'API key of the embedding model'),
  smtpUrl: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL, such as smtps://user:password@mail.example.com' })
    .optional()
    .meta({ secret: true, description: 'Mail server that sends invitations and sign-in links to members' }),
  mailFrom: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, { error: 'must be an address, such as Carrel <carrel@example.com>' })
    .optional()
    .describe('Sender of these mails: carrel@example.com'),
  oidcIssuer: z
    .url({ protocol: /^https?$/, error: 'must be the URL of an issuer, such as https://login.example.com/realms/docs' })
    .optional()
    .describe('OpenID Connect provider that members sign in with: its issuer'),
  oidcClientId: text.optional().describe('Client of this server at that provider'),
  oidcClientSecret: secretOf(text, 'Secret of that client'),
  /** @default 'default' */
  oidcOrganization: text.default('default').describe('Organization whose members they are'),
  /** @default '*=viewer' */
  oidcRoles: list
    .transform((given, context) =>
      given.flatMap((entry) => {
        const [, of, role] = /^(.+?) *= *(viewer|editor|owner|operator)$/.exec(entry) ?? [];
        if (of !== undefined) return [{ of, role: role as 'viewer' | 'editor' | 'owner' | 'operator' }];
        context.addIssue({
          code: 'custom',
          message: `has "${entry.slice(0, 100)}"; use values such as docs-admins=owner, @example.com=viewer or *=viewer`,
        });
        return [];
      }),
    )
    .default([{ of: '*', role: 'viewer' }])
    .describe(
      'Roles of groups that the provider names, of domains of addresses, and of everyone (by default *=viewer): docs-admins=owner, @example.com=viewer',
    ),
  metricsToken: secretOf(text, 'Bearer token that /metrics requires; public by default'),
  /** @default 'internal' */
  limits: oneOf(
    ['internal', 'public'],
    'internal',
    'Preset of the limits, and single limits that differ from it: public, jobMinutes=60',
  ),
  ...limits,
};

/** Of the limits, those of the preset that nothing changes. */
export const serverOptionsSchema = z
  .strictObject(optionsShape)
  .transform(({ limits: preset, ...options }) => ({ ...limitPresets[preset], ...options }));

export type ServerOptions = z.output<typeof serverOptionsSchema>;
export type OptionKey = keyof typeof optionsShape;

/** The embedding model, if one is set. */
export function embeddingModelOf(
  options: Pick<ServerOptions, 'embeddingsUrl' | 'embeddingsModel' | 'embeddingsKey'>,
): EmbeddingModel | undefined {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key } = options;
  return url === undefined || model === undefined ? undefined : { url, model, key };
}

/** What signs exports, if they are signed. */
export function signingOf(options: Pick<ServerOptions, 'signingKey' | 'signingCommand' | 'signingPassword'>) {
  const { signingKey: key, signingCommand: command, signingPassword: password } = options;
  return key === undefined ? undefined : { key: resolve(key), command, password };
}

const standardNames: Partial<Record<OptionKey, string>> = {
  host: 'HOST',
  port: 'PORT',
  sitesPort: 'SITES_PORT',
  databaseUrl: 'DATABASE_URL',
};

/** The environment variable of an option, its description, and whether its value is secret, so that it is never printed. */
export function metaOf(key: OptionKey): { env: string; description: string; secret: boolean } {
  const { description = '', secret } = optionsShape[key].meta() ?? {};
  return { env: standardNames[key] ?? environmentName(key), description, secret: secret === true };
}

/** `CARREL_PUBLIC_URL` for `publicUrl`. */
function environmentName(key: string): string {
  return `CARREL_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

function areDnsServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}
