// Mail: invitations and sign-in links, where the operator has set a mail server.
import type { ServerOptions } from './options.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends a mail. Rejects if the mail server cannot be reached, or refuses it. */
export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMilliseconds = 10_000;

/** Undefined without a mail server. */
export function createMailer({ smtpUrl, mailFrom }: Pick<ServerOptions, 'smtpUrl' | 'mailFrom'>): SendMail | undefined {
  if (smtpUrl === undefined) return undefined;
  return async (mail) => {
    // Few servers send mail, and those that do send little.
    const { createTransport } = await import('nodemailer');
    const limits = {
      connectionTimeout: timeoutMilliseconds,
      greetingTimeout: timeoutMilliseconds,
      socketTimeout: timeoutMilliseconds,
    };
    const transport = createTransport({ url: smtpUrl, ...limits });
    await transport.sendMail({ ...mail, from: mailFrom, headers: { 'auto-submitted': 'auto-generated' } });
  };
}
