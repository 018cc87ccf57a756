// A key grants no more than it has: a key that it makes ends no later, and works from no other addresses.
import { ApiError } from '../platform/errors.ts';
import { isWithin, parseRange, type AddressRange } from '../platform/address-range.ts';
import type { Key } from '../http/key.ts';

type Limits = Pick<Key, 'expiresAt' | 'addresses'>;

/** The limits of a new key: those that are wanted, else those of the key that makes it. Throws `ApiError` 403 `KeyTooStrong` when they are wider. */
export function limitsOfNewKey(own: Limits, wanted: Limits): Limits {
  const expiresAt = wanted.expiresAt ?? own.expiresAt;
  const addresses = wanted.addresses.length > 0 ? wanted.addresses : own.addresses;
  if (own.expiresAt && expiresAt && expiresAt > own.expiresAt)
    throw tooStrong(
      `It would work until ${expiresAt.toISOString()}, and this key ends on ${own.expiresAt.toISOString()}. Choose an earlier end, or leave it out for the same one.`,
    );
  const outside = own.addresses.length === 0 ? undefined : addresses.find((range) => !isWithin(range, rangesOf(own.addresses)));
  if (outside !== undefined)
    throw tooStrong(
      `It could be used from ${outside}, and this key is for ${own.addresses.join(', ')}. Choose addresses among these, or leave them out for the same ones.`,
    );
  return { expiresAt, addresses };
}

function rangesOf(texts: string[]): AddressRange[] {
  return texts.map(parseRange).filter((range) => range !== undefined);
}

function tooStrong(why: string): ApiError {
  return new ApiError(403, 'KeyTooStrong', `A key makes none that is stronger than itself. ${why}`);
}
