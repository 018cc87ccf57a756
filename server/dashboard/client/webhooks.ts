// Webhooks: list, add (the secret is shown once), remove.
import { announce, element, replace } from './element.ts';
import { showSecret } from './keys.ts';
import { attempt, confirm, dialog, field, section } from './parts.ts';
import { mayWrite, type Session, type Webhook } from './session.ts';

export async function webhooksSection(session: Session, signal: AbortSignal): Promise<HTMLElement> {
  const { client } = session;
  const list = element('ul', { class: 'rows' });
  const add = element('button', { type: 'button' }, 'Add a webhook');
  const load = async () => {
    const { webhooks } = await client.call<{ webhooks: Webhook[] }>('GET', '/v1/webhooks', undefined, signal);
    replace(list, ...webhooks.map(row));
    if (webhooks.length === 0)
      list.append(
        element('li', { class: 'empty' }, 'No webhooks yet. A webhook notifies you when an export completes or fails.'),
      );
  };
  add.addEventListener('click', () => addWebhook(session, load));
  await load();
  return section('webhooks', 'Webhooks', mayWrite(session) ? add : undefined, list);

  function row({ webhookId, url, events }: Webhook): HTMLElement {
    const remove = element('button', { type: 'button', 'data-focus': webhookId, 'aria-label': `Remove ${url}` }, 'Remove');
    remove.addEventListener('click', () =>
      confirm(
        'Remove the webhook?',
        `The server stops sending messages to ${url}, including those for finished exports.`,
        'Remove the webhook',
        async () => {
          await client.call('DELETE', `/v1/webhooks/${webhookId}`);
          announce('Removed the webhook.');
          await load();
        },
      ),
    );
    return element(
      'li',
      {},
      element('div', {}, element('code', {}, url), element('p', { class: 'muted' }, events.join(', '))),
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
  const place = element('div');
  const go = element('button', { class: 'primary' }, 'Add');
  const cancel = element('button', { type: 'button', onclick: () => asked.close() }, 'Go back');
  const form = element(
    'form',
    {},
    field('URL', url, 'Receives a signed POST request when an export completes or fails.'),
    place,
    element('div', { class: 'actions' }, go, cancel),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(go, place, async () => {
      const { secret } = await client.call<{ secret: string }>('POST', '/v1/webhooks', { url: url.value });
      asked.close();
      showSecret(
        'The secret of the webhook',
        secret,
        "Copy the secret now: the receiver checks signatures with it. The server can't show it again.",
      );
      await onAdded();
    });
  });
  const asked = dialog('Add a webhook', form);
}
