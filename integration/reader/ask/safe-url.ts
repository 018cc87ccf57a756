/** Where an address in an answer may lead: a page of this site, by root-absolute path, or another site. */
export type SafeAddress = { kind: 'own'; path: string } | { kind: 'other'; href: string };

// Nobody is called so: what leads here was relative.
const base = 'https://carrel.invalid';

/**
 * What a link in an answer leads to: http(s), mailto, or a path of this site. Null for everything else (`javascript:`, `data:`,
 * `file:`, addresses without a scheme that name another host), however it is written.
 */
export function safeAddress(address: string): SafeAddress | null {
  // As browsers do: such characters do not keep "java\nscript:" from being a scheme.
  const plain = address.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, '');
  if (plain === '' || !URL.canParse(plain, base)) return null;
  const url = new URL(plain, base);
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(plain);
  if (!hasScheme) return url.origin === base ? { kind: 'own', path: url.pathname + url.search + url.hash } : null;
  if (url.username !== '' || url.password !== '') return null;
  return /^(?:https?|mailto):$/.test(url.protocol) && !url.href.startsWith(base) ? { kind: 'other', href: url.href } : null;
}
