// Webhooks: list, add (the secret is shown once), remove; their deliveries, which can be sent again, and tests.
import type { DeliveryAnswer, WebhookAnswer } from '../../webhooks/webhook-routes.ts';
import { button, element, replace, muted } from './element.ts';
import { dateText, time } from './format.ts';
import { choices, chosen, showSecret } from './keys.ts';
import { longTable } from './list.ts';
import { field, formDialog } from './form.ts';
import { attempt, chip, dialog, emptyState, faultMessage, section, skeleton, removal, tableRow } from './parts.ts';
import { mayWrite, type Session } from './session.ts';
import { toast } from './toast.ts';

export async function webhooksTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const list = element('ul.rows');
  const none = element('div');
  const load = async () => {
    const { webhooks } = await client.call<{ webhooks: WebhookAnswer[] }>('GET', '/v1/webhooks', { signal });
    replace(list, ...webhooks.map(row));
    list.hidden = webhooks.length === 0;
    none.replaceChildren(
      webhooks.length === 0
        ? emptyState('No webhooks yet', 'Add one to be notified when an export completes or fails, or a model does.', [
            ['Add a URL', 'An endpoint of your own that receives POST requests.'],
            ['Copy the secret', 'Your endpoint checks the signatures with it.'],
            ['Get notified', 'Send a test, and see what your endpoint answered to each message.'],
          ])
        : '',
    );
  };
  await load();
  const add = button('Add a webhook', () => addWebhook(session, load), { class: 'primary' });
  body.replaceChildren(section('webhooks', 'Webhooks', mayWrite(session) ? add : undefined, list, none));

  function row({ webhookId, url, events }: WebhookAnswer): HTMLElement {
    const show = () => void showDeliveries(session, webhookId, url, signal);
    const remove = removal(session, load, {
      ...{ focus: webhookId, label: `Remove ${url}`, title: 'Remove the webhook?', yes: 'Remove the webhook' },
      text: `The server stops sending messages to ${url}, including those for finished exports.`,
      path: `/v1/webhooks/${webhookId}`,
      done: 'Removed the webhook.',
    });
    return element(
      'li',
      element('div', element('code', url), muted(events.map((event) => eventNames[event]).join(', '))),
      element(
        'div.actions',
        button('Deliveries', show, { 'data-focus': `deliveries ${webhookId}`, 'aria-label': `Deliveries to ${url}` }),
        remove,
      ),
    );
  }
}

const eventNames: Record<WebhookAnswer['events'][number], string> = {
  'job.completed': 'Export completed',
  'job.failed': 'Export failed',
  'model.failed': 'Model fails',
  'model.recovered': 'Model answers again',
};

/** The latest deliveries in a dialog. A test, and a message that is sent again, is added at its top. */
async function showDeliveries(session: Session, id: string, url: string, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const columns = ['Time', 'Event', 'Response', ''];
  const path = `/v1/webhooks/${id}`;
  const output = element('div');
  const content = element('div.group', skeleton());
  const send = (sender: HTMLButtonElement, route: string) =>
    attempt(sender, output, async () => {
      const { status } = await client.call<DeliveryAnswer>('POST', `${path}/${route}`);
      toast(status === null ? 'There was no response.' : `The receiver answered with status ${status}.`);
      await load();
    });
  const test = button('Send a test', () => void send(test, 'test'), { class: 'primary' });
  const mayTry = mayWrite(session);
  const close = button('Close', () => shown.close(), { autofocus: true });
  const shown = dialog(
    'Deliveries',
    muted('The latest 100 messages to ', element('code', url), '.'),
    output,
    content,
    element('div.actions', mayTry && test, close),
  );
  shown.classList.add('wide');
  await load().catch((error: unknown) => content.replaceChildren(faultMessage(error)));

  async function load(): Promise<void> {
    const { deliveries } = await client.call<{ deliveries: DeliveryAnswer[] }>('GET', `${path}/deliveries`, { signal });
    const rowsOf = (delivery: DeliveryAnswer) => [row(delivery)];
    content.replaceChildren(
      deliveries.length > 0
        ? longTable('Table of the deliveries', columns, deliveries, { rowsOf, more: 'Show more deliveries' })
        : muted('Nothing was sent yet.'),
    );
  }

  function row({ deliveryId, at, event, status, excerpt, error, milliseconds }: DeliveryAnswer): HTMLElement {
    const isDelivered = status !== null && status >= 200 && status <= 299;
    const again = button('Try again', () => void send(again, `deliveries/${deliveryId}/retry`), {
      'aria-label': `Try again: the delivery of ${dateText(at)}`,
    });
    return tableRow(
      columns,
      time(at),
      element('code', event),
      element(
        'td',
        chip(isDelivered ? 'completed' : 'failed', status === null ? 'No response' : `Status ${status}`),
        element('span.hint', ` ${milliseconds} ms`),
        (error ?? excerpt) !== '' && element('p.excerpt.muted', error ?? excerpt),
      ),
      mayTry && again,
    );
  }
}

function addWebhook({ client }: Session, onAdded: () => Promise<void>): void {
  const url = element('input', {
    type: 'url',
    required: true,
    maxlength: 2048,
    placeholder: 'https://',
    autofocus: true,
    autocomplete: 'off',
  });
  const events = choices('Events', 'events', eventNames, Object.keys(eventNames));
  formDialog('Add a webhook', [field('URL', url, 'Receives a signed POST request for each of the events.', 'url'), events], {
    go: 'Add',
    work: () => client.call<{ secret: string }>('POST', '/v1/webhooks', { body: { url: url.value, events: chosen(events) } }),
    onDone({ secret }) {
      showSecret(
        'The secret of the webhook',
        secret,
        "Copy the secret now: the receiver checks signatures with it. The server can't show it again.",
      );
      return onAdded();
    },
  });
}
