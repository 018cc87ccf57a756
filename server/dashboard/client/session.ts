import type { AccountAnswer } from '../../members/account-routes.ts';
import type { Client } from './client.ts';
import { element, type Attributes, type Child } from './element.ts';

/** The state of a signed-in page. */
export interface Session {
  client: Client;
  account: AccountAnswer;
  /** Path of a tab of a site, or of the organization; the first tab if none is given. */
  path(domain?: string, tab?: string): string;
  /** Shows another view without loading a page. */
  go(path: string): void;
}

/** Shows a tab in `body` until the signal aborts. */
export type Tab = (session: Session, body: Element, signal: AbortSignal) => Promise<void>;

/** A link to a tab of a site. */
export function tabLink({ path }: Session, domain: string, tab: string, text: Child, attributes: Attributes = {}): HTMLElement {
  return element('a', { href: path(domain, tab), 'data-inside': true, ...attributes }, text);
}

/** Whether the key of this session, or the member as an editor of a site, may change what the organization has, or what is of that site. */
export function mayWrite({ account: { key, member } }: Session, domain?: string): boolean {
  return key.scopes.some((scope) => scope !== 'read') || (domain !== undefined && member?.editorOf.includes(domain) === true);
}

export function mayManageMembers({ account }: Session): boolean {
  return account.key.scopes.some((scope) => scope === 'owner' || scope === 'operator');
}

/** Whether the key of this session allows what concerns the server's own machine. */
export function isOperator({ account }: Session): boolean {
  return account.key.scopes.includes('operator');
}
