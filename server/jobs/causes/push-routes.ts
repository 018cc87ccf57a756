// Pushes to the repository of a site start an export: routes for the secrets, and the one that services call.
import { z } from '@hono/zod-openapi';
import { siteOfPath } from '../../sites/site-access.ts';
import type { Api } from '../../http/api.ts';
import { jsonAnswer, namedObject } from '../../http/error-answers.ts';
import { domainSchema } from '../../http/field-schemas.ts';
import { recordEvent } from '../../organizations/audited.ts';
import { checkPlan } from '../../organizations/authenticate.ts';
import { ApiError } from '../../platform/errors.ts';
import { createOneSecondCache } from '../../platform/one-second-cache.ts';
import { ownSite } from '../../sites/site-routes.ts';
import type { Sites } from '../../sites/sites.ts';
import { isConnectionTest, pushServices, readPush, type Push, type PushService } from './read-push.ts';
import { defaultBranchOf, notPushed, pushReasons, receivePush, type ReceiverParts } from './receive-push.ts';
import type { PushHook, PushHooks } from './push-hooks.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../../organizations/admin-route.ts';
import { addRoutes, routesOf } from '../../http/route.ts';

const service = z.enum(pushServices, { error: `must be one of ${pushServices.join(', ')}` });
const hookSchema = namedObject('PushHook', {
  service,
  url: z.string().openapi({ example: 'https://carrel.example.com/v1/sites/docs.example.com/hooks/github' }),
  createdAt: z.iso.datetime(),
});
const secretSchema = hookSchema
  .extend({ secret: z.string().openapi({ description: 'Goes into the settings of the service; shown only once.' }) })
  .openapi('PushHookWithSecret');
const receivedSchema = namedObject('ReceivedPush', {
  jobId: z
    .string()
    .nullable()
    .openapi({ description: 'The job that exports the pushed commit.', example: 'se_0123456789abcdef' }),
  reason: z.enum(pushReasons).openapi({
    description:
      'Why a job starts, or why not. `other-branch`: neither the site nor a preview shows the branch. `other-repository`: a system hook of GitLab reports all repositories. `previews-full`: the site has as many previews as its settings allow.',
  }),
  preview: z.string().optional().openapi({
    description: 'The preview that shows the branch, if it is not that of the site.',
    example: 'docs.example.com--next',
  }),
});

interface PushRouteParts extends AdminRouteParts, ReceiverParts {
  log: ReceiverParts['log'];
  now: () => number;
  sites: Sites;
  pushHooks: PushHooks;
}

const route = organizationRoutesOf<PushRouteParts>('Sites');
// The service proves that it knows the secret in its own way.
const openRoute = routesOf<PushRouteParts>({ tags: ['Sites'], security: [] });

export function addPushRoutes(api: Api, parts: Omit<PushRouteParts, 'defaultBranches'>): void {
  const defaultBranches = createOneSecondCache((domain: string) => defaultBranchOf(parts, domain), parts.now);
  addRoutes(api, { ...parts, defaultBranches }, { listPushHooks, putPushHook, deletePushHook, receivePush: reportPush });
}

const params = z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }), service });

const listPushHooks = route('get /v1/sites/{domain}/hooks', {
  summary: 'List push hooks of a site',
  description: 'The services whose pushes start an export, without their secrets.',
  scope: 'read',
  params: params.pick({ domain: true }),
  answers: { 200: jsonAnswer('The hooks of the site.', namedObject('PushHooks', { hooks: z.array(hookSchema) })) },
  async handle({ parts, organization, params: { domain } }) {
    await ownSite(parts, domain, organization);
    return { hooks: (await parts.pushHooks.list(domain)).map((hook) => hookAnswer(parts, domain, hook)) };
  },
});

const putPushHook = route('put /v1/sites/{domain}/hooks/{service}', {
  summary: 'Export a site at each push',
  description:
    'Returns the URL and the secret to enter in the settings of the service. Called again, it makes a new secret, and the old one stops working. Takes no body.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'hook.put',
  params,
  answers: { 200: jsonAnswer('The hook, with its secret.', secretSchema) },
  errors: [413, 415],
  async handle({ parts, organization, params: { domain, service } }) {
    await ownSite(parts, domain, organization);
    const { hook, secret } = await parts.pushHooks.put(domain, service);
    return { ...hookAnswer(parts, domain, hook), secret };
  },
});

const deletePushHook = route('delete /v1/sites/{domain}/hooks/{service}', {
  summary: 'Remove a push hook',
  description: 'Its secret stops working.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'hook.delete',
  params,
  answers: { 204: { description: 'Removed.' } },
  async handle({ parts, organization, params: { domain, service } }) {
    await ownSite(parts, domain, organization);
    if (await parts.pushHooks.remove(domain, service)) return;
    throw new ApiError('PushHookUnknown', `"${domain}" has no hook for ${service}. GET /v1/sites/${domain}/hooks lists them.`);
  },
});

const reportPush = openRoute('post /v1/sites/{domain}/hooks/{service}', {
  summary: 'Report a push',
  description:
    'Called by the service, with the secret in its own header: `X-Hub-Signature-256` (GitHub), `X-Gitlab-Token`, `X-Gitea-Signature`, `X-Hub-Signature` (Bitbucket), or `Authorization: Bearer` (generic, whose body may name the `branch`). An export starts when the branch of the site has another commit than its last export, or a branch with a preview has. A deleted branch loses its preview. If previews have comments (`previews.comment`), one is exported again when a pull request of its branch is opened. A delivery that is repeated within 24 hours starts nothing new.',
  params,
  answers: {
    200: jsonAnswer('Nothing is to be exported.', receivedSchema),
    202: jsonAnswer('An export is queued.', receivedSchema),
  },
  errors: [400, 401, 403, 413, 415, 429],
  async handle({ parts, context, params: { domain, service } }) {
    const { headers } = context.req.raw;
    if (isConnectionTest(service, headers)) return notPushed('not-a-push');
    const push = await provenPush(parts, { domain, service, headers, body: Buffer.from(await context.req.arrayBuffer()) });
    const site = await parts.sites.get(domain);
    if (!push || !site)
      throw new ApiError(
        'PushRefused',
        `The request does not prove that it knows the secret of a hook for ${service}. PUT this URL with an admin key for a new secret, and enter it in the settings of the service.`,
      );
    await checkPlan(parts, site);
    const received = await receivePush(parts, push, site, service);
    const started = received.filter(({ jobId }) => jobId !== null);
    for (const { jobId } of started)
      await recordEvent(parts, context, 'job.start', {
        organization: site.organization,
        target: `${domain}/${jobId}`,
        key: null,
        name: `Push hook ${service}`,
      });
    if (started[0]) return context.json(started[0], 202);
    return received.find(({ reason }) => reason !== 'other-branch') ?? received[0]!;
  },
});

function hookAnswer({ publicUrl }: PushRouteParts, domain: string, { service, createdAt }: PushHook) {
  return { service, url: `${publicUrl}/v1/sites/${domain}/hooks/${service}`, createdAt: createdAt.toISOString() };
}

async function provenPush(
  { pushHooks }: PushRouteParts,
  { domain, service, headers, body }: { domain: string; service: PushService; headers: Headers; body: Buffer },
): Promise<Push | undefined> {
  const secret = await pushHooks.secretOf(domain, service);
  return secret === undefined ? undefined : readPush(service, headers, body, secret);
}
