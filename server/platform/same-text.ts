import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}
