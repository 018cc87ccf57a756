// One schema for the configuration: type, defaults, checks and documentation. Each key has its environment variable.
import { resolve } from 'node:path';
import { z } from 'zod';

// A number, or its text in an environment variable.
const number = (least: number, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value),
    z
      .number({ error: 'must be a number' })
      .int({ error: 'must be a whole number' })
      .min(least, { error: `must be ${least} or more` })
      .max(most, { error: `must be at most ${most}` }),
  );
const whole = (least: number, most: number, fallback: number) => number(least, most).default(fallback);
const port = (fallback: number) => whole(0, 65_535, fallback);
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL, such as https://docs.example.com' })
  .refine((url) => !/[?#@]/.test(url), { error: 'must be a URL without a user name, query or fragment (#)' })
  .transform((url) => url.replace(/\/+$/, ''));
const list = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').map((part) => part.trim()))])
  .transform((parts) => parts.filter((part) => part !== ''))
  .default([]);

export const serverOptionsSchema = z.strictObject({
  /** Which part of the server this process is. @default 'all' */
  role: z
    .enum(['all', 'api', 'worker'], { error: 'must be one of all, api, worker' })
    .default('all')
    .meta({ env: 'CARREL_ROLE', description: 'What this process runs: all, api or worker' }),
  /** @default '127.0.0.1' */
  host: z.string().min(1).default('127.0.0.1').meta({ env: 'HOST', description: 'Address to listen on' }),
  /** @default 4400 */
  port: port(4400).meta({ env: 'PORT', description: 'Port of the API and the dashboard; 0 for any free port' }),
  /** @default 4401 */
  sitesPort: port(4401).meta({ env: 'SITES_PORT', description: 'Port of the exported sites; 0 for any free port' }),
  /** @default 'http://HOST:PORT' */
  publicUrl: url.optional().meta({ env: 'CARREL_PUBLIC_URL', description: 'URL of the API as callers reach it' }),
  /** @default 'http://HOST:SITES_PORT' */
  sitesUrl: url.optional().meta({ env: 'CARREL_SITES_URL', description: 'URL of the exported sites as readers reach them' }),
  /** @default '.carrel' */
  data: z
    .string()
    .min(1)
    .default('.carrel')
    .transform((folder) => resolve(folder))
    .meta({ env: 'CARREL_DATA', description: 'Folder for everything that the server stores on disk' }),
  databaseUrl: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .optional()
    .meta({ env: 'DATABASE_URL', secret: true, description: 'PostgreSQL to use instead of the embedded database' }),
  secret: z
    .string()
    .min(32, { error: 'must have 32 characters or more' })
    .optional()
    .meta({ env: 'CARREL_SECRET', secret: true, description: 'Signs links; generated and stored in the data folder by default' }),
  s3Bucket: z
    .string()
    .min(1)
    .optional()
    .meta({ env: 'CARREL_S3_BUCKET', description: 'Bucket that stores exports instead of the disk' }),
  s3Endpoint: url.optional().meta({ env: 'CARREL_S3_ENDPOINT', description: 'URL of an S3-compatible service' }),
  s3Prefix: z.string().default('').meta({ env: 'CARREL_S3_PREFIX', description: 'Prefix of all keys in the bucket' }),
  /** Seconds. @default 3600 */
  linkSeconds: whole(60, 604_800, 3600).meta({ env: 'CARREL_LINK_SECONDS', description: 'Lifetime of a bundle link in seconds' }),
  /** @default 5 */
  keepExports: whole(1, 1000, 5).meta({ env: 'CARREL_KEEP_EXPORTS', description: 'Completed exports to store for each site' }),
  /** @default 1 */
  workers: whole(1, 64, 1).meta({ env: 'CARREL_WORKERS', description: 'Jobs to run at the same time in this process' }),
  /** @default 5000 */
  queuedJobs: whole(1, 1_000_000, 5000).meta({
    env: 'CARREL_QUEUED_JOBS',
    description: 'Maximum number of queued jobs of an organization',
  }),
  /** @default 30 */
  jobMinutes: whole(1, 1440, 30).meta({ env: 'CARREL_JOB_MINUTES', description: 'Maximum duration of a job in minutes' }),
  /** @default 2048 */
  jobMemoryMb: whole(256, 65_536, 2048).meta({ env: 'CARREL_JOB_MEMORY_MB', description: 'Maximum memory of a job in MB' }),
  /** @default 8192 */
  jobOutputMb: whole(1, 1_048_576, 8192).meta({ env: 'CARREL_JOB_OUTPUT_MB', description: 'Maximum size of an export in MB' }),
  /** @default 20 */
  drainSeconds: whole(0, 3600, 20).meta({
    env: 'CARREL_DRAIN_SECONDS',
    description: 'Seconds that running jobs have to finish when the server stops',
  }),
  /** @default 64 */
  bodyKb: whole(1, 65_536, 64).meta({ env: 'CARREL_BODY_KB', description: 'Maximum size of a request body in KB' }),
  /** @default 1024 */
  assistantBodyKb: whole(1, 65_536, 1024).meta({
    env: 'CARREL_ASSISTANT_BODY_KB',
    description: 'Maximum size of an assistant request body in KB',
  }),
  /** @default 10000 */
  questionsPerHour: whole(1, 1_000_000_000, 10_000).meta({
    env: 'CARREL_QUESTIONS_PER_HOUR',
    description: 'Questions of an organization per hour',
  }),
  /** @default 10000 */
  questionsPerDay: whole(1, 1_000_000_000, 10_000).meta({
    env: 'CARREL_QUESTIONS_PER_DAY',
    description: 'Questions from an IP address per day (UTC)',
  }),
  questionsPerMinute: number(1, 1_000_000_000).optional().meta({
    env: 'CARREL_QUESTIONS_PER_MINUTE',
    description: 'Questions of a reader per minute; unlimited by default',
  }),
  /** @default 10000 */
  searchesPerHour: whole(1, 1_000_000_000, 10_000).meta({
    env: 'CARREL_SEARCHES_PER_HOUR',
    description: 'Searches of an organization per hour; the same limit applies to pages',
  }),
  /** @default 4000 */
  streams: whole(1, 1_000_000, 4000).meta({
    env: 'CARREL_STREAMS',
    description: 'Concurrent answers in this process',
  }),
  /** @default 2000 */
  streamsPerKey: whole(1, 1_000_000, 2000).meta({
    env: 'CARREL_STREAMS_PER_KEY',
    description: 'Concurrent answers of one key in this process',
  }),
  /** @default 30 */
  threadDays: whole(1, 3650, 30).meta({
    env: 'CARREL_THREAD_DAYS',
    description: 'Days that a conversation is stored after its last question',
  }),
  /** @default 'auto' */
  finishThread: z.enum(['always', 'auto', 'never'], { error: 'must be one of always, auto, never' }).default('auto').meta({
    env: 'CARREL_FINISH_THREAD',
    description: 'Whether the finish event has threadId at its top level: always, auto (not for AI SDK clients) or never',
  }),
  /** @default 'info' */
  log: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'must be one of silent, error, warn, info, debug' })
    .default('info')
    .meta({ env: 'CARREL_LOG', description: 'Lowest level to log: silent, error, warn, info or debug' }),
  trustedProxies: list.meta({
    env: 'CARREL_TRUSTED_PROXIES',
    description: 'IP addresses or CIDR ranges of proxies whose X-Forwarded-For header is trusted',
  }),
  privateHosts: list.meta({
    env: 'CARREL_PRIVATE_HOSTS',
    description: 'Hosts, IP addresses or CIDR ranges in private networks that git, webhooks and models are allowed to reach',
  }),
  gitCredentials: z.string().min(1).optional().meta({
    env: 'CARREL_GIT_CREDENTIALS',
    description: 'File of git credentials, one per line: https://user:password@host organization=ID repositories=PATTERNS',
  }),
  gitSshOrganizations: list.meta({
    env: 'CARREL_GIT_SSH_ORGANIZATIONS',
    description:
      'Organizations that are allowed to add ssh repositories without the scope operator; the server opens them with its own ssh keys',
  }),
  gitAuthorities: z
    .string()
    .min(1)
    .transform((file) => resolve(file))
    .optional()
    .meta({
      env: 'CARREL_GIT_AUTHORITIES',
      description: "File of certificate authorities (PEM) that git trusts instead of the system's",
    }),
  modelUrl: url.optional().meta({
    env: 'CARREL_MODEL_URL',
    description: 'OpenAI-compatible model that answers for sites without their own: http://127.0.0.1:11434/v1',
  }),
  model: z.string().min(1).max(200).optional().meta({ env: 'CARREL_MODEL', description: 'Name of that model' }),
  modelKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'must not contain spaces' })
    .optional()
    .meta({ env: 'CARREL_MODEL_KEY', secret: true, description: 'API key of that model' }),
  /** @default 8192 */
  modelContextTokens: whole(2048, 10_000_000, 8192).meta({
    env: 'CARREL_MODEL_CONTEXT_TOKENS',
    description: 'Context size of that model in tokens, including its answer',
  }),
  /** @default 1024 */
  modelOutputTokens: whole(16, 1_000_000, 1024).meta({
    env: 'CARREL_MODEL_OUTPUT_TOKENS',
    description: 'Maximum length of an answer in tokens',
  }),
  /** Seconds. @default 60 */
  modelFirstSeconds: whole(1, 3600, 60).meta({
    env: 'CARREL_MODEL_FIRST_SECONDS',
    description: 'Seconds until the first words of an answer',
  }),
  /** Seconds. @default 300 */
  modelSeconds: whole(1, 3600, 300).meta({
    env: 'CARREL_MODEL_SECONDS',
    description: 'Seconds until the end of an answer',
  }),
  metricsToken: z
    .string()
    .min(1)
    .optional()
    .meta({ env: 'CARREL_METRICS_TOKEN', secret: true, description: 'Bearer token that /metrics requires; public by default' }),
});

export type ServerOptions = z.output<typeof serverOptionsSchema>;

/** What the schema says about one option. */
export interface OptionMeta {
  env: string;
  description: string;
  /** Its value is never printed. */
  secret?: boolean;
}

export function metaOf(key: keyof ServerOptions): OptionMeta {
  return serverOptionsSchema.shape[key].meta() as unknown as OptionMeta;
}
