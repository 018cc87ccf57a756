// The mails that members get: plain text, each with a link that signs them in once.
import type { Mail } from '../platform/mail.ts';
import type { Member } from './members.ts';
import { roleOf } from './roles.ts';
import type { SessionLink } from '../organizations/session-links.ts';

interface Invitation {
  member: Member;
  /** Name of the member or the key that invites. */
  by: string;
  /** Name of the organization. */
  organization: string;
  /** Undefined where members sign in through the OpenID Connect provider alone. */
  link: SessionLink | undefined;
  publicUrl: string;
}

export function invitationMail({ member, by, organization, link, publicUrl }: Invitation): Mail {
  const how = link
    ? `Open this link to sign in. It works once, until ${time(link.expiresAt)}:

${link.url}

Then add a passkey, with which you sign in again.`
    : `Sign in with your company's account:

${publicUrl}/dashboard
`;
  return {
    to: member.email,
    subject: `Invitation to ${organization} on Carrel`,
    text: `${by} invites you to ${organization} on Carrel, as ${roleOf(member)}.

${how} If you did not expect this mail, ignore it.
`,
  };
}

/** For a person who asked for it: a link for each organization that they are a member of. */
export function signInMail(to: string, links: Pick<Invitation, 'organization' | 'link'>[], publicUrl: string): Mail {
  const lines = links.map(({ organization, link }) =>
    link
      ? `${organization}, until ${time(link.expiresAt)}:\n\n${link.url}`
      : `${organization}, with your company's account:\n\n${publicUrl}/dashboard`,
  );
  return {
    to,
    subject: 'Sign in to Carrel',
    text: `You, or someone who knows your address, asked for a link to sign in to Carrel. It works once.

${lines.join('\n\n')}

If you did not ask for it, ignore this mail.
`,
  };
}

/** `2026-12-06 12:00 UTC` */
function time(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
