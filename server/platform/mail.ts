// Mail: invitations and sign-in links, where the operator has set a mail server.
import { localHosts } from './local-host.ts';
import type { ServerOptions } from './options.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends a mail within 15 s. Rejects if the mail server cannot be reached, or refuses it. */
export type SendMail = (mail: Mail) => Promise<void>;

const silenceMilliseconds = 10_000;

/** Undefined without a mail server. */
export function createMailer(
  { smtpUrl, mailFrom }: Pick<ServerOptions, 'smtpUrl' | 'mailFrom'>,
  { wholeMilliseconds = 15_000 } = {},
): SendMail | undefined {
  if (smtpUrl === undefined) return undefined;
  const isHere = localHosts.includes(new URL(smtpUrl).hostname);
  return async (mail) => {
    // Few servers send mail, and those that do send little.
    const { createTransport } = await import('nodemailer');
    const limits = {
      connectionTimeout: silenceMilliseconds,
      greetingTimeout: silenceMilliseconds,
      socketTimeout: silenceMilliseconds,
    };
    // Passwords and links never cross a network in clear. A server on this machine often has a certificate that no one vouches for.
    const encryption = isHere ? { ignoreTLS: true } : { requireTLS: true };
    const transport = createTransport({ url: smtpUrl, ...encryption, ...limits });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The mail server has not taken the mail within ${wholeMilliseconds / 1000} s.`)),
        wholeMilliseconds,
      );
    });
    try {
      await Promise.race([
        transport.sendMail({ ...mail, from: mailFrom, headers: { 'auto-submitted': 'auto-generated' } }),
        late,
      ]);
    } catch (error) {
      throw plain(error as SmtpError);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Without what the mail server said, which may repeat the mail or the password. */
function plain({ code, command, responseCode, message }: SmtpError): Error {
  const parts = [code, command, responseCode].filter((part) => part !== undefined);
  return new Error(parts.length > 0 ? `The mail server failed: ${parts.join(', ')}.` : message);
}
