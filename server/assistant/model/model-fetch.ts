// Connections to models. A URL that a site names is checked like the URL of a webhook.
import { createPool, safeRequest, type AllowedNetworks } from '../../../integration/remote/safe-fetch.ts';

export interface ModelFetchOptions {
  /** An operator chose the URL, so any network is allowed. */
  trusted: boolean;
  allowed: AllowedNetworks;
  /** Milliseconds until the response must begin. */
  milliseconds: number;
}

const pools = { trusted: createPool(), checked: createPool() };

/** A `fetch` that follows no redirects and uses no proxy. Rejects with what `safeRequest` throws. */
export function createModelFetch({ trusted, allowed, milliseconds }: ModelFetchOptions): typeof fetch {
  return async (input, init) =>
    await safeRequest(new URL(input instanceof Request ? input.url : input), {
      method: init?.method,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : undefined,
      signal: init?.signal ?? undefined,
      allowed: trusted ? 'any' : allowed,
      answersWithin: milliseconds,
      pool: pools[trusted ? 'trusted' : 'checked'],
    });
}
