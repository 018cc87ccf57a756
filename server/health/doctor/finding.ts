import { errorCode } from '../../../integration/errors.ts';
import { orAfter } from '../../platform/timing.ts';

/** What `carrel doctor` found in one place. */
export interface Finding {
  /** Permanent name of the check. */
  check: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  /** What to do about it; of what is not ok. */
  next?: string;
}

type Check = (check: string) => Finding;

export const ok =
  (message: string): Check =>
  (check) => ({ check, state: 'ok', message });
export const warn =
  (message: string, next: string): Check =>
  (check) => ({ check, state: 'warn', message, next });
export const fail =
  (message: string, next: string): Check =>
  (check) => ({ check, state: 'fail', message, next });

/** Runs one check; an exception is a finding too, and so is a timeout. */
export async function examine(check: string, seconds: number, work: () => Promise<Check> | Check): Promise<Finding> {
  try {
    const found = await orAfter(Promise.resolve(work()), seconds * 1000);
    const late = fail(`There was no answer within ${seconds} seconds.`, 'Look whether the machine or the network is overloaded.');
    return (found ?? late)(check);
  } catch (error) {
    const { message, hint } = error as Error & { hint?: string };
    return fail(reasonOf(error) || message, hint ?? 'Correct this, then run doctor again.')(check);
  }
}

/** An error with all of its causes, in one line. */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) {
    const text = at.message || errorCode(at) || at.name;
    if (!parts.some((part) => part.includes(text))) parts.push(text.replace(/\.?\s*$/, ''));
  }
  return parts.join(': ').replace(/\s+/g, ' ');
}

/**
 * Compares this machine's clock with another one's, read between `before` and `after` (all in milliseconds).
 * Links are signed by the clock, and S3 refuses requests that are 15 minutes off.
 */
export function checkClock(check: string, of: string, other: number, before: number, after: number): Promise<Finding> {
  return examine(check, 1, () => {
    const early = Math.max(before - other, 0);
    const late = Math.max(other - after, 0);
    // `Date` headers are cut to the second.
    const seconds = Math.max(Math.round((early || late) / 1000) - 1, 0);
    if (seconds <= 5) return ok(`This clock and that of the ${of} agree`);
    const message = `This clock is ${seconds} seconds ${early ? 'ahead of' : 'behind'} that of the ${of}.`;
    const next = 'Let both machines set their clocks by NTP, such as with: timedatectl set-ntp true';
    return seconds > 60 ? fail(message, next) : warn(message, next);
  });
}
