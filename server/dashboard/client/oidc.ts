// The OpenID Connect provider of the members: whether they have to use it, and a check of it, which ends with a test sign-in.
import type { OidcCheckAnswer, OidcTestAnswer } from '../../members/oidc-routes.ts';
import { button, element, muted, type Child } from './element.ts';
import { confirm, dialog, facts, faultMessage, section } from './parts.ts';
import type { Session } from './session.ts';
import { toast } from './toast.ts';

/** For owners, where their organization has a provider. */
export function oidcSection({ client, account }: Session): HTMLElement {
  const state = muted();
  const setRequired = button('', () => ask());
  const show = () => {
    const isRequired = account.oidc?.required;
    state.textContent = isRequired
      ? "Members sign in with your company's account alone. Owners can also use their passkeys."
      : "Members sign in with your company's account, a passkey or a link.";
    setRequired.textContent = isRequired ? 'Allow other ways again…' : 'Require it…';
  };
  const change = async (required: boolean): Promise<void> => {
    account.oidc = await client.call<{ required: boolean }>('PATCH', '/v1/oidc/settings', { body: { required } });
    show();
    toast('Saved.');
  };
  show();
  const check = button('Check connection', () => checkConnection(client));
  return section('oidc', "Your company's accounts", undefined, state, element('div.actions', check, setRequired));

  function ask(): void {
    const [title, text, yes] = account.oidc?.required
      ? ['Allow other ways again?', 'Members can also sign in with passkeys and links.', 'Allow them']
      : [
          "Require your company's account?",
          'Passkeys and links of viewers and editors stop working, and sessions that they began with them end. While the provider is away, only owners and operators with a passkey can sign in. Keys are not affected.',
          'Require it',
        ];
    confirm(title, text, yes, () => change(!account.oidc?.required), { look: 'primary' });
  }
}

function checkConnection({ call }: Session['client']): void {
  const found = element('div', { role: 'status' }, muted('Requesting the metadata of the provider…'));
  const actions = element('div.actions');
  const close = button('Close', () => shown.close());
  actions.append(close);
  const shown = dialog('Check connection', found, actions);
  void call<OidcCheckAnswer>('POST', '/v1/oidc/check').then(
    ({ problems, testUrl }) => {
      if (testUrl === null) return found.replaceChildren(element('ul', ...problems.map((sentence) => element('li', sentence))));
      const about =
        "The provider answers as it should. A test sign-in shows what it says about you: it starts no session and changes no member. Only it can show whether the client's secret is right.";
      found.replaceChildren(element('p', about));
      actions.prepend(button('Test sign-in', () => location.assign(testUrl), { class: 'primary' }));
    },
    (error: unknown) => found.replaceChildren(faultMessage(error)),
  );
}

/** What a test sign-in has found, if the browser comes back from one. */
export async function showOidcTest({ client }: Session): Promise<void> {
  const query = new URLSearchParams(location.search);
  if (query.get('oidc') !== 'tested') return;
  query.delete('oidc');
  history.replaceState(history.state, '', `${location.pathname}?${query}`);
  const { refusal, claims, role, groups } = await client.call<OidcTestAnswer>('POST', '/v1/oidc/test-result');
  const close = button('Close', () => shown.close(), { class: 'primary' });
  const shown = dialog(
    refusal === null ? 'The test sign-in works' : 'The test sign-in is refused',
    refusal === null ? muted('Nothing was changed, and no session was started.') : element('p', { role: 'alert' }, refusal),
    claims !== null && element('h3', 'What the provider says'),
    claims !== null &&
      facts(...Object.entries(claims).map(([name, value]): [string, Child] => [name, element('code', JSON.stringify(value))])),
    role !== null && element('h3', 'What follows from it'),
    role !== null && facts(['Role', role], ['Groups', groups.join(', ') || 'none']),
    element('div.actions', close),
  );
}
