// Sending mail, over real SMTP servers on loopback: 127.0.0.2 stands for another machine.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { beforeEach, expect, test } from 'vitest';
import { createMailer } from '../../../server/platform/mail.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { makeCertificate } from '../sources/git-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrel-mail-'));
const files = makeCertificate(folder);
const [key, cert] = [readFileSync(files.key, 'utf8'), readFileSync(files.certificate, 'utf8')];
rmSync(folder, { recursive: true });

/** What servers have seen: passwords, and whether mails came encrypted. */
let seen: string[] = [];
beforeEach(() => {
  seen = [];
  setDefaultCACertificates(getCACertificates('bundled'));
});

async function portOf(server: { listen: Server['listen']; close: (done: () => void) => unknown }, host: string): Promise<number> {
  const listening = await new Promise<Server>((resolve) => {
    const opened = server.listen(0, host, () => resolve(opened));
  });
  atFileEnd(() => new Promise<void>((resolve) => void server.close(resolve)));
  return (listening.address() as AddressInfo).port;
}

function smtpServer(options: SMTPServerOptions): SMTPServer {
  const server = new SMTPServer({
    ...{ key, cert, allowInsecureAuth: true, closeTimeout: 100 },
    onAuth: ({ password }, _session, done) => {
      seen.push(password!);
      done(null, { user: 'carrel' });
    },
    onData: (stream, { secure }, done) => {
      seen.push(secure ? 'encrypted' : 'plain');
      stream.resume().on('end', done);
    },
    ...options,
  });
  // Who refuses its certificate closes the connection.
  return server.on('error', () => {});
}

const send = (url: string, wholeMilliseconds?: number) =>
  createMailer({ smtpUrl: url, mailFrom: 'a@example.com' }, { wholeMilliseconds })!({
    ...{ to: 'b@example.com', subject: 'x', text: 'http://api.example.com/dashboard#link=secret' },
  });

test.each<[string, string, SMTPServerOptions]>([
  ['does not encrypt', 'smtp', { hideSTARTTLS: true }],
  ['has a certificate that no one vouches for, by STARTTLS', 'smtp', {}],
  ['has a certificate that no one vouches for, from the start', 'smtps', { secure: true }],
])('another machine that %s gets neither password nor mail', async (_what, scheme, options) => {
  const port = await portOf(smtpServer(options), '127.0.0.2');
  await expect(send(`${scheme}://carrel:pass@127.0.0.2:${port}`)).rejects.toThrow('The mail server failed: ');
  expect(seen).toEqual([]);
});

test.each<[string, SMTPServerOptions]>([
  ['smtp', {}],
  ['smtps', { secure: true }],
])('%s:// to another machine encrypts password and mail', async (scheme, options) => {
  setDefaultCACertificates([...getCACertificates('bundled'), cert]);
  const port = await portOf(smtpServer(options), '127.0.0.2');
  await send(`${scheme}://carrel:pass@127.0.0.2:${port}`);
  expect(seen).toEqual(['pass', 'encrypted']);
});

test('a server of this machine gets mail whether or not its certificate is known', async () => {
  for (const hideSTARTTLS of [true, false])
    await send(`smtp://carrel:pass@127.0.0.1:${await portOf(smtpServer({ hideSTARTTLS }), '127.0.0.1')}`);
  expect(seen).toEqual(['pass', 'plain', 'pass', 'plain']);
});

test('a server that greets without end, or never takes the mail, is not waited for', async () => {
  const dripping = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
    socket.on('close', () => clearInterval(timer)).on('error', () => {});
  });
  const silent = smtpServer({ hideSTARTTLS: true, onData: (stream) => void stream.resume() });
  for (const server of [dripping, silent]) {
    const port = await portOf(server, '127.0.0.1');
    await expect(send(`smtp://carrel:pass@127.0.0.1:${port}`, 700)).rejects.toThrow('has not taken the mail within 0.7 s');
  }
});
