// The registry: a domain and where its docs come from.
import { isAbsolute } from 'node:path';
import { LRUCache } from 'lru-cache';
// Only this z can name schemas in the API description.
import { z } from '@hono/zod-openapi';
import { deployments } from '../../integration/manifest.ts';
import { baseUrlSchema } from '../../integration/option-values.ts';
import { siteFeaturesSchema } from '../../integration/page-settings.ts';
import { createOneSecondCache } from '../platform/one-second-cache.ts';
import type { StoredAssistantSettings } from './model-settings.ts';
import type { Database, Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { gitUrlFault, isGitRef, repositoryFolder } from './git-source.ts';
import { previewedDomain, previewsSchema } from './preview-settings.ts';
import { nextTime, scheduleSchema } from './schedule.ts';
import type { SiteReaders } from './site-readers.ts';

/** PostgreSQL stores neither NUL nor a lone surrogate in JSON. */
function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}

/** The source of a site's docs. */
export const siteSourceSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('folder'),
      /** Absolute path on the server's machine. */
      path: z
        .string()
        .max(4096)
        .refine((path) => isAbsolute(path) && isStorable(path) && !path.split(/[/\\]/).includes('..'), {
          error: 'must be an absolute path on the server\'s machine, without "..", such as /srv/docs',
        }),
    }),
    z.strictObject({
      type: z.literal('git'),
      /** `https://…` or `ssh://…`; never with a password in it. */
      url: z
        .string()
        .max(2048)
        .superRefine((url, context) => {
          const message = isStorable(url) ? gitUrlFault(url) : 'must be an https:// or ssh:// URL, in whole characters';
          if (message !== undefined) context.addIssue({ code: 'custom', message });
        }),
      /** Branch or tag; the remote's default branch when absent. */
      ref: z
        .string()
        .min(1, { error: 'must be a branch or a tag, such as main' })
        .max(255)
        .refine((ref) => isStorable(ref) && isGitRef(ref), {
          error: 'must be a branch or a tag, such as main; it may not begin with "-" or contain ".."',
        })
        .optional(),
      /** Folder of the repository that contains the docs. */
      folder: z
        .string()
        .max(1024)
        .refine((folder) => isStorable(folder) && repositoryFolder(folder) !== undefined, {
          error: 'must be a folder inside the repository, such as docs; no part of it may be ".." or begin with "-"',
        })
        .transform((folder) => repositoryFolder(folder) ?? '')
        .optional(),
    }),
  ],
  { error: 'must be folder or git' },
);
export type SiteSource = z.infer<typeof siteSourceSchema>;

export const builders = ['docs', 'astro', 'html'] as const;

export const siteSettingsSchema = z.strictObject({
  /**
   * `docs`: a docs folder, nothing of which is executed. `astro`: an Astro project, whose own code runs with the worker's rights. `html`: built
   * HTML, whose scripts run on its pages.
   */
  builder: z.enum(builders, { error: 'must be docs, astro or html' }).default('docs'),
  /** Whether an operator vouches for the React components of the docs folder, which then run. */
  trust: z.boolean().optional(),
  /** Public URL of the site, for canonical links and the sitemap. */
  siteUrl: baseUrlSchema('https://docs.example.com')
    .max(2048)
    .refine(isStorable, { error: 'must be an http(s) URL, in whole characters' })
    .optional(),
  /** Whether pages have images for social networks; needs `siteUrl`. */
  socialCards: z.boolean().optional(),
  deployment: z.enum(deployments, { error: `must be one of ${deployments.join(', ')}` }).default('client-hosted'),
  features: siteFeaturesSchema.optional(),
  /** When the server looks for changes and exports them. */
  schedule: scheduleSchema.optional(),
  /** Which other branches of the repository are exported as previews. */
  previews: previewsSchema.optional(),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema> &
  SiteReaders & {
    /** Whether a key with the scope `operator` registered the ssh repository. */
    sshByOperator?: true;
    /** When absent, the model of the server answers, if it has one. */
    assistant?: StoredAssistantSettings;
  };

export interface RegisteredSite {
  domain: string;
  organization: string;
  source: SiteSource;
  settings: SiteSettings;
  /** The completed job whose export is served. */
  activeJob: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** The site whose branch it shows, if it is a preview. */
  previewOf?: string;
  /** Whether it is not served, since nothing shows yet that its domain belongs to the organization. */
  isUnproven: boolean;
}

/** The site, if it is one of the organization; also a preview. */
export async function siteOf(
  sites: Pick<Sites, 'get'>,
  { domain, organization }: Pick<RegisteredSite, 'domain' | 'organization'>,
): Promise<RegisteredSite | undefined> {
  const site = await sites.get(domain);
  return site?.organization === organization ? site : undefined;
}

/** Whether this server records what readers of the site do. */
export function recordsEvents({ settings }: RegisteredSite): boolean {
  const mode = settings.features?.analytics?.mode;
  return mode === 'own' || mode === 'both';
}

export type Sites = ReturnType<typeof createSites>;

/** The notification channel for the domains of changed sites. */
export const sitesChannel = 'carrel_sites';

const columns =
  'domain, organization, source, settings, active_job as "activeJob", created_at as "createdAt", updated_at as "updatedAt", unproven as "isUnproven"';

/** Adds or changes a site, whose next check stays if its schedule does. */
const put = `insert into carrel.sites as known (domain, organization, source, settings, created_at, updated_at, next_check_at, unproven)
   select $1::text, $2::text, $3::jsonb, $4::jsonb, $5::timestamptz, $5, $6::timestamptz, $9::boolean
   where exists (select from carrel.sites where domain = $1)
     or not exists (select from carrel.sites where domain = $7 and organization <> $2) and coalesce($8::text::timestamptz, 'epoch') = 'epoch'
   on conflict (domain) do update set source = excluded.source, settings = excluded.settings,
     unproven = known.unproven and excluded.unproven,
     updated_at = greatest(excluded.updated_at, known.updated_at + interval '1 millisecond'), next_check_at = case
       when known.settings->'schedule' = excluded.settings->'schedule' then known.next_check_at else excluded.next_check_at
     end
   where known.organization = excluded.organization and known.preview_of is null
     and ($8::text is null or known.updated_at = $8::timestamptz)
   returning ${columns}`;

type NewSite = Pick<RegisteredSite, 'domain' | 'organization' | 'source' | 'settings'> & { basedOn?: Date; isUnproven?: boolean };

export function createSites(database: Database, now: () => number) {
  const changes = createChanges();
  const load = siteLoader(database, changes);
  const recent = createOneSecondCache(load, now);
  const served = createOneSecondCache(() => servedDomains(database), now);
  const forget = (domain: string): void => {
    changes.changed(domain);
    recent.forget(domain);
  };
  let stopListening: (() => Promise<void>) | undefined;

  return {
    /** A site or preview of any organization, so routes check the owner. Cached for at most a second. */
    get: (domain: string): Promise<RegisteredSite | undefined> => recent.get(domain),

    /** The same as it is now. */
    load,

    /** Call when something else added or removed the row of a domain. */
    forget,

    /**
     * The state loaded last, for when the database is unavailable; undefined if a change since then is known, as an older state may have
     * another password.
     */
    lastKnown: (domain: string): RegisteredSite | undefined => changes.lastKnown(domain),

    /** Without previews. */
    list: (organization: string): Promise<RegisteredSite[]> =>
      database.query<RegisteredSite>(
        `select ${columns} from carrel.sites where organization = $1 and preview_of is null order by domain`,
        [organization],
      ),

    /** The domains of all public sites that have an active export, sorted and without previews. Cached for at most a second. */
    served: (): Promise<string[]> => served.get(''),

    /**
     * Adds or changes a site; with the `updatedAt` that a change is based on, the epoch for a new site, returns undefined if another one came
     * in between, or the site was removed.
     * Throws `ApiError` 409 `DomainTaken` if another organization has the domain, without naming it, or a site of which
     * it could be a preview; and for the name of a preview.
     */
    async put(wanted: NewSite): Promise<RegisteredSite | undefined> {
      const { domain, organization, source, settings, basedOn, isUnproven = false } = wanted;
      const values = [
        ...[domain, organization, JSON.stringify(source), JSON.stringify(settings), new Date(now())],
        ...[nextCheck(settings, now()), previewedDomain(domain) ?? null, basedOn?.toISOString() ?? null, isUnproven],
      ];
      const [site] = await changeRow<RegisteredSite>(database, { domain, sql: put, values });
      forget(domain);
      if (site) return site;
      const found = basedOn && (await load(domain));
      if (found ? found.organization === organization && found.previewOf === undefined : basedOn?.getTime()) return undefined;
      throw new ApiError('DomainTaken', `The domain "${domain}" is not available on this server. Choose another one.`);
    },

    /** Serves a site from now on: its domain is proven. */
    async prove(organization: string, domain: string): Promise<void> {
      const sql = 'update carrel.sites set unproven = false where organization = $1 and domain = $2 returning domain';
      await changeRow(database, { domain, sql, values: [organization, domain] });
      forget(domain);
    },

    /** Removes a site with its previews; their jobs stay as records. False if the organization has no such site. */
    async remove(organization: string, domain: string, { onlyUnproven = false } = {}): Promise<boolean> {
      const removed = await removeRow(database, { domain, values: [organization, domain, onlyUnproven] });
      forget(domain);
      return removed.length > 0;
    },

    /**
     * A site whose time to be checked has come, and which no other process checks; undefined without one. Its next check is then due at the
     * next time of its schedule.
     */
    takeDue: (): Promise<RegisteredSite | undefined> =>
      database.transaction(async (transaction) => {
        const [site] = await transaction.query<RegisteredSite>(
          `select ${columns} from carrel.sites where next_check_at <= $1 order by next_check_at limit 1 for update skip locked`,
          [new Date(now())],
        );
        if (site)
          await transaction.query('update carrel.sites set next_check_at = $2 where domain = $1', [
            site.domain,
            nextCheck(site.settings, now()),
          ]);
        return site;
      }),

    /** Starts and stops listening for changes by other processes and for new active exports. */
    async open(): Promise<void> {
      // The last load of each known domain, during which it is not known.
      const loading = new Map<string, Promise<unknown>>();
      const reload = (domain: string): void => {
        const wasKnown = changes.lastKnown(domain) !== undefined || loading.has(domain);
        forget(domain);
        if (!wasKnown) return;
        // Who reads it when the database is unavailable needs the new state.
        const ending: Promise<unknown> = recent
          .get(domain)
          .catch(() => {})
          .then(() => loading.get(domain) === ending && loading.delete(domain));
        loading.set(domain, ending);
      };
      stopListening ??= await database.listen(sitesChannel, reload, () => changes.changedAll());
    },

    async close(): Promise<void> {
      await stopListening?.();
      stopListening = undefined;
    },
  };
}

async function servedDomains(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ domain: string }>(
    `select domain from carrel.sites
     where active_job is not null and preview_of is null and not unproven and settings->'password' is null and settings->'members' is null order by domain`,
  );
  return rows.map(({ domain }) => domain);
}

/** Changes the row of a site, and tells other processes if it has changed. */
function changeRow<Row>(
  database: Database,
  { domain, sql, values }: { domain: string; sql: string; values: unknown[] },
  andThen?: (transaction: Queryable) => Promise<unknown>,
): Promise<Row[]> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<Row>(sql, values);
    if (rows.length > 0) await andThen?.(transaction);
    if (rows.length > 0) await transaction.query(`select pg_notify('${sitesChannel}', $1)`, [domain]);
    return rows;
  });
}

function removeRow(database: Database, { domain, values }: { domain: string; values: unknown[] }): Promise<unknown[]> {
  const sql = `delete from carrel.sites where organization = $1 and domain = $2 and preview_of is null and (unproven or not $3::boolean)
     returning domain`;
  return changeRow(database, { domain, sql, values }, (transaction) =>
    // A later site of its name has other editors. A statement of its own sees those who were added while the other one waited.
    transaction.query('update carrel.keys set editor_of = array_remove(editor_of, $1) where $1 = any(editor_of)', [domain]),
  );
}

/** Returns a function that reads a site or a preview. */
function siteLoader(database: Queryable, changes: ReturnType<typeof createChanges>) {
  return async (domain: string): Promise<RegisteredSite | undefined> => {
    const at = changes.count();
    const [site] = await database.query<
      RegisteredSite & { previewOf: string | null; whole: Pick<RegisteredSite, 'settings' | 'isUnproven'> | null }
    >(
      `select ${columns}, preview_of as "previewOf",
         (select jsonb_build_object('settings', whole.settings, 'isUnproven', whole.unproven)
          from carrel.sites whole where whole.domain = site.preview_of) as whole
       from carrel.sites site where domain = $1`,
      [domain],
    );
    if (!site) return undefined;
    const { previewOf, whole, ...rest } = site;
    const found =
      whole && previewOf !== null ? { ...rest, ...whole, settings: settingsOfPreview(whole.settings), previewOf } : rest;
    changes.loaded(found, at);
    return found;
  };
}

// Domains whose changes and states are remembered.
const mostDomains = 10_000;

/** In which order sites were loaded and changed. */
function createChanges() {
  let order = 0;
  let allChangedAt = 0;
  const changedAt = new LRUCache<string, number>({ max: mostDomains });
  const latest = new LRUCache<string, { site: RegisteredSite; at: number }>({ max: mostDomains });
  return {
    count: (): number => ++order,
    loaded(site: RegisteredSite, at: number): void {
      if (at > (latest.get(site.domain)?.at ?? 0)) latest.set(site.domain, { site, at });
    },
    changed: (domain: string): void => void changedAt.set(domain, ++order),
    /** Changes may have been missed. */
    changedAll: (): void => void (allChangedAt = ++order),
    lastKnown(domain: string): RegisteredSite | undefined {
      const known = latest.get(domain);
      if (!known) return undefined;
      const names = [domain, ...(known.site.previewOf === undefined ? [] : [known.site.previewOf])];
      const isCurrent = allChangedAt < known.at && names.every((name) => (changedAt.get(name) ?? 0) < known.at);
      return isCurrent ? known.site : undefined;
    },
  };
}

/** Without keys, model and analytics, which are for the readers of the site itself, and without its URL: a preview is not what it is a copy of. */
export function settingsOfPreview({
  builder,
  trust,
  deployment,
  sshByOperator,
  password,
  members,
  features = {},
}: SiteSettings): SiteSettings {
  const { search, assistant, playground } = features;
  return {
    builder,
    trust,
    deployment,
    sshByOperator,
    password,
    members,
    features: {
      ...(search && { search }),
      assistant: { ...assistant, mode: assistant?.mode === 'off' ? 'off' : 'quotes' },
      analytics: { mode: 'off' },
      // Through this server, requests need a key.
      ...(playground && { playground: playground.mode === 'proxy' ? { mode: 'off' } : playground }),
    },
  };
}

function nextCheck({ schedule }: SiteSettings, now: number): Date | null {
  if (!schedule) return null;
  // A schedule that another version stored, or whose zone this machine lacks, must not keep sites from being checked or changed.
  const readable = scheduleSchema.safeParse(schedule).success ? schedule : { everyMinutes: 24 * 60 };
  return new Date(nextTime(readable, now));
}
