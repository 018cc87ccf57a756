import { examine, fail, ok, warn, type Finding } from './finding.ts';

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
