// The settings that pages read from `carrel.config.js`, where a site is served: no export contains them.
import { z } from 'zod';

/** URL of a server, or its path on the host of the pages; without slashes at the end. */
export const serverUrlSchema = z
  .string()
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

/** Of a site on a Carrel server, which knows its own URL and key. */
export const siteFeaturesSchema = z
  .strictObject({ playground: playgroundSchema.optional(), assistant: assistantSchema.optional() })
  .meta({ id: 'SiteFeatures' });

/** Changes of the features: what is absent stays, and null removes a feature. */
export const featureChangesSchema = z.strictObject({
  playground: playgroundSchema.nullable().optional(),
  assistant: assistantSchema.nullable().optional(),
});

const server = { url: serverUrlSchema.optional(), domain: siteDomainSchema.optional(), key: readerKeySchema.optional() };

/** `carrel.config.js` as a whole. */
export const pageSettingsSchema = z.strictObject({
  features: z.strictObject({
    playground: playgroundSchema.extend(server).optional(),
    assistant: assistantSchema.extend(server).optional(),
  }),
});

function isServerUrl(text: string): boolean {
  if (/[?#\s\\]/.test(text)) return false;
  if (/^\/(?!\/)/.test(text)) return true;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
