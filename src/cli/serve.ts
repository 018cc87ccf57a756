import { resolve } from 'node:path';
import { z } from 'zod';
import { shown, shownName } from '../../integration/text/shown.ts';
import { serveBundle } from '../../server/hosting/serve-bundle.ts';
import { serveSite } from '../../server/hosting/serve.ts';
import type { SiteAssistant } from '../../server/hosting/with-assistant.ts';
import { commandName } from './command-name.ts';
import { withSmallYoungSpace } from './small-young-space.ts';
import { untilStopped } from './until-stopped.ts';
import { readArguments, UsageError, type Command } from './usage.ts';

const whole = z.coerce.number({ error: 'must be a number' }).int({ error: 'must be a whole number' });

const options = z.strictObject({
  port: whole
    .min(0, { error: 'must be 0 or more' })
    .max(65535, { error: 'must be at most 65535' })
    .default(4401)
    .meta({ takes: 'PORT', description: 'Port to listen on; 0 takes any free one (default: 4401)' }),
  host: z
    .string()
    .min(1, { error: 'must not be empty' })
    .default('127.0.0.1')
    .meta({ takes: 'HOST', description: 'Address to listen on (default: 127.0.0.1, this machine only)' }),
  base: z.string().default('/').meta({ takes: 'BASE', description: 'Sub-path to serve under, such as /docs/' }),
  bundle: z
    .string()
    .refine(isLink, { error: 'must be an http(s) address without a user name, such as the bundleUrl that the API answers' })
    .optional()
    .meta({ takes: 'URL', env: 'CARREL_BUNDLE_URL', description: 'Fetch the bundle this link leads to, and serve it' }),
  version: z
    .string()
    .min(1, { error: 'must not be empty' })
    .optional()
    .meta({ takes: 'VERSION', env: 'CARREL_BUNDLE_VERSION', description: 'Serve this export version and no other' }),
  keep: z
    .string()
    .min(1, { error: 'must not be empty' })
    .optional()
    .meta({ takes: 'FOLDER', env: 'CARREL_BUNDLE_KEEP', description: 'Where the bundle is kept (default: .carrel/bundle)' }),
  'max-size': whole
    .min(1, { error: 'must be 1 or more' })
    .max(1_048_576, { error: 'must be at most 1048576' })
    .optional()
    .meta({ takes: 'MB', env: 'CARREL_BUNDLE_MAX_SIZE', description: 'Size the bundle may have, also unpacked (default: 8192)' }),
  'time-limit': whole
    .min(1, { error: 'must be 1 or more' })
    .max(1440, { error: 'must be at most 1440' })
    .optional()
    .meta({ takes: 'MINUTES', env: 'CARREL_BUNDLE_TIME_LIMIT', description: 'Time the download may take (default: 30)' }),
  'assistant-url': z
    .string()
    .refine(isAssistantUrl, {
      error:
        'must be an http(s) address without user, query and #, such as https://docs-api.example.com/discovery, or a path of this host',
    })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      takes: 'URL',
      env: 'CARREL_ASSISTANT_URL',
      description: 'Assistant that readers ask, such as https://HOST/discovery',
    }),
  'assistant-domain': z
    .string()
    .regex(/^[\w.-]+$/, { error: 'must be the name of a site, such as docs.example.com' })
    .optional()
    .meta({ takes: 'DOMAIN', env: 'CARREL_ASSISTANT_DOMAIN', description: 'Name of the site at the assistant' }),
  'assistant-key': z
    .string()
    .refine((key) => !/^svc_(?!dsc_)/.test(key), {
      error: 'is an admin key, which no reader may see. Take an assistant key (svc_dsc_…)',
    })
    .regex(/^[\x21-\x7e]+$/, { error: 'must be an assistant key (svc_dsc_…)' })
    .optional()
    .meta({
      takes: 'KEY',
      env: 'CARREL_ASSISTANT_KEY',
      description: 'Assistant key that readers ask with: public, svc_dsc_…',
    }),
});

const bundleOptions = ['bundle', 'version', 'keep', 'max-size', 'time-limit'] as const;
const assistantOptions = ['assistant-url', 'assistant-domain', 'assistant-key'] as const;

/** `carrel serve`: its options and how it is used. */
export const command: Command<typeof options> = {
  usage: 'serve FOLDER|ZIP|--bundle URL',
  summary: 'Serve an export over http, from its folder, from the zip of it, or from a link to a bundle (--bundle URL).',
  options,
  words: [0, 1],
};

export async function run(args: string[]): Promise<number> {
  const read = readArguments(command, [...fromEnvironment(process.env, assistantOptions), ...args]);
  if (!read) return 0;
  const [folder] = read.words;
  if (folder === undefined) return runBundle(args);
  const { port, host, base } = read.options;
  const assistant = assistantOf(read.options);
  const foreign = bundleOptions.find((name) => read.options[name] !== undefined);
  if (foreign) throw wrongUse(`--${foreign} is for bundles from a link, and "${folder}" is a folder or a file.`);
  const served = await withSmallYoungSpace(() => serveSite({ source: resolve(folder), port, host, base, assistant }));
  const stopped = untilStopped();
  console.log(`${shownName(served.name)} is served at ${served.address} (Ctrl+C stops it)`);
  await stopped;
  await served.close();
  return 0;
}

/** In a container the environment says what to serve; arguments win over it. */
async function runBundle(args: string[]): Promise<number> {
  const read = readArguments(command, [...fromEnvironment(process.env), ...args])!;
  const { bundle, version, keep = '.carrel/bundle', port, host, base } = read.options;
  const { 'max-size': megabytes = 8192, 'time-limit': minutes = 30 } = read.options;
  if (bundle === undefined) throw wrongUse('A folder or file is missing.');
  const assistant = assistantOf(read.options);
  const stop = new AbortController();
  const stopped = untilStopped().then(() => stop.abort());
  try {
    const served = await serveBundle({
      ...{ url: bundle, version, keep: resolve(keep), port, host, base, assistant, signal: stop.signal, now: Date.now },
      maxBytes: megabytes * 1024 * 1024,
      timeLimit: minutes * 60_000,
      say: (line) => console.log(shown(line)),
      warn: (line) => console.error(shown(`Warning: ${line}`)),
    });
    // At a terminal the signal means that the terminal was closed.
    if (!process.stdout.isTTY && process.platform !== 'win32') process.on('SIGHUP', () => void served.reload());
    console.log(`${shownName(served.name)}, version ${shownName(served.version)}, is served at ${served.address}`);
    await stopped;
    await served.close();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  return 0;
}

/** The assistant that the options name. Throws a `UsageError` where they name half of one. */
function assistantOf({
  'assistant-url': url,
  'assistant-domain': domain,
  'assistant-key': key,
}: z.output<typeof options>): SiteAssistant | undefined {
  if (url !== undefined && domain !== undefined) return { url, domain, ...(key === undefined ? {} : { key }) };
  const given = assistantOptions.find((_, index) => [url, domain, key][index] !== undefined);
  if (given === undefined) return undefined;
  const missing = [url === undefined && '--assistant-url', domain === undefined && '--assistant-domain'].filter(Boolean);
  throw wrongUse(`--${given} needs ${missing.join(' and ')} as well.`);
}

function isAssistantUrl(text: string): boolean {
  if (/[?#\s\\]/.test(text)) return false;
  return /^\/(?!\/)/.test(text) || isLink(text);
}

/** Arguments for the options that the environment names, by default all of them. */
function fromEnvironment(environment: NodeJS.ProcessEnv, names: readonly string[] = Object.keys(options.shape)): string[] {
  return Object.entries(options.shape).flatMap(([name, schema]) => {
    if (!names.includes(name)) return [];
    const { env } = (schema as z.ZodType).meta() ?? {};
    const value = typeof env === 'string' ? environment[env] : undefined;
    return value ? [`--${name}=${value}`] : [];
  });
}

function isLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function wrongUse(message: string): UsageError {
  const program = commandName(process.env);
  return new UsageError(message, `Usage: ${program} ${command.usage}. \`${program} serve --help\` tells all options.`);
}
