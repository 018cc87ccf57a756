// Webhooks of an organization: add, list, remove; what their receivers answered.
import { z } from '@hono/zod-openapi';
import { jsonAnswer, jsonBody, namedObject, namedStrictObject } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { webhookEvents, type DeliveryRecord, type Webhook, type Webhooks } from './webhooks.ts';
import { adminRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';

const webhookSchema = namedObject('Webhook', {
  webhookId: z.string().openapi({ example: 'wh_0123456789abcdef' }),
  url: z.string().openapi({ example: 'https://ci.example.com/hooks/docs' }),
  events: z.array(z.enum(webhookEvents)),
  createdAt: z.iso.datetime(),
});

export type WebhookAnswer = z.infer<typeof webhookSchema>;

const newWebhookSchema = namedStrictObject('NewWebhook', {
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
});

const secretSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .openapi({ description: 'Signs each delivery; shown only once.', example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…' }),
  })
  .openapi('WebhookWithSecret');

const deliverySchema = namedObject('WebhookDelivery', {
  deliveryId: z.string().openapi({ example: 'del_0123456789abcdef' }),
  messageId: z.string().openapi({ description: 'The header `webhook-id`: the same each time that a message is sent.' }),
  event: z.string().openapi({ description: 'The `type` of the message; `webhook.test` for a test.', example: 'job.failed' }),
  at: z.iso.datetime(),
  milliseconds: z.int(),
  status: z.int().nullable().openapi({ description: 'HTTP status of the response; null without one.' }),
  excerpt: z.string().openapi({ description: 'The first 500 characters of the response.' }),
  error: z.string().nullable().openapi({ description: 'Why there is no response.' }),
  data: z.unknown().openapi({ description: 'The `data` of the message.' }),
});

export type DeliveryAnswer = z.infer<typeof deliverySchema>;

interface WebhookRouteParts extends AdminRouteParts {
  webhooks: Webhooks;
}

const route = adminRoutesOf<WebhookRouteParts>('Webhooks');
const params = z.object({ webhookId: z.string().openapi({ example: 'wh_0123456789abcdef' }) });

const createWebhook = route('post /v1/webhooks', {
  summary: 'Add a webhook',
  description:
    'Its URL is called when a job completes or fails, and when a model fails or answers again, signed as Standard Webhooks specifies.',
  scope: 'write',
  audit: 'webhook.create',
  body: jsonBody(newWebhookSchema),
  answers: { 201: jsonAnswer('The webhook, with its secret.', secretSchema) },
  errors: [409],
  async handle({ parts: { webhooks }, context, organization, body: { url, events } }) {
    const { webhook, secret } = await webhooks.create({ organization, url, events });
    context.set('target', webhook.id);
    return { ...webhookAnswer(webhook), secret };
  },
});

const listWebhooks = route('get /v1/webhooks', {
  summary: 'List webhooks',
  description: 'The webhooks of the organization, without their secrets.',
  scope: 'read',
  answers: {
    200: jsonAnswer(
      'The webhooks of the organization, oldest first.',
      namedObject('Webhooks', { webhooks: z.array(webhookSchema) }),
    ),
  },
  async handle({ parts: { webhooks }, organization }) {
    const found = await webhooks.list(organization);
    return { webhooks: found.map(webhookAnswer) };
  },
});

const deleteWebhook = route('delete /v1/webhooks/{webhookId}', {
  summary: 'Remove a webhook',
  description: 'Pending deliveries are dropped.',
  scope: 'write',
  audit: 'webhook.delete',
  params,
  answers: { 204: { description: 'Removed.' } },
  errors: [404],
  async handle({ parts: { webhooks }, organization, params: { webhookId } }) {
    if (await webhooks.remove(organization, webhookId)) return;
    throw webhookUnknownError(webhookId);
  },
});

const sent = jsonAnswer('How it ended.', deliverySchema);

const listWebhookDeliveries = route('get /v1/webhooks/{webhookId}/deliveries', {
  summary: 'List deliveries of a webhook',
  description: 'The latest 100 deliveries, newest first, each with the response of the receiver.',
  scope: 'read',
  params,
  answers: { 200: jsonAnswer('Newest first.', namedObject('WebhookDeliveries', { deliveries: z.array(deliverySchema) })) },
  errors: [404],
  async handle({ parts: { webhooks }, organization, params: { webhookId } }) {
    const found = await webhooks.deliveries(organization, webhookId);
    if (!found) throw webhookUnknownError(webhookId);
    return { deliveries: found.map(deliveryAnswer) };
  },
});

const testWebhook = route('post /v1/webhooks/{webhookId}/test', {
  summary: 'Send a test to a webhook',
  description: 'Sends a signed message of the type `webhook.test`, once, and returns the response of the receiver.',
  scope: 'write',
  audit: 'webhook.send',
  params,
  answers: { 200: sent },
  errors: [404],
  async handle({ parts: { webhooks }, organization, params: { webhookId } }) {
    const delivery = await webhooks.test(organization, webhookId);
    if (!delivery) throw webhookUnknownError(webhookId);
    return deliveryAnswer(delivery);
  },
});

const retryWebhookDelivery = route('post /v1/webhooks/{webhookId}/deliveries/{deliveryId}/retry', {
  summary: 'Send a message of a webhook again',
  description: 'Sends the message of a delivery again, now and once, with the same `webhook-id`.',
  scope: 'write',
  audit: 'webhook.send',
  params: params.extend({ deliveryId: z.string().openapi({ example: 'del_0123456789abcdef' }) }),
  answers: { 200: sent },
  errors: [404],
  async handle({ parts: { webhooks }, organization, params: { webhookId, deliveryId } }) {
    const delivery = await webhooks.again(organization, webhookId, deliveryId);
    if (delivery) return deliveryAnswer(delivery);
    throw new ApiError(
      'DeliveryUnknown',
      `There is no delivery "${deliveryId}" of a webhook "${webhookId}". GET /v1/webhooks/${webhookId}/deliveries lists them.`,
    );
  },
});

export const webhookRoutes = {
  listWebhookDeliveries,
  testWebhook,
  retryWebhookDelivery,
  createWebhook,
  listWebhooks,
  deleteWebhook,
};

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
