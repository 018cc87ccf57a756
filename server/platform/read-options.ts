// Reads the options from environment and file, once at start, and reports all errors together.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shortened } from '../../integration/text/beginning.ts';
import { errorCode, ExportError } from '../../integration/errors.ts';
import { parseRange } from '../../integration/remote/address-range.ts';
import { limits } from './limits.ts';
import { localHosts } from './local-host.ts';
import { metaOf, optionsShape, serverOptionsSchema, type OptionKey as Key, type ServerOptions } from './options.ts';

/** The path of the configuration file, like the argument `file`. */
const configVariable = 'CARREL_CONFIG';

const keys = Object.keys(optionsShape) as Key[];
const isLimit = (key: string) => Object.hasOwn(limits, key);

/** The value of one option, and where the user set it. */
interface Given {
  value: unknown;
  /** As the user wrote it: `PORT`, `port in carrel.json`, or `jobMinutes in CARREL_LIMITS`. */
  name: string;
}

type GivenOptions = Partial<Record<Key, Given>>;

interface Source {
  environment: NodeJS.ProcessEnv;
  file?: string;
  /** Is told of each limit that has its former name. */
  note?: (what: string, next: string) => void;
}

/**
 * The server's options from the environment and a JSON file (`file`, else `CARREL_CONFIG`); the environment overrides the file.
 * An empty variable counts as absent. A secret can also be in a file, which the variable with `_FILE` behind its name names. A limit that is an option of its own, as in 0.1, goes on working.
 * Throws `ExportError` `ConfigurationInvalid` with one line for every error, without secrets.
 */
export function readOptions({ environment, file, note }: Source): ServerOptions {
  const faults: string[] = [];
  const given = {
    ...readFile(file ?? (environment[configVariable] || undefined), faults, note),
    ...readEnvironment(environment, faults, note),
  };
  const parsed = serverOptionsSchema.safeParse(Object.fromEntries(Object.entries(given).map(([key, { value }]) => [key, value])));
  const reported = new Set<string>();
  for (const issue of parsed.error?.issues ?? []) {
    const key = issue.path[0] as Key;
    // One line for each key: further errors in its parts follow from the first.
    if (!reported.has(key)) faults.push(`${quoted(given, key)} ${issue.message}. ${metaOf(key).description}.`);
    reported.add(key);
  }
  // Options that are valid on their own are still checked in combination, so that one start reports everything.
  const options = parsed.success ? parsed.data : serverOptionsSchema.safeParse(without(given, reported)).data;
  if (options) {
    const found = checks.flatMap((check) => check(options, (key) => quoted(given, key)));
    faults.push(...found.filter((fault) => typeof fault === 'string'));
  }
  if (faults.length === 0 && parsed.success) return parsed.data;
  throw new ExportError(
    'ConfigurationInvalid',
    `The server can't start with this configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    'The page "Configuration" of the manual explains every option.',
  );
}

function readEnvironment(environment: NodeJS.ProcessEnv, faults: string[], note: Source['note']): GivenOptions {
  const set = keys.map((key) => {
    const { env, secret } = metaOf(key);
    const value = environment[env] || undefined;
    const file = secret ? environment[`${env}_FILE`] || undefined : undefined;
    if (value !== undefined && file !== undefined) faults.push(`${env} and ${env}_FILE are both set. Keep one.`);
    return [key, { value: file === undefined ? value : readSecretFile(file, `${env}_FILE`, faults), name: env }] as const;
  });
  return withLimits(
    set.filter(([, { value }]) => value !== undefined && value.trim() !== ''),
    faults,
    note,
  );
}

/** Containers get secrets as files: an environment is visible to every user who can inspect the container. */
function readSecretFile(file: string, name: string, faults: string[]): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    // Without it, the server would start as if nobody had wanted it: with another secret, or another database.
    if (secret === '') faults.push(`${name} "${file}" is empty. Write the secret into it.`);
    return secret;
  } catch (error) {
    faults.push(`${name} "${file}" can't be read (${errorCode(error)}). Correct its path, or allow this user to read it.`);
    return undefined;
  }
}

function readFile(file: string | undefined, faults: string[], note: Source['note']): GivenOptions {
  if (file === undefined) return {};
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : `can't be read (${errorCode(error)})`;
    faults.push(`The configuration file "${file}" ${reason}. Correct it, or unset ${configVariable}.`);
    return {};
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    faults.push(`The configuration file "${file}" must contain one object, such as { "port": 4400 }.`);
    return {};
  }
  const known: [Key, Given][] = [];
  for (const [key, value] of Object.entries(values)) {
    if (keys.includes(key as Key)) known.push([key as Key, { value, name: `${key} in ${file}` }]);
    else faults.push(`${key} in ${file} is not an option. ${nearest(key)}`);
  }
  return withLimits(known, faults, note);
}

/** The options, and those that `limits` names. */
function withLimits(options: (readonly [Key, Given])[], faults: string[], note: Source['note']): GivenOptions {
  for (const [key, { value, name }] of options) {
    if (!isLimit(key)) continue;
    const { env } = metaOf('limits');
    note?.(`${name} is a limit now, and its name goes away in 0.3.`, `Set ${env}="${key}=${String(value)}" instead.`);
  }
  const { limits: given, ...others } = Object.fromEntries(options) as GivenOptions;
  return given ? { ...others, ...readLimits(given, faults) } : others;
}

/** The preset and the single limits of `public, jobMinutes=60`, or of an object that has the preset as `preset`. */
function readLimits({ value, name }: Given, faults: string[]): GivenOptions {
  const found: GivenOptions = {};
  for (const [key, part] of partsOf(value)) {
    const option = key === 'preset' ? 'limits' : (key as Key);
    if (Object.hasOwn(found, option))
      faults.push(
        `${key} in ${name} has two values, ${JSON.stringify(found[option]!.value)} and ${JSON.stringify(part)}. Keep one.`,
      );
    else if (key === 'preset') found.limits = { value: part, name };
    else if (isLimit(key)) found[key as Key] = { value: part, name: `${key} in ${name}` };
    else faults.push(`${key} in ${name} is not a limit. The limits are: ${Object.keys(limits).join(', ')}.`);
  }
  return found;
}

function partsOf(value: unknown): [string, unknown][] {
  if (typeof value === 'object' && value !== null) return Object.entries(value);
  if (typeof value !== 'string') return [['preset', value]];
  const parts = value.split(',').map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const [, key = '', number] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    return number === undefined ? ['preset', part] : [key.trim(), number];
  });
}

function nearest(key: string): string {
  const same = keys.find((known) => known.toLowerCase() === key.toLowerCase() || metaOf(known).env === key);
  return same ? `Write "${same}".` : `The options are: ${keys.join(', ')}.`;
}

/** The name and the value as the user wrote them; for a secret or an absent value only the name. */
function quoted(given: GivenOptions, key: Key): string {
  const found = given[key];
  if (!found) return metaOf(key).env;
  if (metaOf(key).secret) return found.name;
  // A URL may contain a password by mistake.
  const value = JSON.stringify(found.value)?.replace(/:\/\/[^/"]*@/, '://…@') ?? '';
  return `${found.name} ${shortened(value, 200)}${value.length > 200 ? '"' : ''}`;
}

function without(given: GivenOptions, left: Set<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).flatMap(([key, { value }]) => (left.has(key) ? [] : [[key, value]])));
}

/** Checks options in combination; `quote` returns an option as the user wrote it. */
type Check = (options: ServerOptions, quote: (key: Key) => string) => (string | boolean | undefined)[];

const checks: Check[] = [
  ({ role, databaseUrl }, quote) => [
    role !== 'all' &&
      !databaseUrl &&
      `${quote('role')} needs DATABASE_URL: the embedded database supports only one process. Set a PostgreSQL URL, and the same CARREL_SECRET for all processes; or use the role "all".`,
  ],
  ({ role, databaseUrl, secret }, quote) => [
    role !== 'all' &&
      databaseUrl &&
      !secret &&
      `${quote('role')} needs CARREL_SECRET: one process checks links that another one signs. Set the same 32 characters or more for all processes, for example from: openssl rand -base64 32`,
  ],
  ({ s3Bucket, s3Endpoint, s3Prefix }, quote) => [
    s3Endpoint && !s3Bucket && `${quote('s3Endpoint')} has no bucket. Set it in CARREL_S3_BUCKET.`,
    s3Prefix !== '' && !s3Bucket && `${quote('s3Prefix')} has no bucket. Set it in CARREL_S3_BUCKET.`,
  ],
  ({ modelUrl, model, modelKey }, quote) => [
    modelUrl && !model && `${quote('modelUrl')} has no model. Set its name in CARREL_MODEL, as its server lists it at /models.`,
    model && !modelUrl && `${quote('model')} has no URL. Set it in CARREL_MODEL_URL, such as http://127.0.0.1:11434/v1.`,
    modelKey && !modelUrl && `${quote('modelKey')} has no URL that it belongs to. Set it in CARREL_MODEL_URL.`,
  ],
  ({ embeddingsUrl, embeddingsModel, embeddingsKey }, quote) => [
    embeddingsUrl &&
      !embeddingsModel &&
      `${quote('embeddingsUrl')} has no model. Set its name in CARREL_EMBEDDINGS_MODEL, as its server lists it at /models.`,
    embeddingsModel &&
      !embeddingsUrl &&
      `${quote('embeddingsModel')} has no URL. Set it in CARREL_EMBEDDINGS_URL, such as http://127.0.0.1:11434/v1.`,
    embeddingsKey &&
      !embeddingsUrl &&
      `${quote('embeddingsKey')} has no URL that it belongs to. Set it in CARREL_EMBEDDINGS_URL.`,
  ],
  ({ signingKey, signingCommand, signingPassword }, quote) => [
    signingCommand && !signingKey && `${quote('signingCommand')} has no public key. Set its file in CARREL_SIGNING_KEY.`,
    signingPassword && !signingKey && `${quote('signingPassword')} has no key. Set its file in CARREL_SIGNING_KEY.`,
  ],
  ({ smtpUrl, mailFrom }, quote) => [
    smtpUrl && !mailFrom && `${quote('smtpUrl')} has no sender. Set it in CARREL_MAIL_FROM, such as Carrel <carrel@example.com>.`,
    mailFrom && !smtpUrl && `${quote('mailFrom')} has no mail server. Set its URL in CARREL_SMTP_URL.`,
  ],
  ({ oidcIssuer, oidcClientId, oidcClientSecret }, quote) => [
    oidcIssuer && !oidcClientId && `${quote('oidcIssuer')} has no client. Set its ID in CARREL_OIDC_CLIENT_ID.`,
    oidcClientId && !oidcIssuer && `${quote('oidcClientId')} has no provider. Set its URL in CARREL_OIDC_ISSUER.`,
    oidcClientSecret && !oidcIssuer && `${quote('oidcClientSecret')} has no provider. Set its URL in CARREL_OIDC_ISSUER.`,
    oidcIssuer &&
      new URL(oidcIssuer).protocol === 'http:' &&
      !localHosts.includes(new URL(oidcIssuer).hostname) &&
      `${quote('oidcIssuer')} is not on this machine, so it must be https://.`,
  ],
  ({ port, sitesPort }, quote) => [
    port === sitesPort &&
      port !== 0 &&
      `${quote('sitesPort')} is also the port of the API (${port}). Use another port, such as ${port === 65_535 ? 65_534 : port + 1}: exported sites never share an origin with the dashboard.`,
  ],
  ({ publicUrl, sitesUrl, host, port }, quote) => [
    sitesUrl !== undefined &&
      new URL(publicUrl ?? address(host, port)).origin === new URL(sitesUrl).origin &&
      `${quote('sitesUrl')} has the same origin as ${publicUrl ? quote('publicUrl') : 'the API'}. Use a different host or port for the sites: otherwise a script in an exported page could act on behalf of a dashboard user.`,
  ],
  ({ trustedProxies }, quote) =>
    trustedProxies.map(
      (range) =>
        !parseRange(range) &&
        `${quote('trustedProxies')} has "${range}", which is neither an IP address nor a CIDR range. Use a value such as 10.0.0.1 or 10.0.0.0/8.`,
    ),
  (options, quote) =>
    (['privateHosts', 'playgroundPrivateHosts'] as const).flatMap((key) =>
      options[key].map(
        (host) =>
          !parseRange(host.replace(/^\[(.*)\]$/, '$1')) &&
          !isHostName(host) &&
          `${quote(key)} has "${host}", which is neither a host nor a CIDR range. Use a value such as git.example.internal or 10.0.0.0/8.`,
      ),
    ),
  ({ gitCredentials }, quote) => [
    gitCredentials &&
      !isReadable(gitCredentials) &&
      `${quote('gitCredentials')} is not a readable file. It contains one entry per line: https://user:password@host`,
  ],
  ({ gitAuthorities }, quote) => [
    gitAuthorities &&
      !holdsCertificate(gitAuthorities) &&
      `${quote('gitAuthorities')} is not a readable file of certificates. It contains one or more certificates, each starting with -----BEGIN CERTIFICATE-----.`,
  ],
  ({ data }, quote) => [folderFault(data, quote('data'))],
];

function address(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function isHostName(text: string): boolean {
  // A malformed address or range is not a host name.
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text) && !/^[\d.]+$/.test(text);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function holdsCertificate(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

/** Why a folder can be neither written nor created. It creates nothing: other options may still be invalid. */
function folderFault(folder: string, name: string): string | undefined {
  for (let path = resolve(folder); ; path = dirname(path)) {
    try {
      if (!statSync(path).isDirectory()) return `${name} can't be a folder: "${path}" is a file. Use another path.`;
      accessSync(path, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' && dirname(path) !== path) continue;
      // A parent is a file: the next step upward finds it.
      if (code === 'ENOTDIR' && dirname(path) !== path) continue;
      return `${name} can't be written: "${path}" (${code}). Use another path, or allow this user to write there.`;
    }
  }
}
