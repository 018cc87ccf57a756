// Webhooks of an organization: add, list, remove; what their receivers answered.
import { createRoute, z } from '@hono/zod-openapi';
import { audited, type AuditParts } from '../organizations/audit-routes.ts';
import { adminKey, type AccessParts } from '../organizations/authenticate.ts';
import type { Api } from '../http/api.ts';
import { errorAnswers, jsonAnswer, jsonBody } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { webhookEvents, type DeliveryRecord, type Webhook, type Webhooks } from './webhooks.ts';

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

const deliverySchema = z
  .object({
    deliveryId: z.string().openapi({ example: 'del_0123456789abcdef' }),
    messageId: z.string().openapi({ description: 'The header `webhook-id`: the same each time that a message is sent.' }),
    event: z.string().openapi({ description: 'The `type` of the message; `webhook.test` for a test.', example: 'job.failed' }),
    at: z.iso.datetime(),
    milliseconds: z.int(),
    status: z.int().nullable().openapi({ description: 'HTTP status of the response; null without one.' }),
    excerpt: z.string().openapi({ description: 'The first 500 characters of the response.' }),
    error: z.string().nullable().openapi({ description: 'Why there is no response.' }),
    data: z.unknown().openapi({ description: 'The `data` of the message.' }),
  })
  .openapi('WebhookDelivery');

export type DeliveryAnswer = z.infer<typeof deliverySchema>;

type WebhookParts = AccessParts & AuditParts & { webhooks: Webhooks };

const common = { tags: ['Webhooks'], security: [{ adminKey: [] }] };
const params = z.object({ webhookId: z.string().openapi({ example: 'wh_0123456789abcdef' }) });

export function addWebhookRoutes(api: Api, parts: WebhookParts): void {
  addDeliveryRoutes(api, parts);
  const { webhooks } = parts;

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: '/v1/webhooks',
      operationId: 'createWebhook',
      summary: 'Add a webhook',
      description:
        'Its URL is called when a job completes or fails, and when a model fails or answers again, signed as Standard Webhooks specifies.',
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
      request: { params },
      responses: { 204: { description: 'Removed.' }, ...errorAnswers(401, 403, 404) },
    }),
    async (context) => {
      const { webhookId } = context.req.valid('param');
      if (await webhooks.remove(context.get('key').organization, webhookId)) return context.body(null, 204);
      throw webhookUnknownError(webhookId);
    },
  );
}

function addDeliveryRoutes(api: Api, parts: WebhookParts): void {
  const { webhooks } = parts;
  const path = '/v1/webhooks/{webhookId}/deliveries' as const;
  const sent = jsonAnswer('How it ended.', deliverySchema);

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path,
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries of a webhook',
      description: 'The latest 100 deliveries, newest first, each with the response of the receiver.',
      middleware: [adminKey(parts, 'read')] as const,
      request: { params },
      responses: {
        200: jsonAnswer('Newest first.', z.object({ deliveries: z.array(deliverySchema) }).openapi('WebhookDeliveries')),
        ...errorAnswers(401, 403, 404),
      },
    }),
    async (context) => {
      const { webhookId } = context.req.valid('param');
      const found = await webhooks.deliveries(context.get('key').organization, webhookId);
      if (!found) throw webhookUnknownError(webhookId);
      return context.json({ deliveries: found.map(deliveryAnswer) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: '/v1/webhooks/{webhookId}/test',
      operationId: 'testWebhook',
      middleware: [adminKey(parts, 'write'), audited(parts, 'webhook.send')] as const,
      summary: 'Send a test to a webhook',
      description: 'Sends a signed message of the type `webhook.test`, once, and returns the response of the receiver.',
      request: { params },
      responses: { 200: sent, ...errorAnswers(401, 403, 404) },
    }),
    async (context) => {
      const { webhookId } = context.req.valid('param');
      const delivery = await webhooks.test(context.get('key').organization, webhookId);
      if (!delivery) throw webhookUnknownError(webhookId);
      return context.json(deliveryAnswer(delivery), 200);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: `${path}/{deliveryId}/retry`,
      operationId: 'retryWebhookDelivery',
      middleware: [adminKey(parts, 'write'), audited(parts, 'webhook.send')] as const,
      summary: 'Send a message of a webhook again',
      description: 'Sends the message of a delivery again, now and once, with the same `webhook-id`.',
      request: { params: params.extend({ deliveryId: z.string().openapi({ example: 'del_0123456789abcdef' }) }) },
      responses: { 200: sent, ...errorAnswers(401, 403, 404) },
    }),
    async (context) => {
      const { webhookId, deliveryId } = context.req.valid('param');
      const delivery = await webhooks.again(context.get('key').organization, webhookId, deliveryId);
      if (delivery) return context.json(deliveryAnswer(delivery), 200);
      throw new ApiError(
        'DeliveryUnknown',
        `There is no delivery "${deliveryId}" of a webhook "${webhookId}". GET /v1/webhooks/${webhookId}/deliveries lists them.`,
      );
    },
  );
}

function webhookUnknownError(id: string): ApiError {
  return new ApiError('WebhookUnknown', `There is no webhook "${id}". GET /v1/webhooks lists them.`);
}

function deliveryAnswer({ id, sent, at, milliseconds, status, excerpt, error }: DeliveryRecord): DeliveryAnswer {
  const { message, event, data } = sent;
  return { deliveryId: id, messageId: message, event, at: at.toISOString(), milliseconds, status, excerpt, error, data };
}

function webhookAnswer({ id, url, events, createdAt }: Webhook): WebhookAnswer {
  return { webhookId: id, url, events, createdAt: createdAt.toISOString() };
}
