// The settings that pages read from `carrel.config.js`: one schema for the sites of a server, `carrel serve`, exports and the chart.
import { z } from 'zod';
import { ExportError } from './errors.ts';
import { deployments, type Deployment } from './manifest.ts';
import { isRecord } from './text/json.ts';
import { originHost, providerUrl } from './reader/shared/analytics-providers.ts';
import { isPublicAddress } from './remote/address-range.ts';

/** URL of a server, or its path on the host of the pages; without slashes at the end. */
export const serverUrlSchema = z
  .string()
  .max(2048)
  .refine(isServerUrl, {
    error:
      'must be an http(s) URL without a user name, query or fragment (#), such as https://docs-api.example.com/discovery, or a path on this host',
  })
  .transform((url) => url.replace(/\/+$/, ''));

export const siteDomainSchema = z
  .string()
  .regex(/^[\w.-]+$/, { error: 'must be the domain of a site, such as docs.example.com' });

/** A key that every reader sees. */
export const readerKeySchema = z
  .string()
  .refine((key) => !/^svc_(?!dsc_)/.test(key), {
    error: 'is an admin key, which readers must not see. Use an assistant key (svc_dsc_…)',
  })
  .regex(/^[\x21-\x7e]+$/, { error: 'must be an assistant key (svc_dsc_…)' });

const hostSchema = z
  .string()
  .max(260)
  .regex(/^[A-Za-z0-9_.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/, {
    error: 'must be a host with or without a port, such as api.example.com',
  });

const originHostSchema = z
  .string()
  .max(260)
  .regex(originHost, { error: 'must be a host such as tags.example.com, or *.example.com' });

const searchSchema = z.strictObject({
  enabled: z.boolean({ error: 'must be true or false' }).meta({ description: 'Whether pages have search. By default, they do.' }),
});

const assistantSchema = z.strictObject({
  mode: z
    .enum(['off', 'quotes', 'model'], { error: 'must be off, quotes or model' })
    .optional()
    .meta({ description: 'Whether pages have the panel, and whether it may ask the model of the site. By default, it does.' }),
  suggestions: z
    .array(z.string().min(1).max(200))
    .max(3)
    .optional()
    .meta({ description: 'Suggested questions.', example: ['How do I begin?'] }),
});

/** URL of an analytics server of one's own, whose scripts pages load. */
const providerUrlSchema = z
  .string()
  .max(2048)
  .refine((url) => providerUrl.test(url) && URL.canParse(url), {
    error: 'must be an https URL without a user name, query or fragment (#), such as https://stats.example.com',
  })
  .transform((url) => url.replace(/\/+$/, ''));

const id = (pattern: RegExp, example: string) =>
  z.string({ error: `must be an ID such as ${example}` }).regex(pattern, { error: `must be an ID such as ${example}` });

/** Web analytics of others, by the names and fields of `integrations` in docs.json; Matomo and Umami are only in our settings. */
export const analyticsProvidersSchema = z
  .strictObject({
    ga4: z.strictObject({ measurementId: id(/^G-[A-Za-z0-9]{1,32}$/, 'G-ABC123DEF4') }).optional(),
    gtm: z.strictObject({ tagId: id(/^GTM-[A-Za-z0-9]{1,32}$/, 'GTM-ABC1234') }).optional(),
    plausible: z
      .strictObject({
        domain: z
          .string()
          .max(1000)
          .regex(/^[\w.-]+(?:\/[\w./-]*)?(?:,[\w.-]+(?:\/[\w./-]*)?)*$/, {
            error: 'must be the domain of the site, such as docs.example.com',
          }),
        server: hostSchema.optional().meta({ description: 'Host of your own Plausible server; by default plausible.io.' }),
      })
      .optional(),
    fathom: z.strictObject({ siteId: id(/^[A-Za-z0-9]{1,32}$/, 'ABCDEFGH') }).optional(),
    posthog: z
      .strictObject({
        apiKey: id(/^phc_[A-Za-z0-9_-]{1,100}$/, 'phc_…'),
        apiHost: providerUrlSchema.optional().meta({ description: 'By default https://us.i.posthog.com.' }),
        sessionRecording: z.boolean({ error: 'must be true or false' }).optional().meta({ description: 'By default false.' }),
      })
      .optional(),
    pirsch: z.strictObject({ id: id(/^[A-Za-z0-9]{1,64}$/, 'AbCdEf0123456789') }).optional(),
    matomo: z
      .strictObject({
        url: providerUrlSchema,
        siteId: z.int({ error: 'must be the number of the site' }).min(1, { error: 'must be the number of the site' }),
      })
      .optional(),
    umami: z
      .strictObject({
        url: providerUrlSchema,
        websiteId: z.guid({ error: 'must be a UUID, such as 94db1cb1-74f4-4a40-ad6c-962362670409' }),
      })
      .optional(),
  })
  .meta({ id: 'AnalyticsProviders' });
export type AnalyticsProviders = z.infer<typeof analyticsProvidersSchema>;

const analyticsSchema = z.strictObject({
  mode: z.enum(['off', 'own', 'providers', 'both'], { error: 'must be off, own, providers or both' }).optional().meta({
    description:
      'Which web analytics pages have: none, those of the Carrel server (`own`), those of `providers`, or both. By default none.',
  }),
  consent: z
    .enum(['none', 'required'], { error: 'must be none or required' })
    .optional()
    .meta({ description: 'Whether readers are asked first. By default, they are asked before providers are loaded.' }),
  providers: analyticsProvidersSchema.optional(),
  hosts: z
    .array(originHostSchema)
    .max(100)
    .optional()
    .meta({
      description:
        'Further hosts that the scripts of providers load from and send requests to, such as those of the tags in GTM.',
      example: ['tags.example.com'],
    }),
});

const playgroundSchema = z.strictObject({
  mode: z
    .enum(['off', 'mock', 'direct', 'proxy'], { error: 'must be off, mock, direct or proxy' })
    .meta({ description: 'Where the requests of readers go: nowhere, from their browser, or through this server.' }),
  hosts: z
    .array(hostSchema)
    .max(100)
    .optional()
    .meta({
      description: 'Hosts that requests may be sent to; by default the servers of the site’s API specifications.',
      example: ['api.example.com'],
    }),
});

/** Of a site on a Carrel server, which knows its own URL and key. */
export const siteFeaturesSchema = z
  .strictObject({ search: searchSchema, assistant: assistantSchema, analytics: analyticsSchema, playground: playgroundSchema })
  .partial()
  .meta({ id: 'SiteFeatures' });
export type SiteFeatures = z.infer<typeof siteFeaturesSchema>;

/** Changes of the features: what is absent stays, and null removes a feature. */
export const featureChangesSchema = z
  .strictObject({
    search: searchSchema.nullable(),
    assistant: assistantSchema.nullable(),
    analytics: analyticsSchema.nullable(),
    playground: playgroundSchema.nullable(),
  })
  .partial();
export type FeatureChanges = z.infer<typeof featureChangesSchema>;

const server = { url: serverUrlSchema.optional(), domain: siteDomainSchema.optional(), key: readerKeySchema.optional() };

const pageFeaturesSchema = z
  .strictObject({
    search: searchSchema,
    assistant: assistantSchema.extend(server),
    analytics: analyticsSchema.extend(server),
    playground: playgroundSchema.extend(server),
  })
  .partial();
type PageFeatures = z.infer<typeof pageFeaturesSchema>;

/** What `carrel.config.js` may set. */
export const pageSettingsSchema = z
  .strictObject({
    /** Where given, the type of the export that the settings are for. */
    deployment: z.enum(deployments, { error: `must be one of ${deployments.join(', ')}` }).optional(),
    features: pageFeaturesSchema,
  })
  .superRefine(({ deployment, features }, context) => {
    for (const { path, message } of deployment ? deploymentFaults(deployment, features) : [])
      context.addIssue({ code: 'custom', path: ['features', ...path], message });
  });
export type PageSettings = z.infer<typeof pageSettingsSchema>;

/** Features of an export with those of the host, which override them; what an export says about analytics stays where the host says nothing. */
export function mergedFeatures(own: Record<string, unknown>, features: PageFeatures): Record<string, unknown> {
  const { analytics } = features;
  const before = own['analytics'];
  return { ...own, ...features, ...(analytics && isRecord(before) && { analytics: { ...before, ...analytics } }) };
}

/**
 * What the `carrel.config.js` of an export sets: the providers that the site names, which are on in the type `cloud` alone, and the settings
 * of the host.
 */
export function exportedFeatures(
  { providers = {}, deployment }: { providers?: AnalyticsProviders; deployment: Deployment },
  settings?: PageSettings,
): Record<string, unknown> {
  const hasProviders = Object.keys(providers).length > 0 && deployment !== 'air-gapped';
  const own = hasProviders ? { analytics: { mode: deployment === 'cloud' ? 'providers' : 'off', providers } } : {};
  return mergedFeatures(own, settings?.features ?? {});
}

/** Throws `ExportError` `SettingsNotPossible` with all settings that an export of this deployment type cannot have. */
export function checkSettings({ deployment: wanted, features }: Partial<PageSettings>, deployment: Deployment): void {
  const faults = deploymentFaults(deployment, features ?? {}).map(
    ({ path, message }) => `features.${path.join('.')} ${message}.`,
  );
  if (wanted !== undefined && wanted !== deployment)
    faults.unshift(`deployment is "${wanted}", but the export is ${deployment}. Export it again with --deployment ${wanted}.`);
  if (faults.length > 0)
    throw new ExportError(
      'SettingsNotPossible',
      `The settings do not fit the export: ${faults.join(' ')}`,
      'Change the settings.',
    );
}

/** What a deployment type cannot have, each with its path in `features` and the reason. */
export function deploymentFaults(
  deployment: Deployment,
  features: PageFeatures | SiteFeatures,
): { path: string[]; message: string }[] {
  if (deployment !== 'air-gapped') return [];
  const { assistant, analytics, playground }: PageFeatures = features;
  const loadsProviders = analytics?.mode === 'providers' || analytics?.mode === 'both';
  const urls = { assistant: assistant?.url, analytics: analytics?.url, playground: playground?.url };
  const hosts = playground?.mode === 'direct' || playground?.mode === 'proxy' ? (playground.hosts ?? []) : [];
  const isPublic = (url: string | undefined) => isPublicAddress(URL.parse(url ?? '')?.hostname ?? '');
  return [
    ...(loadsProviders
      ? [
          {
            path: ['analytics', 'mode'],
            message: `cannot be "${analytics.mode}" in an air-gapped export, whose readers cannot reach the hosts of providers. Use own or off`,
          },
        ]
      : []),
    ...Object.entries(urls)
      .filter(([, url]) => isPublic(url))
      .map(([feature, url]) => ({ path: [feature, 'url'], message: notReachable(url!) })),
    ...hosts
      .filter((host) => isPublic(`https://${host}`))
      .map((host) => ({ path: ['playground', 'hosts'], message: notReachable(host) })),
  ];
}

function notReachable(host: string): string {
  return `is "${host}", a public address, which readers of an air-gapped export cannot reach. Use a host of their network`;
}

function isServerUrl(text: string): boolean {
  if (/[?#\s\\]/.test(text)) return false;
  if (/^\/(?!\/)/.test(text)) return true;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // The host becomes part of a policy.
  return /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host);
}
