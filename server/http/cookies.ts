/** The cookies of a request that have one of these names, in its order; a name may come more than once. */
export function cookiesNamed(headers: Headers, names: readonly string[]): { name: string; token: string }[] {
  return (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([name = '']) => names.includes(name))
    .map(([name = '', token = '']) => ({ name, token }));
}
