import { jsonValue } from '../text/json.ts';

/**
 * The props of an island, as Astro writes them into an attribute, with their URLs rewritten: `url` returns undefined for a string
 * that is not a URL. Text that is not JSON stays unchanged.
 */
export function rewriteProps(props: string, url: (text: string) => string | undefined): string {
  if (!props.includes('"/')) return props;
  let isChanged = false;
  const rewrite = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = /^\/[^/\s]\S*$/.test(value) ? url(value) : undefined;
      if (text === undefined || text === value) return value;
      isChanged = true;
      return text;
    }
    if (Array.isArray(value)) return value.map(rewrite);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewrite(inner)]));
  };
  const rewritten = rewrite(jsonValue(props));
  return isChanged ? JSON.stringify(rewritten) : props;
}
