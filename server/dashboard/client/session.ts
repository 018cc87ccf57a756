import type { Client } from './client.ts';

/** The state of a signed-in page. */
export interface Session {
  client: Client;
  account: Account;
  /** Path of the organization's view, or of one of its sites. */
  path(domain?: string): string;
  /** Shows another view without loading a page. */
  go(path: string): void;
}

// The fields of API responses that the dashboard shows (/openapi.json describes all fields).
export interface Account {
  organization: { organizationId: string; name: string; plan: string };
  key: { keyId: string; name: string; scopes: string[] };
  features: { staticExport: boolean };
  limits: Record<string, { limit: number; used: number }>;
}
export interface Site {
  domain: string;
  source: { type: 'folder'; path: string } | { type: 'git'; url: string; ref?: string; folder?: string };
  builder: string;
  activeJob: string | null;
  address: string;
}
export interface Key {
  keyId: string;
  kind: 'admin' | 'assistant';
  name: string;
  hint: string;
  scopes: string[];
  domains: string[];
  status: 'active' | 'expired' | 'revoked';
  expiresAt: string | null;
  lastUsedAt: string | null;
}
export interface Webhook {
  webhookId: string;
  url: string;
  events: string[];
}
export interface Bundle {
  bundleUrl: string;
  expiresAt: string;
  sizeBytes: number;
  sha256: string;
  version: string;
}

/** Whether the key of this session allows changes. */
export function mayWrite({ account }: Session): boolean {
  return account.key.scopes.some((scope) => scope !== 'read');
}
