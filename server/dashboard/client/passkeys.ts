// Passkeys: signing in with one, and those of the member who is signed in.
import type { PasskeyAnswer } from '../../members/passkey-routes.ts';
import { Fault, type Client } from './client.ts';
import { button, element, muted, replace, textInput } from './element.ts';
import { field, formDialog } from './form.ts';
import { time } from './format.ts';
import { confirm, emptyState, section, table, tableRow } from './parts.ts';
import type { Session } from './session.ts';
import { toast } from './toast.ts';

/** Whether the browser has passkeys, and the functions that translate them from and to JSON (2025). */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Throws `Fault`. */
export async function signInWithPasskey({ call }: Client): Promise<void> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>('POST', '/v1/session/passkey-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(refuse);
  await call('POST', '/v1/session/passkey', { body: { credential: (credential as PublicKeyCredential).toJSON() } });
}

async function addPasskey({ call }: Client, name: string): Promise<void> {
  const options = await call<PublicKeyCredentialCreationOptionsJSON>('POST', '/v1/passkey-options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch(refuse);
  await call('POST', '/v1/passkeys', { body: { name, credential: (credential as PublicKeyCredential).toJSON() } });
}

const reasons: Record<string, string> = {
  NotAllowedError:
    'No passkey was used: the dialog was closed, or there is none for this server. Try again, or sign in in another way.',
  InvalidStateError: 'This device has a passkey of yours for this server already.',
  SecurityError: `Passkeys need https or localhost, and a name instead of an IP address. This page is at ${location.host}.`,
};

function refuse(error: unknown): never {
  const { name, message } = error as DOMException;
  throw new Fault(0, { error: reasons[name] ?? `The browser reports: ${message}`, code: 'PasskeyFailed' });
}

export async function passkeysSection({ client }: Session, signal: AbortSignal): Promise<HTMLElement> {
  const head = ['Name', 'Added', 'Last used', ''];
  const rows = element('tbody');
  const none = emptyState(
    'Add a passkey',
    'Your link has worked, and works only once. With a passkey, you sign in again with your finger, your face or the code of your device.',
  );
  const listed = table('Table of your passkeys', head, rows);
  const load = async () => {
    const { passkeys } = await client.call<{ passkeys: PasskeyAnswer[] }>('GET', '/v1/passkeys', { signal });
    replace(rows, ...passkeys.map(row));
    none.hidden = passkeys.length > 0;
    listed.hidden = !none.hidden;
  };
  await load();
  const unable = muted('This browser is too old for passkeys. Open the dashboard in a newer one to add one.');
  const add = button('Add a passkey', () => ask(), { class: 'primary' });
  return section('passkeys', 'Your passkeys', hasPasskeys() ? add : undefined, !hasPasskeys() && unable, none, listed);

  function ask(): void {
    const name = textInput({ required: true, maxlength: 100, autofocus: true, value: defaultName() });
    formDialog('Add a passkey', [field('Name', name, 'By which you know it again.', 'name')], {
      go: 'Continue',
      work: () => addPasskey(client, name.value.trim()),
      onDone() {
        toast('Added the passkey.');
        return load();
      },
    });
  }

  function row({ passkeyId, name, createdAt, lastUsedAt }: PasskeyAnswer): HTMLElement {
    const remove = () =>
      confirm(`Remove the passkey “${name}”?`, 'You can no longer sign in with it.', 'Remove the passkey', async () => {
        await client.call('DELETE', `/v1/passkeys/${passkeyId}`);
        toast(`Removed ${name}.`);
        await load();
      });
    const action = button('Remove', remove, { 'data-focus': passkeyId, 'aria-label': `Remove the passkey ${name}` });
    return tableRow(head, name, time(createdAt), lastUsedAt ? time(lastUsedAt) : 'never', action);
  }
}

/** What the device is called in the user agent: 'Macintosh', 'X11'. */
function defaultName(): string {
  const { userAgentData, platform } = navigator as Navigator & { userAgentData?: { platform: string } };
  return userAgentData?.platform || platform || 'This device';
}
