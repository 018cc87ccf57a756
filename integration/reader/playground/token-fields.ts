// The fields with which a reader gets a token for a scheme of OAuth 2.
import { element } from '../shared/elements.ts';
import { canSignIn, redirectUrl, type TokenRequest } from './oauth.ts';
import type { Flow, Scheme } from './operation.ts';
import { sentenceOf } from './send.ts';
import type { Texts } from './texts.ts';

/** Gets a token from an authorization server. */
export type GetToken = (asked: TokenRequest, signal: AbortSignal) => Promise<string>;

interface TokenOptions {
  texts: Texts;
  /** What the reader has entered; the fields change it. */
  asked: TokenRequest;
  /** Undefined where nothing is sent. */
  getToken: GetToken | undefined;
  received: (token: string) => void;
}

export function tokenFields({ name, flows = [] }: Scheme, { texts, asked, getToken, received }: TokenOptions): HTMLElement[] {
  const { labels } = texts;
  if (!getToken) return location.protocol === 'file:' ? [element('p', { class: 'hint' }, labels.cannotSignIn)] : [];
  const text = (key: 'clientId' | 'clientSecret' | 'scopes', type: string) => {
    const input = element('input', { type, dir: 'ltr', autocomplete: 'off', spellcheck: 'false' });
    input.value = asked[key];
    // Fields inside the form must not send its request.
    input.addEventListener('keydown', (event) => event.key === 'Enter' && event.preventDefault());
    input.addEventListener('input', () => (asked[key] = input.value));
    return element('label', { class: 'field' }, texts.of(key, { name }), input);
  };
  const grants = element('select', { dir: 'ltr' }, ...flows.map(({ grant }) => element('option', {}, grant)));
  grants.value = asked.flow.grant;
  const fields = element('div');
  const state = element('p', { class: 'hint', 'aria-live': 'polite' });
  const button = element('button', { type: 'button' }, labels.getToken);
  let attempt = new AbortController();
  const get = async () => {
    attempt.abort();
    const { signal } = (attempt = new AbortController());
    state.textContent = labels.gettingToken;
    try {
      const token = await getToken(asked, signal);
      state.textContent = labels.tokenReceived;
      received(token);
    } catch (error) {
      if (!signal.aborted) state.textContent = sentenceOf(error, texts);
    }
  };
  button.addEventListener('click', () => void get());
  const show = (flow: Flow) => {
    asked.flow = flow;
    const isConsent = flow.grant === 'authorization_code';
    const hint = isConsent && !canSignIn ? labels.cannotSignIn : isConsent ? texts.of('redirectUrl', { url: redirectUrl }) : '';
    const own = [text('clientId', 'text'), text('clientSecret', 'password'), text('scopes', 'text'), button, state];
    fields.replaceChildren(
      ...(hint === '' ? [] : [element('p', { class: 'hint' }, hint)]),
      ...(isConsent && !canSignIn ? [] : own),
    );
  };
  grants.addEventListener('change', () => {
    const chosen = flows[grants.selectedIndex];
    if (chosen) show(chosen);
  });
  show(asked.flow);
  const choice = element('label', { class: 'field' }, 'grant_type', grants);
  return [element('details', {}, element('summary', {}, 'OAuth 2.0'), ...(flows.length > 1 ? [choice] : []), fields)];
}
