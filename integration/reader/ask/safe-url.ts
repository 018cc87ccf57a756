/** A URL that a link of an answer may have: a page of this site, by root-absolute path, or another site. */
export type SafeUrl = { kind: 'own'; path: string } | { kind: 'other'; href: string };

// `.invalid` exists nowhere: a URL with this origin was relative.
const base = 'https://carrel.invalid';

/**
 * The target of a link in an answer: http(s), mailto, or a path of this site. Null for everything else (`javascript:`, `data:`,
 * `file:`, scheme-relative URLs), in any spelling.
 */
export function safeUrl(text: string): SafeUrl | null {
  // Browsers remove these characters, so "java\nscript:" is a scheme too.
  const plain = text.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, '');
  if (plain === '' || !URL.canParse(plain, base)) return null;
  const url = new URL(plain, base);
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(plain);
  if (!hasScheme) return url.origin === base ? { kind: 'own', path: url.pathname + url.search + url.hash } : null;
  if (url.username !== '' || url.password !== '') return null;
  return /^(?:https?|mailto):$/.test(url.protocol) && !url.href.startsWith(base) ? { kind: 'other', href: url.href } : null;
}
