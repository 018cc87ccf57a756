import type { AccountAnswer } from '../../organizations/organization-routes.ts';
import type { Client } from './client.ts';

/** The state of a signed-in page. */
export interface Session {
  client: Client;
  account: AccountAnswer;
  /** Path of the organization's view, or of one of its sites. */
  path(domain?: string): string;
  /** Shows another view without loading a page. */
  go(path: string): void;
}

/** Whether the key of this session allows changes. */
export function mayWrite({ account }: Session): boolean {
  return account.key.scopes.some((scope) => scope !== 'read');
}
