import { resolve } from 'node:path';
import { z } from 'zod';
import { pageSettingsSchema, readerKeySchema, serverUrlSchema, siteDomainSchema } from '../../integration/page-settings.ts';
import { shown, shownName } from '../../integration/text/escape.ts';
import type { SiteQuoter } from '../../server/hosting/site-questions.ts';
import type { LinkSource } from '../../server/active-exports/request-link.ts';
import { serveBundle } from '../../server/hosting/serve-bundle.ts';
import { serveSite } from '../../server/hosting/serve.ts';
import type { HostSettings } from '../../server/hosting/with-settings.ts';
import { commandName, defineCommand, list, notEmpty, readArguments, text, UsageError, whole, type OptionsOf } from './usage.ts';
import type { PublicKey } from '../../integration/output/signature.ts';
import { fileOrText } from './file-or-text.ts';
import { publicKeysOf } from './public-keys.ts';
import { withSmallYoungSpace, untilStopped } from './own-process.ts';

const options = {
  port: whole(0, 65_535)
    .default(4401)
    .meta({ takes: 'PORT', description: 'Port to listen on; 0 takes any free port (default: 4401)' }),
  host: text
    .default('127.0.0.1')
    .meta({ takes: 'HOST', description: 'Network address to listen on (default: 127.0.0.1, this machine only)' }),
  'allow-host': list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .optional()
    .meta({
      takes: 'HOSTS',
      env: 'CARREL_ALLOW_HOSTS',
      description: 'Further names that readers use for this server, such as docs.example.com; * for all',
    }),
  base: z.string().default('/').meta({ takes: 'BASE', description: 'Path to serve the site at, such as /docs/' }),
  bundle: z
    .string()
    .refine(isLink, { error: 'must be an http(s) URL without a user name, such as the bundleUrl from the API' })
    .optional()
    .meta({ takes: 'URL', env: 'CARREL_BUNDLE_URL', description: 'Download the bundle at this URL and serve it' }),
  watch: text.optional().meta({
    takes: 'FOLDER',
    env: 'CARREL_BUNDLE_WATCH',
    description: 'Serve the newest bundle in this folder, and each bundle and delta that appears there',
  }),
  'refresh-url': z
    .string()
    .refine((url) => isLink(url) && !/[?#]/.test(url), {
      error: 'must be the http(s) URL of an API, such as https://docs-api.example.com',
    })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      takes: 'URL',
      env: 'CARREL_BUNDLE_REFRESH_URL',
      description: 'API that creates a new link at each start; its key is in CARREL_BUNDLE_KEY',
    }),
  'refresh-domain': siteDomainSchema.optional().meta({
    takes: 'DOMAIN',
    env: 'CARREL_BUNDLE_REFRESH_DOMAIN',
    description: 'Site whose active export the new link is for',
  }),
  'refresh-job': z
    .string()
    .regex(/^se_[0-9a-f]{16}$/, { error: 'must be the id of a job, such as se_0123456789abcdef' })
    .optional()
    .meta({
      takes: 'ID',
      env: 'CARREL_BUNDLE_REFRESH_JOB',
      description: 'Job whose export the new link is for, instead of a site',
    }),
  'refresh-minutes': whole(1, 1440).optional().meta({
    takes: 'MINUTES',
    env: 'CARREL_BUNDLE_REFRESH_MINUTES',
    description: 'Look for a newer bundle at this interval (default: only at a start and at the signal SIGHUP)',
  }),
  version: text
    .optional()
    .meta({ takes: 'VERSION', env: 'CARREL_BUNDLE_VERSION', description: 'Serve only this export version' }),
  keep: text
    .optional()
    .meta({ takes: 'FOLDER', env: 'CARREL_BUNDLE_KEEP', description: 'Folder to store the bundle in (default: .carrel/bundle)' }),
  'keep-last': whole(1, 100).optional().meta({
    takes: 'N',
    env: 'CARREL_BUNDLE_KEEP_LAST',
    description: 'Number of bundles to store; an earlier one is served when the last one is damaged (default: 2)',
  }),
  'max-size': whole(1, 1_048_576).optional().meta({
    takes: 'MB',
    env: 'CARREL_BUNDLE_MAX_SIZE',
    description: 'Maximum size of the bundle, both packed and unpacked (default: 8192)',
  }),
  'time-limit': whole(1, 1440)
    .optional()
    .meta({ takes: 'MINUTES', env: 'CARREL_BUNDLE_TIME_LIMIT', description: 'Maximum duration of the download (default: 30)' }),
  'require-signature': list.refine(notEmpty, { error: 'must name at least one key' }).optional().meta({
    takes: 'KEYS',
    env: 'CARREL_REQUIRE_SIGNATURE',
    description: 'Serve only what one of these keys signed: files, or keys that begin with RW',
  }),
  settings: fileOrText(pageSettingsSchema).optional().meta({
    takes: 'FILE',
    env: 'CARREL_SETTINGS',
    description: 'Settings of the pages (carrel.config.js): a file with JSON, or the JSON itself',
  }),
  'assistant-url': serverUrlSchema.optional().meta({
    takes: 'URL',
    env: 'CARREL_ASSISTANT_URL',
    description: 'URL of the assistant for readers, such as https://HOST/discovery',
  }),
  'assistant-domain': siteDomainSchema
    .optional()
    .meta({ takes: 'DOMAIN', env: 'CARREL_ASSISTANT_DOMAIN', description: "The site's domain as registered with the assistant" }),
  'assistant-key': readerKeySchema.optional().meta({
    takes: 'KEY',
    env: 'CARREL_ASSISTANT_KEY',
    description: 'Assistant key for readers (svc_dsc_…); it is public',
  }),
};

const refreshOptions = ['refresh-url', 'refresh-domain', 'refresh-job', 'refresh-minutes'] as const;
const bundleOptions = ['bundle', 'watch', 'version', 'keep', 'keep-last', 'max-size', 'time-limit'] as const;
const settingsOptions = ['settings', 'assistant-url', 'assistant-domain', 'assistant-key'] as const;

type Options = OptionsOf<typeof options>;

const serve = defineCommand({
  usage: 'serve FOLDER|ZIP|--bundle URL|--watch FOLDER|--refresh-url URL',
  summary:
    'Serve an export over HTTP, from its folder, from a zip, from a link to a bundle (--bundle URL), or as bundles appear (--watch FOLDER).',
  options,
  words: [0, 1],
  examples: [
    ['serve site', 'Serve an exported folder on port 4401'],
    ['serve docs.zip --port 8080 --base /docs/', 'Serve a zip below a path'],
    ["serve --bundle 'https://carrel.example.com/…'", 'Download the bundle of a link, store and serve it'],
    ['serve --watch /media/stick --require-signature release.pub', 'Serve each signed bundle and delta that appears in a folder'],
    [
      'serve --refresh-url https://carrel.example.com --refresh-domain docs.example.com --refresh-minutes 10',
      'Serve the active export of a site on a server, and each newer one',
    ],
  ],
  groups: {
    'A link to a bundle': [...bundleOptions],
    'New links from an API': [...refreshOptions],
    'Settings of the pages': [...settingsOptions],
  },
  run: ({ options, words: [folder] }) => (folder === undefined ? runBundle(options) : serveFolder(folder, options)),
});

/** `carrel serve`: its options and how it is used. */
export const command: typeof serve = {
  ...serve,
  async start(args) {
    const read = readArguments(serve, args);
    if (!read) return 0;
    // In a container, environment variables set the options of a bundle; arguments override them.
    const names = read.words.length === 0 ? Object.keys(options) : [...settingsOptions, 'allow-host', 'require-signature'];
    return await serve.start([...fromEnvironment(process.env, names), ...args]);
  },
};

async function serveFolder(folder: string, given: Options): Promise<void> {
  const { port, host, 'allow-host': allowHosts, base } = given;
  const settings = settingsOf(given);
  const foreign = [...bundleOptions, ...refreshOptions].find((name) => given[name] !== undefined);
  if (foreign) throw usageError(`--${foreign} only applies to bundles from a link, but "${folder}" is a folder or a file.`);
  const served = await withSmallYoungSpace(() =>
    serveSite({ source: resolve(folder), keys: keysOf(given), port, host, allowHosts, base, settings, quote }),
  );
  const stopped = untilStopped();
  console.log(`${shownName(served.name)} is served at ${served.address} (Ctrl+C stops it)`);
  await stopped;
  await served.close();
}

/** Most sites are never asked: the code that answers is loaded with the first question. */
const quote: SiteQuoter = async (...question) => {
  quoter ??= import('../../server/assistant/answer/answer-text.ts').then(({ createSiteQuoter }) => createSiteQuoter());
  return (await quoter)(...question);
};
let quoter: Promise<SiteQuoter> | undefined;

/** Milliseconds between two looks at a folder: a copy that stands still for so long is tried. */
const watchedEvery = 2000;

/** Serves a bundle from a link, or those of a folder. */
async function runBundle(given: Options): Promise<void> {
  const { bundle, watch, version, keep = '.carrel/bundle', port, host, 'allow-host': allowHosts, base } = given;
  const { 'max-size': megabytes = 8192, 'time-limit': minutes = 30, 'refresh-minutes': refreshMinutes } = given;
  const refresh = refreshOf(given, process.env);
  if (watch !== undefined && (bundle !== undefined || refresh))
    throw usageError(`--watch and --${bundle === undefined ? 'refresh-url' : 'bundle'} exclude each other.`);
  const link = refresh ? { url: bundle, refresh } : bundle === undefined ? undefined : { url: bundle };
  const from = watch === undefined ? link : { watch: resolve(watch) };
  if (!from) throw usageError('Missing argument: FOLDER, ZIP, --bundle URL, --watch FOLDER or --refresh-url URL');
  const settings = settingsOf(given);
  const stop = new AbortController();
  const stopped = untilStopped().then(() => stop.abort());
  try {
    const served = await withSmallYoungSpace(() =>
      serveBundle({
        ...from,
        version,
        keys: keysOf(given),
        keep: resolve(keep),
        keepLast: given['keep-last'],
        refreshEvery: watch === undefined ? refreshMinutes && refreshMinutes * 60_000 : watchedEvery,
        port,
        host,
        allowHosts,
        base,
        settings,
        quote,
        signal: stop.signal,
        now: Date.now,
        maxBytes: megabytes * 1024 * 1024,
        timeLimit: minutes * 60_000,
        say: (line) => console.log(shown(line)),
        warn: (line) => console.error(shown(`Warning: ${line}`)),
      }),
    );
    // In a terminal, the signal means that the terminal was closed.
    if (!process.stdout.isTTY && process.platform !== 'win32')
      process.on('SIGHUP', () => void withSmallYoungSpace(() => served.reload()));
    console.log(`${shownName(served.name)}, version ${shownName(served.version)}, is served at ${served.address}`);
    await stopped;
    await served.close();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** Where new links come from. Throws a `UsageError` if the options are incomplete, or the key is not an admin key. */
function refreshOf(
  { 'refresh-url': api, 'refresh-domain': domain, 'refresh-job': jobId }: Options,
  environment: NodeJS.ProcessEnv,
): LinkSource | undefined {
  if (api === undefined) {
    if (domain === undefined && jobId === undefined) return undefined;
    throw usageError(`--refresh-${domain === undefined ? 'job' : 'domain'} also requires --refresh-url.`);
  }
  if (domain !== undefined && jobId !== undefined) throw usageError('--refresh-domain and --refresh-job exclude each other.');
  const of = domain !== undefined ? { domain } : jobId !== undefined ? { jobId } : undefined;
  if (!of) throw usageError('--refresh-url also requires --refresh-domain or --refresh-job.');
  const key = environment.CARREL_BUNDLE_KEY?.trim();
  if (!key) throw usageError('--refresh-url also requires an admin key (svc_…) in the environment variable CARREL_BUNDLE_KEY.');
  // A key that is not valid in a header would appear in the error of the request.
  if (!/^svc_\w+$/.test(key) || key.startsWith('svc_dsc_'))
    throw usageError('CARREL_BUNDLE_KEY is not an admin key: svc_ followed by letters and digits, without quotes.');
  return { api, of, key };
}

function keysOf({ 'require-signature': keys }: Options): PublicKey[] | undefined {
  return keys && publicKeysOf(keys);
}

/** The settings in the options. Throws a `UsageError` if the options of the assistant are incomplete. */
function settingsOf({
  settings,
  'assistant-url': url,
  'assistant-domain': domain,
  'assistant-key': key,
}: Options): HostSettings | undefined {
  if (url !== undefined && domain !== undefined)
    return { ...settings, assistant: { url, domain, ...(key === undefined ? {} : { key }) } };
  const given = { 'assistant-url': url, 'assistant-domain': domain, 'assistant-key': key };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return settings;
  const missing = [url === undefined && '--assistant-url', domain === undefined && '--assistant-domain'].filter(Boolean);
  throw usageError(`--${name} also requires ${missing.join(' and ')}.`);
}

/** Arguments for those options that environment variables set. */
function fromEnvironment(environment: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  return Object.entries(options).flatMap(([name, schema]) => {
    if (!names.includes(name)) return [];
    const { env } = schema.meta() ?? {};
    const value = typeof env === 'string' ? environment[env] : undefined;
    return value ? [`--${name}=${value}`] : [];
  });
}

function isLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function usageError(message: string): UsageError {
  const program = commandName(process.env);
  return new UsageError(message, `Usage: ${program} ${serve.usage}. \`${program} serve --help\` lists all options.`);
}
