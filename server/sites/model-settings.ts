// The model settings of a site, and how they are stored: possible secrets are encrypted, and no response shows them.
import { z } from '@hono/zod-openapi';
import type { SiteFeatures } from '../../integration/page-settings.ts';
import { sealNames } from '../database/sealed-texts.ts';
import { whole } from '../platform/limits.ts';
import { seal, unseal, type Secrets } from '../platform/secrets.ts';
import type { ServerOptions } from '../platform/options.ts';

const mostLevels = 32;

function isAtMostDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inside) => isAtMostDeep(inside, levels - 1));
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
// What the connection itself decides, and what the key does.
const ownHeaders = /^(?:authorization|connection|content-length|content-type|host|transfer-encoding|upgrade)$/i;

/** A model behind an OpenAI-compatible interface, as a user sets it. */
export const modelSchema = z.strictObject({
  /** URL that `/chat/completions` is below: `http://127.0.0.1:11434/v1`. */
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL, such as http://127.0.0.1:11434/v1' })
    .max(2048)
    .refine((url) => URL.canParse(url) && !/[?#]/.test(url) && !/\/\/[^/]*@/.test(url), {
      error: 'must be a URL without a user name, query or fragment (#); put the key in apiKey',
    })
    .transform((url) => url.replace(/\/+$/, '')),
  /** Name of the model on its server. */
  model: z.string().min(1).max(200),
  /** Sent as a bearer token. When absent, the one stored for the same URL stays; null removes it. */
  apiKey: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, { error: 'must not contain spaces' })
    .nullable()
    .optional(),
  /** More headers. When absent, those stored for the same URL stay; null removes them. */
  headers: z
    .record(
      z.string(),
      z
        .string()
        .max(4096)
        .regex(/^[\t\x20-\x7e]*$/, { error: 'must be plain text on one line' }),
    )
    .refine((headers) => Object.keys(headers).every((name) => headerName.test(name) && !ownHeaders.test(name)), {
      error: 'must be names of headers other than Authorization (which is apiKey), Host, and those of the connection',
    })
    .refine((headers) => Object.keys(headers).length <= 20, { error: 'must contain at most 20 headers' })
    .nullable()
    .optional(),
  /** Fields added to the body of every request: `{ "chat_template_kwargs": { "enable_thinking": false } }`. */
  body: z
    .record(z.string(), z.unknown())
    // Deeper ones overflow the stack of whatever writes or stores them.
    .refine((body) => isAtMostDeep(body, mostLevels), { error: `must have at most ${mostLevels} levels`, abort: true })
    .refine((body) => JSON.stringify(body).length <= 16_384, { error: 'must be at most 16 KB as JSON' })
    .refine((body) => !['messages', 'stream', 'tools'].some((name) => name in body), {
      error: 'must not contain messages, stream or tools',
    })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Longest answer, in tokens of the model. @default 1024 */
  maxOutputTokens: whole(16, 1_000_000).default(1024),
  /** Context window in tokens, including the answer: passages and earlier messages are truncated to fit. @default 8192 */
  contextTokens: whole(2048, 10_000_000).default(8192),
  timeouts: z
    .strictObject({
      /** Milliseconds until an answer begins, and again until its first words or thoughts: a cold model is loaded first. @default 60000 */
      firstChunkMs: whole(100, 3_600_000).default(60_000),
      /** Milliseconds between two pieces. @default 30000 */
      chunkMs: whole(100, 3_600_000).default(30_000),
      /** Milliseconds for the whole answer. @default 300000 */
      totalMs: whole(100, 3_600_000).default(300_000),
    })
    .prefault({}),
  /** Tag around the model's thinking, `<think>`: its content is never shown. @default 'think' */
  thinkingTag: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,40}$/, { error: 'must be the name of a tag, such as think' })
    .default('think'),
  /** Whether answers begin in the middle of the thinking, without the tag that opens it. @default false */
  startsThinking: z.boolean().default(false),
});
type GivenModel = z.infer<typeof modelSchema>;

export const assistantSettingsSchema = z.strictObject({
  /** When absent, the model of the server answers; when null, no model does: the docs are quoted. */
  model: modelSchema.nullable().optional(),
  /** Called when the first one fails before its first word. */
  fallback: modelSchema.optional(),
  /** Whether the model may search again in its own words, read and list pages, in at most four steps. @default that of the server */
  tools: z.boolean().optional(),
  /** Most answers by a model in a UTC day; further ones quote the docs. 0 turns the model off. @default unlimited */
  answersPerDay: whole(0, 1_000_000).optional(),
  /** Whether the pages of the site that this server hosts ask it, too; otherwise the panel quotes the docs. @default true */
  panel: z.boolean().default(true),
});
export type GivenAssistantSettings = z.infer<typeof assistantSettingsSchema>;

/** Changes of the settings: what is absent stays, and null removes it. */
export const assistantChangesSchema = assistantSettingsSchema.extend({
  /** With null, no model answers; with `server`, that of the server does. */
  model: modelSchema
    .or(z.literal('server', { error: 'must be a model, "server" or null' }))
    .nullable()
    .optional(),
  fallback: modelSchema.nullable().optional(),
  tools: assistantSettingsSchema.shape.tools.nullable(),
  answersPerDay: assistantSettingsSchema.shape.answersPerDay.nullable(),
  panel: z.boolean().optional(),
});
export type AssistantChanges = z.infer<typeof assistantChangesSchema>;

/** A stored model. */
export interface StoredModel extends Omit<GivenModel, 'apiKey' | 'headers'> {
  sealedKey?: string;
  sealedHeaders?: string;
  /** Names of the encrypted headers. */
  headerNames?: string[];
  /** Whether an operator set the URL, so that it may be in a private network. */
  trusted: boolean;
}

export interface StoredAssistantSettings extends Omit<GivenAssistantSettings, 'model' | 'fallback' | 'panel'> {
  /** Absent in settings of older versions. */
  panel?: boolean;
  model?: StoredModel | null;
  fallback?: StoredModel;
}

/** A model with decrypted secrets. */
export interface Model extends Omit<GivenModel, 'apiKey' | 'headers'> {
  apiKey?: string;
  headers: Record<string, string>;
  trusted: boolean;
}

export interface StorageContext {
  domain: string;
  secrets: Secrets;
  /** Whether an operator gave the settings. */
  trusted: boolean;
}

/** The models for a site, in order; empty if the docs are quoted. Throws if one was encrypted with another secret. */
export function modelsOf(
  settings: StoredAssistantSettings | undefined,
  { domain, options, secrets }: { domain: string; options: ServerOptions; secrets: Secrets },
): Model[] {
  const first =
    settings?.model === undefined ? modelOfServer(options) : settings.model && openedModel(settings.model, domain, secrets);
  if (!first) return [];
  return [first, ...(settings?.fallback ? [openedModel(settings.fallback, domain, secrets)] : [])];
}

/** Whether the pages of a hosted site ask its model: it has one, and its settings let pages ask. */
export function pagesAskModel(
  { assistant, features }: { assistant?: StoredAssistantSettings; features?: SiteFeatures },
  options: ServerOptions,
): boolean {
  const model = assistant?.model === undefined ? modelOfServer(options) : assistant.model;
  return Boolean(model) && assistant?.panel !== false && (features?.assistant?.mode ?? 'model') === 'model';
}

/** The model that answers for sites without their own. */
export function modelOfServer({ modelUrl, model, modelKey, ...options }: ServerOptions): Model | undefined {
  if (modelUrl === undefined || model === undefined) return undefined;
  return {
    baseUrl: modelUrl,
    model,
    ...(modelKey === undefined ? {} : { apiKey: modelKey }),
    headers: {},
    maxOutputTokens: options.modelOutputTokens,
    contextTokens: options.modelContextTokens,
    timeouts: {
      firstChunkMs: options.modelFirstSeconds * 1000,
      chunkMs: Math.min(30, options.modelSeconds) * 1000,
      totalMs: options.modelSeconds * 1000,
    },
    thinkingTag: 'think',
    startsThinking: false,
    trusted: true,
  };
}

/** The settings that replace `before`: secrets that are not given again stay with their URL. */
export function settingsToStore(
  { model, fallback, ...rest }: GivenAssistantSettings,
  before: StoredAssistantSettings | undefined,
  context: StorageContext,
): StoredAssistantSettings {
  return {
    ...rest,
    ...(model === undefined ? {} : { model: model && modelToStore(model, before, context) }),
    ...(fallback === undefined ? {} : { fallback: modelToStore(fallback, before, context) }),
  };
}

/** The settings `before` with changes. */
export function changedSettings(
  { model, fallback, ...changes }: AssistantChanges,
  before: StoredAssistantSettings = {},
  context: StorageContext,
): StoredAssistantSettings {
  const models = {
    ...(model !== undefined && { model: model === 'server' ? undefined : model && modelToStore(model, before, context) }),
    ...(fallback !== undefined && { fallback: fallback && modelToStore(fallback, before, context) }),
  };
  const all = Object.entries({ ...before, ...changes, ...models });
  return Object.fromEntries(all.filter(([name, value]) => value !== undefined && (value !== null || name === 'model')));
}

function modelToStore(
  { apiKey, headers, ...model }: GivenModel,
  before: StoredAssistantSettings | undefined,
  { domain, secrets, trusted }: StorageContext,
): StoredModel {
  const same = [before?.model, before?.fallback].find((known) => known?.baseUrl === model.baseUrl);
  const name = sealNames.model(domain, model.baseUrl);
  const key = apiKey === undefined ? same?.sealedKey : apiKey === null ? undefined : seal(apiKey, name, secrets);
  const kept: StoredModel = { ...model, trusted: trusted || same?.trusted === true };
  if (key !== undefined) kept.sealedKey = key;
  if (headers === undefined && same?.sealedHeaders !== undefined) {
    kept.sealedHeaders = same.sealedHeaders;
    kept.headerNames = same.headerNames;
  } else if (headers && Object.keys(headers).length > 0) {
    kept.sealedHeaders = seal(JSON.stringify(headers), name, secrets);
    kept.headerNames = Object.keys(headers);
  }
  return kept;
}

/** The model with decrypted secrets. Throws if they were encrypted with another secret. */
export function openedModel(kept: StoredModel, domain: string, secrets: Secrets): Model {
  const { sealedKey, sealedHeaders, headerNames: _, ...model } = kept;
  const name = sealNames.model(domain, kept.baseUrl);
  return {
    ...model,
    ...(sealedKey === undefined ? {} : { apiKey: unseal(sealedKey, name, secrets) }),
    headers: sealedHeaders === undefined ? {} : (JSON.parse(unseal(sealedHeaders, name, secrets)) as Record<string, string>),
  };
}

const answeredModel = modelSchema
  .omit({ apiKey: true, headers: true })
  .extend({
    apiKeyIsSet: z.boolean(),
    headerNames: z.array(z.string()),
  })
  .openapi('SiteModel');

/** The settings in responses of the API. */
export const answeredSettingsSchema = z
  .object({
    model: z.union([answeredModel, z.null()]).optional(),
    fallback: answeredModel.optional(),
    tools: z.boolean().optional(),
    answersPerDay: z
      .int()
      .optional()
      .openapi({ description: 'Most answers by a model in a UTC day; further ones quote the docs.' }),
    panel: z.boolean(),
  })
  .openapi('SiteAssistant', {
    description: 'Which model answers questions about the site. Keys and header values are never returned.',
  });

export function answeredSettings({
  model,
  fallback,
  tools,
  answersPerDay,
  panel = true,
}: StoredAssistantSettings): z.infer<typeof answeredSettingsSchema> {
  return {
    ...(model === undefined ? {} : { model: model && answered(model) }),
    ...(fallback === undefined ? {} : { fallback: answered(fallback) }),
    ...(tools === undefined ? {} : { tools }),
    ...(answersPerDay === undefined ? {} : { answersPerDay }),
    panel,
  };
}

function answered({ sealedKey, sealedHeaders: _, headerNames = [], trusted: __, ...model }: StoredModel) {
  return { ...model, apiKeyIsSet: sealedKey !== undefined, headerNames };
}
