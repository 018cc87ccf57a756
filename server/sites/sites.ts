// The registry: a domain and where its docs come from.
import { z } from 'zod';
import { deployments } from '../../integration/bundle/manifest.ts';
import type { Database } from '../database/database.ts';

/** Where the docs of a site are. */
export const siteSourceSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('folder'),
    /** Absolute path on the server's machine. */
    path: z.string().min(1).max(4096),
  }),
  z.strictObject({
    type: z.literal('git'),
    /** `https://…` or `ssh://…`; never with a password in it. */
    url: z.string().min(1).max(2048),
    /** Branch or tag; the remote's default branch when absent. */
    ref: z.string().min(1).max(255).optional(),
    /** Folder of the repository that holds the docs. */
    folder: z.string().max(1024).optional(),
  }),
]);
export type SiteSource = z.infer<typeof siteSourceSchema>;

export const siteSettingsSchema = z.strictObject({
  /** `docs`: a docs folder, nothing of which is executed. `astro`: an Astro project, whose own code runs with the worker's rights. */
  builder: z.enum(['docs', 'astro']).default('docs'),
  /** Address the site will have, for canonical links and the sitemap. */
  siteUrl: z.url({ protocol: /^https?$/ }).optional(),
  deployment: z.enum(deployments).default('client-hosted'),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema>;

/** Host name or plain name, in lower case: no scheme, port, slash or path. */
export const domainSchema = z
  .string()
  .max(253)
  .transform((domain) => domain.toLowerCase())
  .refine((domain) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(domain), {
    error: 'must be a host name such as docs.example.com: no scheme, port, slash or path',
  });

export interface RegisteredSite {
  domain: string;
  organization: string;
  source: SiteSource;
  settings: SiteSettings;
  /** The completed job whose export is served. */
  activeJob: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface Sites {
  /** Of any organization: routes check whose it is. Answers from memory for at most a second. */
  get(domain: string): Promise<RegisteredSite | undefined>;
  list(organization: string): Promise<RegisteredSite[]>;
  /** Adds or changes a site. Throws `ApiError` 409 `DomainTaken` when another organization has it. */
  put(site: Pick<RegisteredSite, 'domain' | 'organization' | 'source' | 'settings'>): Promise<RegisteredSite>;
  /** Its jobs stay as records; false when the organization has no such site. */
  remove(organization: string, domain: string): Promise<boolean>;
}

export function createSites(_database: Database, _now: () => number): Sites {
  throw new Error('Being written.');
}
