// Sites of an organization: a domain, its source and how it is built.
import { z } from '@hono/zod-openapi';
import { siteOfPath } from './site-access.ts';
import { deployments } from '../../integration/manifest.ts';
import {
  deploymentFaults,
  featureChangesSchema,
  siteFeaturesSchema,
  type FeatureChanges,
  type SiteFeatures,
} from '../../integration/page-settings.ts';
import { includesScope, type Key } from '../http/key.ts';
import type { Api } from '../http/api.ts';
import {
  answeredSettings,
  answeredSettingsSchema,
  assistantChangesSchema,
  assistantSettingsSchema,
  changedSettings,
  settingsToStore,
  type StorageContext,
  type StoredAssistantSettings,
} from './model-settings.ts';
import { jsonAnswer, jsonBody, namedObject } from '../http/error-answers.ts';
import { ApiError, fieldsInvalid } from '../platform/errors.ts';
import { publicAddresses } from '../platform/public-addresses.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Secrets } from '../platform/secrets.ts';
import { domainSchema } from '../http/field-schemas.ts';
import { mayHavePreviews, previewsSchema } from './preview-settings.ts';
import { scheduleSchema } from './schedule.ts';
import { checkProof, needsProof, proofRecord } from './site-proof.ts';
import {
  answeredReaders,
  answeredReadersFields,
  createHashing,
  readersFields,
  storedReaders,
  withoutReaders,
} from './site-readers.ts';
import {
  builders,
  siteOf,
  siteSettingsSchema,
  siteSourceSchema,
  type RegisteredSite,
  type Sites,
  type SiteSettings,
  type SiteSource,
} from './sites.ts';
import { checkScope } from '../organizations/authenticate.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { addRoutes } from '../http/route.ts';

const sourceSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('folder'), path: z.string() }),
    z.object({ type: z.literal('git'), url: z.string(), ref: z.string().optional(), folder: z.string().optional() }),
  ])
  .openapi('SiteSource');

const answeredSchedule = z
  .object({ everyMinutes: z.number().optional(), cron: z.string().optional(), timezone: z.string().optional() })
  .openapi('Schedule', {
    description: 'When the server looks for changes and exports them: `everyMinutes`, or `cron` with `timezone`.',
    example: { everyMinutes: 15 },
  });

const answeredPreviews = z
  .object({
    branches: z.union([z.literal('all'), z.array(z.string())]),
    days: z.number(),
    most: z.number(),
    comment: z.boolean().optional(),
  })
  .openapi('PreviewSettings', {
    description:
      'Which other branches are exported as previews: `all`, or names and patterns, where `*` matches any part of a name and `**` any path; how many days after the last push a preview expires (`days`), how many there are at the same time (`most`), and whether the pull requests of a branch get a comment with what it changes (`comment`).',
    example: { branches: ['docs/*'], days: 14, most: 10 },
  });

const siteSchema = namedObject('Site', {
  domain: z.string().openapi({ example: 'docs.example.com' }),
  organization: z.string().openapi({ example: 'my-team' }),
  source: sourceSchema,
  builder: z.enum(builders),
  trust: z.boolean().optional().openapi({ description: 'Whether the React components of the docs folder run.' }),
  siteUrl: z.string().optional().openapi({ description: 'Public URL of the site.', example: 'https://docs.example.com' }),
  socialCards: z.boolean().optional().openapi({ description: 'Whether exports have an image of each page for social networks.' }),
  deployment: z.enum(deployments),
  assistant: answeredSettingsSchema.optional(),
  features: siteFeaturesSchema.optional(),
  settings: z
    .object({ deployment: z.enum(deployments), features: siteFeaturesSchema })
    .openapi({ description: 'The same `deployment` and `features`, in the form of a file of settings.' }),
  schedule: answeredSchedule.optional(),
  previews: answeredPreviews.optional(),
  ...answeredReadersFields,
  proof: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .optional()
    .openapi({
      description:
        'The DNS record that proves that the domain is yours, if the site is not served without it: add it, then call `POST …/proof`.',
      example: { type: 'TXT', name: '_carrel-challenge.docs.example.com', value: 'carrel=Zm9v' },
    }),
  activeJob: z.string().nullable().openapi({ description: 'The job whose export is served.', example: 'se_0123456789abcdef' }),
  address: z.string().openapi({
    description: 'URL at which this server serves the active export.',
    example: 'http://127.0.0.1:4401/sites/docs.example.com/',
  }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type SiteAnswer = z.infer<typeof siteSchema>;

const deploymentSchema = siteSettingsSchema.shape.deployment.removeDefault().optional();

const newSiteSchema = z
  .strictObject({
    source: siteSourceSchema,
    ...siteSettingsSchema.shape,
    ...readersFields,
    /** When absent, the settings stay, since no answer shows their keys; null removes them. */
    assistant: assistantSettingsSchema.nullable().optional(),
    /** When absent, the features stay; `{}` removes them. */
    features: siteFeaturesSchema.optional(),
    deployment: deploymentSchema,
    /** The same, as in a file of settings. */
    settings: z
      .strictObject({
        deployment: deploymentSchema,
        features: siteFeaturesSchema.optional(),
      })
      .optional(),
  })
  .openapi('NewSite', { example: { source: { type: 'git', url: 'https://git.example.com/docs.git', ref: 'main' } } });

const siteChangesSchema = z
  .strictObject({
    source: siteSourceSchema.optional(),
    ...readersFields,
    builder: siteSettingsSchema.shape.builder.removeDefault().optional(),
    trust: siteSettingsSchema.shape.trust,
    siteUrl: siteSettingsSchema.shape.siteUrl.nullable(),
    socialCards: siteSettingsSchema.shape.socialCards,
    deployment: deploymentSchema,
    assistant: assistantChangesSchema.nullable().optional(),
    features: featureChangesSchema.nullable().optional(),
    /** The same `deployment` and `features`, as in a file of settings. */
    settings: z
      .strictObject({
        deployment: deploymentSchema,
        features: featureChangesSchema.nullable().optional(),
      })
      .optional(),
    schedule: scheduleSchema.nullable().optional(),
    previews: previewsSchema.nullable().optional(),
  })
  .openapi('SiteChanges', { example: { features: { playground: { mode: 'proxy' } } } });

interface SiteRouteParts extends AdminRouteParts {
  sites: Sites;
  options: ServerOptions;
  secrets: Secrets;
  /** Exports a site for each of its audiences that has no export beside the one of the whole site. */
  exportForAudiences(site: RegisteredSite, whole: string): Promise<void>;
  /** Removes the stored exports of a site that was removed. */
  removeExports(domain: string): Promise<void>;
}

const route = organizationRoutesOf<SiteRouteParts>('Sites');

export function addSiteRoutes(api: Api, parts: SiteRouteParts): void {
  addRoutes(api, parts, { listSites, getSite, putSite, changeSite, proveSite, deleteSite });
}

const params = z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }) });
const answer = jsonAnswer('The site.', siteSchema);

const listSites = route('get /v1/sites', {
  summary: 'List sites',
  description: 'The sites of the organization with their sources and settings.',
  scope: 'read',
  answers: {
    200: jsonAnswer('The sites of the organization, by domain.', namedObject('Sites', { sites: z.array(siteSchema) })),
  },
  async handle({ parts, organization }) {
    const found = await parts.sites.list(organization);
    return { sites: found.map((site) => siteAnswer(site, parts)) };
  },
});

const getSite = route('get /v1/sites/{domain}', {
  summary: 'Read a site',
  description: 'A site with its source, its settings and its active export.',
  scope: 'read',
  params,
  answers: { 200: answer },
  async handle({ parts, organization, params: { domain } }) {
    return siteAnswer(await ownSite(parts, domain, organization), parts);
  },
});

const putSite = route('put /v1/sites/{domain}', {
  summary: 'Register or change a site',
  description:
    'The body replaces the site. Three parts stay if they are left out: `features`, `assistant`, and the readers (`visibility`, `password`, `groups`, `audiences`); `null` removes the assistant settings. `settings` contains `deployment` and `features`, as files of settings do, in their place. The API key and the headers of a model stay if its URL does not change. The scope `operator` is needed for a folder of the server, an SSH repository, the builder `astro` (which runs code of the project), the builder `html` (whose pages run their own scripts), `trust` (which runs the React components of the docs), a model in a private network and analytics `providers`.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'site.put',
  params,
  body: jsonBody(newSiteSchema),
  answers: { 200: answer },
  errors: [409],
  async handle({ parts, key, organization, params: { domain }, body }) {
    const { source, assistant: given, features: givenFeatures, deployment = 'client-hosted', ...others } = withoutSettings(body);
    const { readers, rest: otherSettings } = withoutReaders(others);
    const rest = { ...otherSettings, deployment };
    checkOperator(parts, key, source, rest);
    const hash = createHashing();
    const isProven = await takeOver(parts, { domain, organization });
    return storeSite(parts, { key, domain, organization, audiences: readers.audiences, isProven }, async (known) => {
      // Its editors only change it, and it may have been removed since the request came.
      if (!known) checkScope(key, 'write');
      const before = known?.settings;
      const settings: SiteSettings = {
        ...rest,
        features: givenFeatures ?? before?.features,
        assistant: await assistantSettings(parts, { domain, key, given, before: before?.assistant, store: settingsToStore }),
        ...(await storedReaders(readers, before, hash)),
        sshByOperator: isSshByOperator(source, key),
      };
      checkProviders(key, settings.features);
      checkTogether(domain, source, settings);
      return { source, settings };
    });
  },
});

const changeSite = route('patch /v1/sites/{domain}', {
  summary: 'Change settings of a site',
  description:
    'Changes the fields of the body, and those in its `assistant`, and no others. A source is replaced as a whole, and so is each feature and each model; `null` removes `siteUrl`, `assistant`, `schedule`, `previews`, `features`, one of the features or a setting of the assistant (`model: null` turns its model off, and `model: "server"` returns to that of the server). `settings` contains `deployment` and `features`, as files of settings do, in their place. The scope `operator` is needed as for `PUT`, if the source, the builder, `trust`, `previews`, a model or `features.analytics` changes.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'site.change',
  params,
  body: jsonBody(siteChangesSchema),
  answers: { 200: answer },
  async handle({ parts, key, organization, params: { domain }, body }) {
    const { source: newSource, assistant: given, features, siteUrl, schedule, previews, ...others } = withoutSettings(body);
    const { readers, rest } = withoutReaders(others);
    const hash = createHashing();
    return storeSite(parts, { key, domain, organization, audiences: readers.audiences }, async (site) => {
      if (!site || site.previewOf !== undefined) throw siteUnknownError(domain);
      const { settings: before } = site;
      const source = newSource ?? site.source;
      const { password: _password, members: _members, audiences: _audiences, ...unchanged } = before;
      const settings: SiteSettings = {
        ...{ ...unchanged, ...rest },
        siteUrl: changed(siteUrl, before.siteUrl),
        schedule: changed(schedule, before.schedule),
        previews: changed(previews, before.previews),
        features: features ? changedFeatures(features, before.features) : changed(features, before.features),
        assistant: await assistantSettings(parts, {
          ...{ domain, key, given, before: before.assistant, store: changedSettings },
        }),
        ...(await storedReaders(readers, before, hash)),
        sshByOperator: newSource ? isSshByOperator(newSource, key) : before.sshByOperator,
      };
      // Previews run the code of more branches than an operator has seen.
      const runsMore = previews && (settings.builder !== 'docs' || settings.trust);
      if (newSource || rest.builder || rest.trust || runsMore) checkOperator(parts, key, source, settings);
      if (newSource || features?.analytics) checkProviders(key, settings.features);
      checkTogether(domain, source, settings);
      return { source, settings };
    });
  },
});

const proveSite = route('post /v1/sites/{domain}/proof', {
  summary: 'Prove the domain of a site',
  description:
    'Looks for the DNS record `proof` of the site. From then on, the site is served, also when the record is removed. Takes no body.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'site.prove',
  params,
  answers: { 200: answer },
  errors: [409, 413, 415],
  async handle({ parts, organization, params: { domain } }) {
    const site = await ownSite(parts, domain, organization);
    if (!site.isUnproven) return siteAnswer(site, parts);
    await checkProof(parts, site);
    await parts.sites.prove(organization, domain);
    return siteAnswer(await ownSite(parts, domain, organization), parts);
  },
});

const deleteSite = route('delete /v1/sites/{domain}', {
  summary: 'Remove a site',
  description: 'The site is no longer served; its jobs stay as records.',
  scope: 'write',
  audit: 'site.delete',
  params,
  answers: { 204: { description: 'Removed.' } },
  async handle({ parts, organization, params: { domain } }) {
    if (!(await parts.sites.remove(organization, domain))) throw siteUnknownError(domain);
    // In the background: there may be many files, and the next export of the domain would remove them as well.
    void parts
      .removeExports(domain)
      .catch((err: unknown) => parts.log.error({ err, domain }, 'The files of a removed site could not be removed.'));
  },
});

/** Throws `ApiError` 403 if the source of a site accesses the server's machine or runs code, and the key lacks the scope `operator`. */
export function checkOperator(
  { options }: Pick<SiteRouteParts, 'options'>,
  key: Key,
  source: SiteSource,
  settings: SiteSettings,
): void {
  if (includesScope(key.scopes, 'operator')) return;
  if (source.type === 'folder') {
    throw new ApiError(
      'FolderNeedsOperator',
      'A folder on the server\'s machine can only be registered with the scope "operator". Specify a git repository, or ask an operator.',
    );
  }
  if (isSsh(source) && !options.gitSshOrganizations.includes(key.organization)) {
    throw new ApiError(
      'SshNeedsOperator',
      'The server opens ssh repositories with its own key, so they can only be registered with the scope "operator". Use the https:// URL, or ask an operator, who can also allow it for the organization (CARREL_GIT_SSH_ORGANIZATIONS).',
    );
  }
  if (settings.builder === 'astro') {
    throw new ApiError(
      'AstroNeedsOperator',
      'The builder "astro" runs the code of the project, so only a key with the scope "operator" can allow it. Use the builder "docs", or ask an operator.',
    );
  }
  if (settings.builder === 'html') {
    throw new ApiError(
      'HtmlNeedsOperator',
      'The scripts of built HTML run on the pages of this server, so only a key with the scope "operator" can allow the builder "html". Use the builder "docs" with the Markdown of the site, or ask an operator.',
    );
  }
  if (settings.trust) {
    throw new ApiError(
      'TrustNeedsOperator',
      'With "trust", the React components of the docs run, so only a key with the scope "operator" can set it, or change the source of such a site. Leave it out, or ask an operator.',
    );
  }
}

/** Throws `ApiError` 403 if pages would run scripts from external origins, and the key lacks the scope `operator`. */
function checkProviders({ scopes }: Key, features: SiteFeatures | undefined): void {
  const mode = features?.analytics?.mode;
  if ((mode !== 'providers' && mode !== 'both') || includesScope(scopes, 'operator')) return;
  throw new ApiError(
    'ProvidersNeedOperator',
    'The scripts of analytics providers run in the pages of this server, so only a key with the scope "operator" can turn them on. Set features.analytics.mode to own or off, or ask an operator.',
  );
}

/** Throws `ApiError` 400 with all that the name, the source, the deployment type, the builder or the URL of a site rule out. */
function checkTogether(domain: string, source: SiteSource, settings: SiteSettings): void {
  const { deployment, builder, siteUrl, socialCards, previews, features = {} } = settings;
  const faults = deploymentFaults(deployment, features).map(({ path, message }) => ({
    path: `features.${path.join('.')}`,
    message,
  }));
  const rule = (isBroken: unknown, path: string, message: string) => isBroken && faults.push({ path, message });
  rule(socialCards && siteUrl === undefined, 'socialCards', 'needs siteUrl, because links to images must be absolute');
  rule(previews && source.type !== 'git', 'previews', 'need a git source: a folder has no branches');
  rule(
    previews && !mayHavePreviews(domain),
    'previews',
    `need a shorter domain: "${domain}--NAME" is to be a host name, in which a part between dots has at most 63 characters, and all 253`,
  );
  rule(socialCards && builder !== 'docs', 'socialCards', 'needs the builder docs');
  rule(settings.audiences && builder !== 'docs', 'audiences', 'need the builder docs, which reads the groups of pages');
  if (faults.length > 0) throw fieldsInvalid(faults);
}

function isSsh(source: SiteSource): boolean {
  return source.type === 'git' && new URL(source.url).protocol === 'ssh:';
}

export function isSshByOperator(source: SiteSource, { scopes }: Key): true | undefined {
  return isSsh(source) && includesScope(scopes, 'operator') ? true : undefined;
}

/** The value of a field after a change: absent, it stays; null removes it. */
function changed<Value>(given: Value | null | undefined, before: Value | undefined): Value | undefined {
  return given === undefined ? before : (given ?? undefined);
}

function changedFeatures(given: FeatureChanges, before: SiteFeatures = {}): SiteFeatures {
  const all = { ...before, ...given };
  return Object.fromEntries(Object.entries(all).filter(([, feature]) => feature !== null && feature !== undefined));
}

interface WithSettings {
  deployment?: SiteSettings['deployment'];
  features?: object | null;
  settings?: Pick<WithSettings, 'deployment' | 'features'>;
}

/** A body with the fields of its `settings` at the top level. Throws `ApiError` 400 if a field is in both. */
function withoutSettings<Body extends WithSettings>({ settings = {}, ...body }: Body): Omit<Body, 'settings'> {
  const both = (['deployment', 'features'] as const).filter((name) => body[name] !== undefined && settings[name] !== undefined);
  if (both.length === 0) return { ...body, ...settings };
  throw fieldsInvalid(both.map((name) => ({ path: `settings.${name}`, message: `is the same as ${name}: send one of them` })));
}

/**
 * The settings to store: those before if none are given, none if null is given.
 * Throws what `publicAddresses` throws when a model is in a private network and no operator has set it.
 */
async function assistantSettings<Given>(
  { secrets, options }: SiteRouteParts,
  {
    domain,
    key,
    given,
    before,
    store,
  }: {
    domain: string;
    key: Key;
    given: Given | null | undefined;
    before: StoredAssistantSettings | undefined;
    store: (given: Given, before: StoredAssistantSettings | undefined, context: StorageContext) => StoredAssistantSettings;
  },
): Promise<StoredAssistantSettings | undefined> {
  if (!given) return given === null ? undefined : before;
  const trusted = includesScope(key.scopes, 'operator');
  const kept = store(given, before, { domain, secrets, trusted });
  const known = [before?.model, before?.fallback];
  for (const model of [kept.model, kept.fallback])
    if (model && !model.trusted && !known.includes(model))
      await publicAddresses(new URL(model.baseUrl).hostname, options.privateHosts);
  return kept;
}

// Each of them stores one of the changes that came at the same time.
const mostTries = 20;

/**
 * Stores what `make` makes of a site, which it gets as it is now, unless another organization has it; repeated when another change comes in
 * between, so that none gets lost.
 */
async function storeSite(
  parts: SiteRouteParts,
  {
    key,
    domain,
    organization,
    audiences,
    isProven = false,
  }: { key: Key; domain: string; organization: string; audiences: object[] | undefined; isProven?: boolean },
  make: (known: RegisteredSite | undefined) => Promise<Pick<RegisteredSite, 'source' | 'settings'>>,
): Promise<SiteAnswer> {
  const isUnproven = !isProven && (await needsProof(parts, key, domain));
  for (let tries = 0; tries < mostTries; tries++) {
    const found = await parts.sites.load(domain);
    const known = found?.organization === organization ? found : undefined;
    const basedOn = known?.updatedAt ?? new Date(0);
    const site = await parts.sites.put({ domain, organization, ...(await make(known)), basedOn, isUnproven });
    if (!site) continue;
    if (audiences && site.activeJob !== null) await parts.exportForAudiences(site, site.activeJob);
    return siteAnswer(site, parts);
  }
  throw new ApiError('DatabaseUnavailable', `Many requests change the site "${domain}" at the same time. Try again in a moment.`);
}

/**
 * Whether the organization has proven a domain that another one has registered without a proof, whose site is then removed: it was never served.
 * Throws `ApiError` 409 `DomainTaken`, with the record that would prove it.
 */
async function takeOver(parts: SiteRouteParts, claim: { domain: string; organization: string }): Promise<boolean> {
  const { sites, audit, log } = parts;
  const { domain, organization } = claim;
  const found = await sites.load(domain);
  if (!found?.isUnproven || found.organization === organization) return false;
  await checkProof(parts, claim).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError('DomainTaken', `Another organization has registered "${domain}". ${error.message}`);
  });
  // It may have been proven while the DNS answered, and a preview goes with its site alone.
  if (!(await sites.remove(found.organization, domain, { onlyUnproven: true }))) return false;
  log.warn({ domain, from: found.organization, to: organization }, 'a domain was taken over from a site that was not proven');
  const entry = { event: 'site.delete' as const, target: domain, key: null, name: 'Proof of the domain by its holder' };
  await audit.record({ ...entry, organization: found.organization, session: null, address: '', request: '' });
  return true;
}

/** The site, if it is one of the organization and no preview. Throws `ApiError` 404 `SiteUnknown`. */
export async function ownSite(
  { sites }: { sites: Pick<Sites, 'get'> },
  domain: string,
  organization: string,
): Promise<RegisteredSite> {
  const site = await siteOf(sites, { domain, organization });
  if (!site || site.previewOf !== undefined) throw siteUnknownError(domain);
  return site;
}

export function siteUnknownError(domain: string): ApiError {
  return new ApiError('SiteUnknown', `There is no site "${domain}". GET /v1/sites lists them; PUT /v1/sites/${domain} adds it.`);
}

function siteAnswer(
  { domain, organization, source, settings, activeJob, createdAt, updatedAt, isUnproven }: RegisteredSite,
  { sitesUrl, secrets }: SiteRouteParts,
): SiteAnswer {
  // Each is named, so that a new setting is in no answer by itself.
  const { builder, trust, siteUrl, socialCards, deployment, assistant, features, schedule, previews } = settings;
  return {
    domain,
    organization,
    source,
    ...{ builder, trust, siteUrl, socialCards, deployment, features, schedule, previews },
    ...(assistant && { assistant: answeredSettings(assistant) }),
    settings: { deployment, features: features ?? {} },
    ...answeredReaders(settings),
    ...(isUnproven && { proof: proofRecord(secrets[0], { domain, organization }) }),
    activeJob,
    address: `${sitesUrl}/sites/${domain}/`,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
