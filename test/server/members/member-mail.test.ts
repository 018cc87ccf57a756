// Mail to members, over a real SMTP server on loopback.
import { SMTPServer } from 'smtp-server';
import { beforeEach, expect, test } from 'vitest';
import { atFileEnd } from '../../support/at-file-end.ts';
import { openTestServer } from '../support/services.ts';
import { close, listen } from '../../support/listen.ts';

interface Received {
  to: string[];
  from: string;
  text: string;
}
const received: Received[] = [];
let refuses = false;
const smtp = new SMTPServer({
  // No certificate of ours would be one that mail servers have.
  hideSTARTTLS: true,
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'carrel' && password === 'p@ss' ? done(null, { user: 'carrel' }) : done(new Error('Wrong password')),
  onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
    let source = '';
    stream.on('data', (piece: Buffer) => (source += piece.toString()));
    stream.on('end', () => {
      if (refuses) return done(new Error('The mailbox is full'));
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        text: source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='),
      });
      done();
    });
  },
});
const port = await listen(smtp.server);
atFileEnd(() => close(smtp.server));

const { clock, request, services } = await openTestServer({
  smtpUrl: `smtp://carrel:p%40ss@127.0.0.1:${port}`,
  mailFrom: 'Carrel <carrel@example.com>',
  ...{ oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'carrel' },
});
const host = 'api.example.com';
const browser = { host, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
const invite = async (email: string, more: object = {}) => (await request('POST', '/v1/members', { email, ...more })).json();
const ask = (email: string, headers: Record<string, string> = browser) =>
  request('POST', '/v1/session-links/mail', { email }, null, headers);
const linksIn = ({ text: source }: Received) => source.match(/http:\S+#link=[\w-]{43}/g) ?? [];
const open = async (url: string) => {
  const headers = { ...browser, 'x-carrel-session-link': url.split('#link=')[1]! };
  return (await request('POST', '/v1/session', undefined, null, headers)).status;
};
beforeEach(() => {
  received.length = 0;
  refuses = false;
  // Another hour has its own limits.
  clock.now += 3_600_000;
});

test('an invitation is mailed to the person alone, and its link signs them in', async () => {
  const answer = await invite('ada@example.com', { name: 'Ada', role: 'editor' });
  expect(answer).toMatchObject({ mailed: true, link: null, member: { email: 'ada@example.com' } });
  expect(received).toMatchObject([{ from: 'carrel@example.com', to: ['ada@example.com'] }]);
  const [mail] = received as [Received];
  expect(mail.text).toContain('Subject: Invitation to default on Carrel');
  expect(mail.text).toContain('test invites you to default on Carrel, as editor.');
  expect(mail.text).toContain('Auto-Submitted: auto-generated');
  const [link] = linksIn(mail);
  expect([await open(link!), await open(link!)]).toEqual([201, 401]);
});

test('an invitation that cannot be mailed is one with a link to copy', async () => {
  refuses = true;
  const answer = await invite('full@example.com');
  expect(answer).toMatchObject({ mailed: false, member: { status: 'invited' } });
  expect(await open(answer.link.url)).toBe(201);
});

test('what a mail server says about a mail is in no log', async () => {
  const { createMailer } = await import('../../../server/platform/mail.ts');
  const send = createMailer({ smtpUrl: `smtp://carrel:wrong@127.0.0.1:${port}`, mailFrom: 'a@example.com' })!;
  const mail = { to: 'b@example.com', subject: 'x', text: 'http://api.example.com/dashboard#link=secret' };
  const error = await send(mail).catch((fault: Error) => fault);
  expect(String(error)).toMatch(/^Error: The mail server failed: EAUTH, AUTH \w+, 535\.$/);
});

test('a name is no header of a mail', async () => {
  await request('PATCH', '/v1/organizations/default', { name: 'Docs, "Bcc: all@example.com"' });
  await invite('bo@example.com');
  expect(received).toMatchObject([{ to: ['bo@example.com'] }]);
  await request('PATCH', '/v1/organizations/default', { name: 'default' });
});

test('a member asks for a link, which works once and for 10 minutes; others get the same answer and no mail', async () => {
  await invite('cy@example.com');
  const [invitation] = linksIn(received.pop()!);
  const answers = await Promise.all(['nobody@example.com', 'CY@example.com'].map((email) => ask(email)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(await answers[0]!.text()).toBe(await answers[1]!.text());
  await expect.poll(() => received.length).toBe(1);
  const [mail] = received as [Received];
  expect(mail.to).toEqual(['cy@example.com']);
  const [link] = linksIn(mail);
  expect([await open(link!), await open(link!)]).toEqual([201, 401]);
  // Who knows the address cannot end the invitation.
  expect(await open(invitation!)).toBe(201);

  await ask('cy@example.com');
  await expect.poll(() => received.length).toBe(2);
  clock.now += 10 * 60_000;
  expect(await open(linksIn(received[1]!)[0]!)).toBe(401);
});

test('someone of two organizations gets a link for each, and who is removed gets none', async () => {
  await request('POST', '/v1/organizations', { organizationId: 'second', name: 'Second' });
  const [first] = [await invite('di@example.com'), await invite('di@example.com', { organization: 'second' })];
  received.length = 0;
  await ask('di@example.com');
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]!.text).toMatch(/default, until [^]+Second, until /);
  expect(linksIn(received[0]!)).toHaveLength(2);
  await request('DELETE', `/v1/members/${first.member.memberId}`);
  await ask('di@example.com');
  await expect.poll(() => received.length).toBe(2);
  expect(linksIn(received[1]!)).toHaveLength(1);
});

test('where the provider is required, mails lead to the sign-in page, without a link', async () => {
  const require = (required: boolean) =>
    services.database.query(`update carrel.organizations set oidc_required = $1 where id = 'default'`, [required]);
  await require(true);
  expect(await invite('fay@example.com')).toMatchObject({ mailed: true, link: null });
  await ask('fay@example.com');
  await expect.poll(() => received.length).toBe(2);
  for (const mail of received) {
    expect(linksIn(mail)).toEqual([]);
    expect(mail.text).toMatch(/with your company's account:\s+http:\/\/api\.example\.com\/dashboard\s/);
  }
  await require(false);
});

test('mails to a person are limited, also with addresses in other spellings, and no page of another origin asks for one', async () => {
  await invite('ed@example.com');
  const statuses = [];
  for (const email of [
    'ed@example.com',
    'ED@example.com',
    ' ed@Example.com',
    'ed@example.com',
    'ed@example.com',
    'ed@example.com',
  ])
    statuses.push((await ask(email)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  const foreign = { ...browser, origin: 'http://sites.example.com', 'sec-fetch-site': 'same-site' };
  expect((await ask('ed@example.com', foreign)).status).toBe(403);
  expect((await ask('no address')).status).toBe(400);
});

test('without a mail server, no link is mailed, and the answer says what to do', async () => {
  const { request: requestElsewhere } = await openTestServer();
  const answer = await requestElsewhere('POST', '/v1/session-links/mail', { email: 'a@example.com' }, null, browser);
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'MailOff' })]);
});
