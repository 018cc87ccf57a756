// Webhooks: list, add (the secret is shown once), remove.
import type { WebhookAnswer } from '../../webhooks/webhook-routes.ts';
import { button, element, replace } from './element.ts';
import { showSecret } from './keys.ts';
import { confirm, emptyState, field, formDialog, section } from './parts.ts';
import { mayWrite, type Session } from './session.ts';
import { toast } from './toast.ts';

export async function webhooksTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const list = element('ul', { class: 'rows' });
  const none = element('div');
  const load = async () => {
    const { webhooks } = await client.call<{ webhooks: WebhookAnswer[] }>('GET', '/v1/webhooks', { signal });
    replace(list, ...webhooks.map(row));
    list.hidden = webhooks.length === 0;
    none.replaceChildren(
      webhooks.length === 0
        ? emptyState('No webhooks yet', 'Add one to be notified when an export completes or fails.', [
            ['Add a URL', 'An endpoint of your own that receives POST requests.'],
            ['Copy the secret', 'Your endpoint checks the signatures with it.'],
            ['Get notified', 'Each message has the state of the export and the number of warnings.'],
          ])
        : '',
    );
  };
  await load();
  const add = button('Add a webhook', () => addWebhook(session, load), { class: 'primary' });
  body.replaceChildren(section('webhooks', 'Webhooks', mayWrite(session) ? add : undefined, list, none));

  function row({ webhookId, url, events }: WebhookAnswer): HTMLElement {
    const ask = () =>
      confirm(
        'Remove the webhook?',
        `The server stops sending messages to ${url}, including those for finished exports.`,
        'Remove the webhook',
        async () => {
          await client.call('DELETE', `/v1/webhooks/${webhookId}`);
          toast('Removed the webhook.');
          await load();
        },
      );
    const remove = button('Remove', ask, { 'data-focus': webhookId, 'aria-label': `Remove ${url}` });
    return element(
      'li',
      element('div', element('code', url), element('p', { class: 'muted' }, events.join(', '))),
      mayWrite(session) && remove,
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
  formDialog('Add a webhook', [field('URL', url, 'Receives a signed POST request when an export completes or fails.')], {
    go: 'Add',
    work: () => client.call<{ secret: string }>('POST', '/v1/webhooks', { body: { url: url.value } }),
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
