// Webhooks of an organization: add, list, remove.
import { createRoute, z } from '@hono/zod-openapi';
import { audited, type AuditParts } from '../organizations/audit-routes.ts';
import { adminKey, type AccessParts } from '../organizations/authenticate.ts';
import type { Api } from '../http/api.ts';
import { errorAnswers, jsonAnswer, jsonBody } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { webhookEvents, type Webhook, type Webhooks } from './webhooks.ts';

const webhookSchema = z
  .object({
    webhookId: z.string().openapi({ example: 'wh_0123456789abcdef' }),
    url: z.string().openapi({ example: 'https://ci.example.com/hooks/docs' }),
    events: z.array(z.enum(webhookEvents)),
    createdAt: z.iso.datetime(),
  })
  .openapi('Webhook');

export type WebhookAnswer = z.infer<typeof webhookSchema>;

const newWebhookSchema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2048)
      .openapi({ description: 'URL that receives a POST; https or http.', example: 'https://ci.example.com/hooks/docs' }),
    events: z
      .array(z.enum(webhookEvents))
      .min(1)
      .max(10)
      .default([...webhookEvents])
      .openapi({ description: 'The events that it receives; all of them when absent.' }),
  })
  .openapi('NewWebhook');

const secretSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .openapi({ description: 'Signs each delivery; shown only once.', example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…' }),
  })
  .openapi('WebhookWithSecret');

export function addWebhookRoutes(api: Api, parts: AccessParts & AuditParts & { webhooks: Webhooks }): void {
  const { webhooks } = parts;
  const common = { tags: ['Webhooks'], security: [{ adminKey: [] }] };

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: '/v1/webhooks',
      operationId: 'createWebhook',
      summary: 'Add a webhook',
      description: 'Its URL is called when a job completes or fails, signed as Standard Webhooks specifies.',
      middleware: [adminKey(parts, 'write'), audited(parts, 'webhook.create')] as const,
      request: { body: jsonBody(newWebhookSchema) },
      responses: {
        201: jsonAnswer('The webhook, with its secret.', secretSchema),
        ...errorAnswers(400, 401, 403, 409, 413, 415),
      },
    }),
    async (context) => {
      const { url, events } = context.req.valid('json');
      const { webhook, secret } = await webhooks.create({ organization: context.get('key').organization, url, events });
      context.set('target', webhook.id);
      return context.json({ ...webhookAnswer(webhook), secret }, 201);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path: '/v1/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'The webhooks of the organization, without their secrets.',
      middleware: [adminKey(parts, 'read')] as const,
      responses: {
        200: jsonAnswer(
          'The webhooks of the organization, oldest first.',
          z.object({ webhooks: z.array(webhookSchema) }).openapi('Webhooks'),
        ),
        ...errorAnswers(401, 403),
      },
    }),
    async (context) => {
      const found = await webhooks.list(context.get('key').organization);
      return context.json({ webhooks: found.map(webhookAnswer) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'delete',
      path: '/v1/webhooks/{webhookId}',
      operationId: 'deleteWebhook',
      summary: 'Remove a webhook',
      description: 'Pending deliveries are dropped.',
      middleware: [adminKey(parts, 'write'), audited(parts, 'webhook.delete')] as const,
      request: { params: z.object({ webhookId: z.string().openapi({ example: 'wh_0123456789abcdef' }) }) },
      responses: { 204: { description: 'Removed.' }, ...errorAnswers(401, 403, 404) },
    }),
    async (context) => {
      const { webhookId } = context.req.valid('param');
      if (await webhooks.remove(context.get('key').organization, webhookId)) return context.body(null, 204);
      throw new ApiError('WebhookUnknown', `There is no webhook "${webhookId}". GET /v1/webhooks lists them.`);
    },
  );
}

function webhookAnswer({ id, url, events, createdAt }: Webhook): WebhookAnswer {
  return { webhookId: id, url, events, createdAt: createdAt.toISOString() };
}
