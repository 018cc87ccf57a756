// Whether the model that answers for a site can be reached, and which models fail.
import { z } from '@hono/zod-openapi';
import { jsonAnswer, namedObject } from '../http/error-answers.ts';
import { domainSchema } from '../http/field-schemas.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Secrets } from '../platform/secrets.ts';
import { modelsOf } from '../sites/model-settings.ts';
import { ownSite } from '../sites/site-routes.ts';
import type { RegisteredSite, Sites } from '../sites/sites.ts';
import { checkModel } from './model/model-check.ts';
import type { ModelRecord } from './model/model-record.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';

const checkSchema = namedObject('ModelCheck', {
  state: z.enum(['ok', 'unlisted', 'rejected', 'unavailable', 'none']).openapi({
    description:
      '`ok`: its server responds; `unlisted`: it responds with a list without the model; `rejected`: the key is not accepted; `unavailable`; `none`: the site has no model.',
  }),
  model: z.string().optional().openapi({ description: 'Name of the model that was checked.', example: 'qwen3:8b' }),
  detail: z.string().optional().openapi({ description: 'Why it is not `ok`, what its server lists, or that it has no list.' }),
});

export type ModelCheckAnswer = z.infer<typeof checkSchema>;

const failureSchema = namedObject('ModelFailure', {
  domain: z.string().openapi({ example: 'docs.example.com' }),
  model: z.string().openapi({ example: 'qwen3:8b' }),
  failures: z.int().openapi({ description: 'How often it has failed since it last answered.' }),
  since: z.iso.datetime(),
  at: z.iso.datetime().openapi({ description: 'The last failure.' }),
  code: z.string().openapi({ description: 'Permanent name of the last failure.', example: 'ModelUnreachable' }),
  detail: z.string().openapi({ description: 'The last error, without keys.' }),
});

export type ModelFailureAnswer = z.infer<typeof failureSchema>;

interface ModelRouteParts extends AdminRouteParts {
  sites: Sites;
  options: ServerOptions;
  secrets: Secrets;
  modelRecord: Pick<ModelRecord, 'failing'>;
}

const route = organizationRoutesOf<ModelRouteParts>('Sites');

const checkSiteModel = route('get /v1/sites/{domain}/model', {
  summary: 'Check the model of a site',
  description: "Requests the list of models from the model's server, which costs nothing. Waits at most 5 seconds.",
  scope: 'read',
  params: z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }) }),
  answers: { 200: jsonAnswer('What was found.', checkSchema) },
  handle: async ({ parts, organization, params: { domain } }) => checkOf(await ownSite(parts, domain, organization), parts),
});

const listModelFailures = route('get /v1/model-failures', {
  summary: 'List models that fail',
  description:
    'The models whose last answer for a site of the organization failed. Meanwhile, its readers get quotes of the docs. Webhooks get `model.failed` after three failures in a row, and `model.recovered` when it answers again.',
  scope: 'read',
  answers: { 200: jsonAnswer('By domain.', namedObject('ModelFailures', { failures: z.array(failureSchema) })) },
  async handle({ parts, organization }) {
    const found = await parts.modelRecord.failing(organization);
    const failures = await Promise.all(found.map(async (one) => ((await isUsed(one, parts)) ? [one] : [])));
    return {
      failures: failures.flat().map(({ since, at, ...rest }) => ({ ...rest, since: since.toISOString(), at: at.toISOString() })),
    };
  },
});

export const modelRoutes = { checkSiteModel, listModelFailures };

/** Whether a model still answers for its site: another one may have been chosen since it failed. */
async function isUsed({ domain, model }: { domain: string; model: string }, { sites, options, secrets }: ModelRouteParts) {
  const site = await sites.get(domain);
  try {
    return (
      site !== undefined && modelsOf(site.settings.assistant, { domain, options, secrets }).some((one) => one.model === model)
    );
  } catch {
    return true;
  }
}

async function checkOf({ domain, settings }: RegisteredSite, { options, secrets }: ModelRouteParts): Promise<ModelCheckAnswer> {
  let model;
  try {
    [model] = modelsOf(settings.assistant, { domain, options, secrets });
  } catch {
    return { state: 'rejected', detail: 'the stored key was encrypted with another secret of this server; enter it again' };
  }
  return model ? { model: model.model, ...(await checkModel(model, options.privateHosts)) } : { state: 'none' };
}
