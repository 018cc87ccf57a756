// From environment and file to options, once at start: all faults are reported together.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode, ExportError } from '../../integration/errors.ts';
import { parseRange } from './address-range.ts';
import { metaOf, serverOptionsSchema, type ServerOptions } from './options.ts';

/** Names the configuration file; the same as the argument `file`. */
const configVariable = 'CARREL_CONFIG';

type Key = keyof ServerOptions;
const keys = Object.keys(serverOptionsSchema.shape) as Key[];

/** What was given for one option, and where. */
interface Given {
  value: unknown;
  /** As the user wrote it: `PORT`, or `port in carrel.json`. */
  name: string;
}

/**
 * The server's options from the environment and a JSON file (`file`, else `CARREL_CONFIG`); the environment wins.
 * An empty variable counts as absent. Throws `ExportError` `ConfigurationInvalid` with one line for every fault; no secret is in it.
 */
export function readOptions({ environment, file }: { environment: NodeJS.ProcessEnv; file?: string }): ServerOptions {
  const faults: string[] = [];
  const given = { ...readFile(file ?? (environment[configVariable] || undefined), faults), ...readEnvironment(environment) };
  const parsed = serverOptionsSchema.safeParse(Object.fromEntries(Object.entries(given).map(([key, { value }]) => [key, value])));
  const told = new Set<string>();
  for (const issue of parsed.error?.issues ?? []) {
    const key = issue.path[0] as Key;
    // One line for a key: what is wrong with its parts follows from the first.
    if (!told.has(key)) faults.push(`${quoted(given, key)} ${issue.message}. ${metaOf(key).description}.`);
    told.add(key);
  }
  // Values that are valid by themselves are still checked against each other, so that one start reports everything.
  const options = parsed.success ? parsed.data : serverOptionsSchema.safeParse(without(given, told)).data;
  if (options) {
    const found = checks.flatMap((check) => check(options, (key) => quoted(given, key)));
    faults.push(...found.filter((fault) => typeof fault === 'string'));
  }
  if (faults.length === 0 && parsed.success) return parsed.data;
  throw new ExportError(
    'ConfigurationInvalid',
    `The server cannot start with this configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    'Every option is explained in the manual, page "Configuration".',
  );
}

function readEnvironment(environment: NodeJS.ProcessEnv): Partial<Record<Key, Given>> {
  const set = keys.map((key) => [key, { value: environment[metaOf(key).env], name: metaOf(key).env }] as const);
  return Object.fromEntries(set.filter(([, { value }]) => value !== undefined && value.trim() !== ''));
}

function readFile(file: string | undefined, faults: string[]): Partial<Record<Key, Given>> {
  if (file === undefined) return {};
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : `cannot be read (${errorCode(error)})`;
    faults.push(`The configuration file "${file}" ${reason}. Correct it, or unset ${configVariable}.`);
    return {};
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    faults.push(`The configuration file "${file}" must hold one object, such as { "port": 4400 }.`);
    return {};
  }
  const known: [Key, Given][] = [];
  for (const [key, value] of Object.entries(values)) {
    if (keys.includes(key as Key)) known.push([key as Key, { value, name: `${key} in ${file}` }]);
    else faults.push(`${key} in ${file} is no option. ${nearest(key)}`);
  }
  return Object.fromEntries(known);
}

function nearest(key: string): string {
  const same = keys.find((known) => known.toLowerCase() === key.toLowerCase() || metaOf(known).env === key);
  return same ? `Write "${same}".` : `There are: ${keys.join(', ')}.`;
}

/** Name and value as given; only the name for a secret and for an absent value. */
function quoted(given: Partial<Record<Key, Given>>, key: Key): string {
  const found = given[key];
  if (!found) return metaOf(key).env;
  if (metaOf(key).secret) return found.name;
  // A password may have come into an address by mistake.
  const value = JSON.stringify(found.value)?.replace(/:\/\/[^/"]*@/, '://…@') ?? '';
  return `${found.name} ${value.length > 200 ? `${value.slice(0, 200)}…"` : value}`;
}

function without(given: Partial<Record<Key, Given>>, left: Set<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).flatMap(([key, { value }]) => (left.has(key) ? [] : [[key, value]])));
}

/** Faults of options beside each other; `quote` gives an option as the user wrote it. */
type Check = (options: ServerOptions, quote: (key: Key) => string) => (string | boolean | undefined)[];

const checks: Check[] = [
  ({ role, databaseUrl }, quote) => [
    role !== 'all' &&
      !databaseUrl &&
      `${quote('role')} needs DATABASE_URL: the embedded database is for one process alone. Name a PostgreSQL, and one CARREL_SECRET for all processes; or let one process play all parts.`,
  ],
  ({ role, databaseUrl, secret }, quote) => [
    role !== 'all' &&
      databaseUrl &&
      !secret &&
      `${quote('role')} needs CARREL_SECRET: a link signed by one process is checked by another. Give all processes the same 32 characters or more, such as from: openssl rand -base64 32`,
  ],
  ({ s3Bucket, s3Endpoint, s3Prefix }, quote) => [
    s3Endpoint && !s3Bucket && `${quote('s3Endpoint')} has no bucket. Name it in CARREL_S3_BUCKET.`,
    s3Prefix !== '' && !s3Bucket && `${quote('s3Prefix')} has no bucket. Name it in CARREL_S3_BUCKET.`,
  ],
  ({ modelUrl, model, modelKey }, quote) => [
    modelUrl && !model && `${quote('modelUrl')} has no model. Name it in CARREL_MODEL, as its server lists it at /models.`,
    model && !modelUrl && `${quote('model')} has no address. Give it in CARREL_MODEL_URL, such as http://127.0.0.1:11434/v1.`,
    modelKey && !modelUrl && `${quote('modelKey')} has no address that it is for. Give it in CARREL_MODEL_URL.`,
  ],
  ({ port, sitesPort }, quote) => [
    port === sitesPort &&
      port !== 0 &&
      `${quote('sitesPort')} is also the port of the API (${port}). Choose another, such as ${port === 65_535 ? 65_534 : port + 1}: exported sites never share an origin with the dashboard.`,
  ],
  ({ publicUrl, sitesUrl, host, port }, quote) => [
    sitesUrl !== undefined &&
      new URL(publicUrl ?? address(host, port)).origin === new URL(sitesUrl).origin &&
      `${quote('sitesUrl')} has the same origin as ${publicUrl ? quote('publicUrl') : 'the API'}. Give the sites a host or a port of their own: a script in an exported page could act as the dashboard's reader.`,
  ],
  ({ trustedProxies }, quote) =>
    trustedProxies.map(
      (range) =>
        !parseRange(range) &&
        `${quote('trustedProxies')} has "${range}", which is neither an address nor a range. Write 10.0.0.1 or 10.0.0.0/8.`,
    ),
  ({ privateHosts }, quote) =>
    privateHosts.map(
      (host) =>
        !parseRange(host.replace(/^\[(.*)\]$/, '$1')) &&
        !isHostName(host) &&
        `${quote('privateHosts')} has "${host}", which is neither a host nor a range. Write git.example.internal or 10.0.0.0/8.`,
    ),
  ({ gitCredentials }, quote) => [
    gitCredentials &&
      !isReadable(gitCredentials) &&
      `${quote('gitCredentials')} is no file that can be read. Write a line each: https://user:password@host`,
  ],
  ({ gitAuthorities }, quote) => [
    gitAuthorities &&
      !holdsCertificate(gitAuthorities) &&
      `${quote('gitAuthorities')} is no file of certificates that can be read. It holds them one after the other, each as -----BEGIN CERTIFICATE----- …`,
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

/** Why a folder can neither be written nor be made. Nothing is made yet: the rest may be wrong. */
function folderFault(folder: string, name: string): string | undefined {
  for (let place = resolve(folder); ; place = dirname(place)) {
    try {
      if (!statSync(place).isDirectory()) return `${name} cannot be a folder: "${place}" is a file. Choose another place.`;
      accessSync(place, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' && dirname(place) !== place) continue;
      // Below a file: the step upwards tells which.
      if (code === 'ENOTDIR' && dirname(place) !== place) continue;
      return `${name} cannot be written: "${place}" (${code}). Choose another place, or let this user write there.`;
    }
  }
}
