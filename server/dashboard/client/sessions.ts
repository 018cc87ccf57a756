// Browsers that are signed in: which, since when, from where. Each of them can be ended.
import type { KeyAnswer } from '../../organizations/key-schemas.ts';
import type { EndedSessionsAnswer, ListedSessionAnswer } from '../../organizations/session-routes.ts';
import { Fault } from './client.ts';
import { button, element, replace, muted } from './element.ts';
import { count, time } from './format.ts';
import { badge, confirm, section, table } from './parts.ts';
import { mayWrite, type Session } from './session.ts';
import { toast } from './toast.ts';

export async function sessionsTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  let sessions: ListedSessionAnswer[] = [];
  const rows = element('tbody');
  const alone = muted('No other browser is signed in.');
  const { keys } = await client.call<{ keys: KeyAnswer[] }>('GET', '/v1/keys', { signal });
  const endOthers = button('End all others', () => askToEndOthers());
  const load = async () => {
    const answer = await client.call<{ sessions: ListedSessionAnswer[] }>('GET', '/v1/sessions', { signal });
    sessions = answer.sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
    replace(rows, ...sessions.map(row));
    alone.hidden = sessions.some(({ current }) => !current);
    endOthers.hidden = !alone.hidden;
  };
  await load();
  body.replaceChildren(
    section(
      'sessions',
      'Sessions',
      mayWrite(session) ? endOthers : undefined,
      muted(
        'Browsers that are signed in with a key of this organization. If you do not recognize one, end it and revoke its key.',
      ),
      table('Table of the sessions', ['Browser', 'Key', 'IP address', 'Signed in', 'Last used', 'Ends', ''], rows),
      alone,
    ),
  );

  function row({
    sessionId,
    keyId,
    userAgent,
    address,
    createdAt,
    lastUsedAt,
    expiresAt,
    current,
  }: ListedSessionAnswer): HTMLElement {
    const key = keys.find((one) => one.keyId === keyId);
    const ask = () =>
      confirm('End this session?', `${userAgent} at ${address} is signed out immediately.`, 'End the session', async () => {
        await end(sessionId);
        toast(`Ended the session of ${userAgent}.`);
        await load();
      });
    return element(
      'tr',
      element('th', { scope: 'row' }, element('span', { class: 'chips' }, userAgent, current && badge('This browser'))),
      element('td', { 'data-label': 'Key' }, key?.name ?? element('code', keyId)),
      element('td', { 'data-label': 'IP address' }, element('code', address)),
      element('td', { 'data-label': 'Signed in' }, time(createdAt)),
      element('td', { 'data-label': 'Last used' }, time(lastUsedAt)),
      element('td', { 'data-label': 'Ends' }, time(expiresAt)),
      element(
        'td',
        { class: 'row-actions' },
        !current &&
          mayWrite(session) &&
          button('End', ask, { 'data-focus': sessionId, 'aria-label': `End the session of ${userAgent} at ${address}` }),
      ),
    );
  }

  async function end(id: string): Promise<void> {
    await client.call('DELETE', `/v1/sessions/${id}`).catch((error: unknown) => {
      // It ended meanwhile, which is what was asked for.
      if (!(error instanceof Fault) || error.code !== 'SessionIdUnknown') throw error;
    });
  }

  function askToEndOthers(): void {
    const others = sessions.filter(({ current }) => !current);
    const text = `${count(others.length, 'other browser is', 'other browsers are')} signed out immediately. This one stays signed in.`;
    confirm('End all other sessions?', text, 'End all others', async () => {
      const { ended, notAllowed } = await client.call<EndedSessionsAnswer>('DELETE', '/v1/sessions');
      await load();
      if (notAllowed === 0) return toast(`Ended ${count(ended, 'session')}.`);
      throw new Fault(403, {
        error: `Ended ${count(ended, 'session')}. ${count(notAllowed, 'session stays', 'sessions stay')}: to end sessions of keys with more permissions than yours, sign in with such a key.`,
        code: 'ScopeMissing',
      });
    });
  }
}
