// Browsers that are signed in: which, since when, from where. Each of them can be ended.
import type { EndedSessionsAnswer, ListedSessionAnswer } from '../../members/session-routes.ts';
import { Fault } from './client.ts';
import { button, element, replace, muted } from './element.ts';
import { count, time } from './format.ts';
import { badge, confirm, section, table, tableRow } from './parts.ts';
import { passkeysSection } from './passkeys.ts';
import { mayWrite, type Session } from './session.ts';
import { toast } from './toast.ts';

export async function sessionsTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  let sessions: ListedSessionAnswer[] = [];
  const head = ['Browser', 'Who', 'IP address', 'Signed in', 'Last used', 'Ends', ''];
  const rows = element('tbody');
  const alone = muted('No other browser is signed in.');
  const endOthers = button('End all others', () => askToEndOthers());
  const load = async () => {
    const answer = await client.call<{ sessions: ListedSessionAnswer[] }>('GET', '/v1/sessions', { signal });
    sessions = answer.sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
    replace(rows, ...sessions.map(row));
    alone.hidden = sessions.some(({ current }) => !current);
    endOthers.hidden = !alone.hidden;
  };
  await load();
  const isMember = session.account.member !== null;
  body.replaceChildren(
    ...(isMember ? [await passkeysSection(session, signal)] : []),
    section(
      'sessions',
      'Sessions',
      mayWrite(session) ? endOthers : undefined,
      muted(
        'Browsers that are signed in to this organization. If you do not recognize one, end it, and revoke its key or remove its member.',
      ),
      table('Table of the sessions', head, rows),
      alone,
    ),
  );

  function row(listed: ListedSessionAnswer): HTMLElement {
    const { sessionId, keyId, name, userAgent, address, createdAt, lastUsedAt, expiresAt, current } = listed;
    const ask = () =>
      confirm('End this session?', `${userAgent} at ${address} is signed out immediately.`, 'End the session', async () => {
        await end(session, sessionId);
        toast(`Ended the session of ${userAgent}.`);
        await load();
      });
    return tableRow(
      head,
      element('span.chips', userAgent, current && badge('This browser')),
      name,
      element('code', address),
      time(createdAt),
      time(lastUsedAt),
      time(expiresAt),
      !current &&
        (mayWrite(session) || keyId === session.account.key.keyId) &&
        button('End', ask, { 'data-focus': sessionId, 'aria-label': `End the session of ${userAgent} at ${address}` }),
    );
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

async function end({ client }: Session, id: string): Promise<void> {
  await client.call('DELETE', `/v1/sessions/${id}`).catch((error: unknown) => {
    // It ended meanwhile, which is what was asked for.
    if (!(error instanceof Fault) || error.code !== 'SessionIdUnknown') throw error;
  });
}
