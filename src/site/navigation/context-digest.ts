import { hash } from 'node:crypto';
import type { Place } from '../model.ts';

const digests = new WeakMap<Place, string>();

/** SHA-256 (hex) of what header and sidebar show at a place. A place never changes, so it is computed once. */
export function placeDigest(place: Place): string {
  let digest = digests.get(place);
  if (digest === undefined) {
    digest = hash('sha256', JSON.stringify(place), 'hex');
    digests.set(place, digest);
  }
  return digest;
}
