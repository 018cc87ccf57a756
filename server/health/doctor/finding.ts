import { errorCode } from '../../../integration/errors.ts';
import { orAfter } from '../../platform/timing.ts';

/** What `carrel doctor` found in one place. */
export interface Finding {
  /** Permanent name of the check. */
  check: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  /** The next step; absent when the state is `ok`. */
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

/** Runs one check; an exception or a timeout is also a finding. */
export async function examine(check: string, seconds: number, work: () => Promise<Check> | Check): Promise<Finding> {
  try {
    const found = await orAfter(Promise.resolve(work()), seconds * 1000);
    const late = fail(
      `There was no answer within ${seconds} seconds.`,
      'Check whether the machine or the network is overloaded.',
    );
    return (found ?? late)(check);
  } catch (error) {
    const { message, hint } = error as Error & { hint?: string };
    return fail(reasonOf(error) || message, hint ?? 'Correct this, then run doctor again.')(check);
  }
}

/** An error with its causes, in one line. */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) {
    const text = at.message || errorCode(at) || at.name;
    if (!parts.some((part) => part.includes(text))) parts.push(text.replace(/\.?\s*$/, ''));
  }
  return parts.join(': ').replace(/\s+/g, ' ');
}

/**
 * Compares this machine's clock with another one, read between `before` and `after` (all in milliseconds).
 * Signed links depend on the clock, and S3 rejects requests that are 15 minutes off.
 */
export function checkClock(check: string, of: string, other: number, before: number, after: number): Promise<Finding> {
  return examine(check, 1, () => {
    const early = Math.max(before - other, 0);
    const late = Math.max(other - after, 0);
    // `Date` headers are accurate to the second.
    const seconds = Math.max(Math.round((early || late) / 1000) - 1, 0);
    if (seconds <= 5) return ok(`The clocks of this machine and the ${of} agree`);
    const message = `The clock of this machine is ${seconds} seconds ${early ? 'ahead of' : 'behind'} that of the ${of}.`;
    const next = 'Synchronize the clocks of both machines with NTP, for example: timedatectl set-ntp true';
    return seconds > 60 ? fail(message, next) : warn(message, next);
  });
}
