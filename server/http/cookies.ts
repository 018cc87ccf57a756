/** The cookies of a request that have one of these names, in its order; a name may come more than once. */
export function cookiesNamed(headers: Headers, names: readonly string[]): { name: string; token: string }[] {
  return (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([name = '']) => names.includes(name))
    .map(([name = '', token = '']) => ({ name, token }));
}

/**
 * The tokens of a cookie. Other ports of the host, other hosts of its domain, and others on the way over http, can set the `plain` one,
 * but not the one with the prefix `__Host-`: the plain one counts only without the other, and where https is not known.
 */
export function tokensIn(
  headers: Headers,
  { secure, plain }: Record<'secure' | 'plain', string>,
  urls: (string | undefined)[],
): string[] {
  const found = cookiesNamed(headers, [secure, plain]);
  const safe = found.filter(({ name }) => name === secure);
  return (safe.length > 0 || isOverHttps(headers, urls) ? safe : found).map(({ token }) => token);
}

/** Whether the browser sees one of these URLs over https, as far as host, origin and proxies say. Who claims it without a reason loses only a sign-in of their own. */
export function isOverHttps(headers: Headers, urls: (string | undefined)[]): boolean {
  const said = [headers.get('origin'), headers.get('x-forwarded-proto')].some((text) => /^https\b/i.test(text ?? ''));
  return said || urls.some((url) => url !== undefined && /^https:/i.test(url) && URL.parse(url)?.host === headers.get('host'));
}
