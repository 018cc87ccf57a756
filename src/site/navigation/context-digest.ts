import { hash } from 'node:crypto';
import type { NavigationContext } from '../model.ts';

const digests = new WeakMap<NavigationContext, string>();

/** SHA-256 (hex) of the header and sidebar of a navigation context. Contexts are immutable, so it is computed once. */
export function contextDigest(context: NavigationContext): string {
  let digest = digests.get(context);
  if (digest === undefined) {
    digest = hash('sha256', JSON.stringify(context), 'hex');
    digests.set(context, digest);
  }
  return digest;
}
