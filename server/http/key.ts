// An API key or a member, as routes see them; organizations/keys.ts and members.ts create and find them.

export const scopes = ['read', 'write', 'owner', 'operator'] as const;
export type Scope = (typeof scopes)[number];

export interface Key {
  /** `key_` or, for a member, `mem_`, and 16 hex digits: identifies the key without granting access. */
  id: string;
  organization: string;
  kind: 'admin' | 'assistant';
  name: string;
  /** The last four characters, to tell keys apart. */
  hint: string;
  /** Of an admin key; each includes those before it. `owner` manages members, `operator` organizations and the machine's folders. */
  scopes: Scope[];
  /** IP addresses and CIDR ranges that it can be used from; empty for all. */
  addresses: string[];
  /** Sites that an assistant key gives access to. */
  domains: string[];
  /** Web origins that an assistant key can be used on; empty for all. */
  origins: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** Of a member: those whose pages they see as well. Of a page: those of the audience that its reader belongs to. */
  groups: string[];
  /** Of a member: domains of sites that they may change, whatever their scopes. */
  editorOf: string[];
  /** Of a member, in lower case. */
  email: string | null;
  /** Name of the key or member that created it. */
  createdBy: string | null;
  /** Whether these are the rights of a page of a hosted site, which are not stored. */
  isOfPage?: true;
  /** ID of the member or key who sees such a page, on a site for members. */
  person?: string;
}

/** Whether these scopes include the wanted one: each scope includes those before it. */
export function includesScope(own: Scope[], wanted: Scope): boolean {
  return own.some((scope) => scopes.indexOf(scope) >= scopes.indexOf(wanted));
}

/** Whether a key, or a member as editor of a site, may do with it what the scope `write` allows. */
export function mayChangeSite({ scopes: own, editorOf }: Pick<Key, 'scopes' | 'editorOf'>, domain: string): boolean {
  return includesScope(own, 'write') || editorOf.includes(domain);
}
