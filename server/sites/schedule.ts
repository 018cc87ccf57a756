// How often a server looks for changes in the source of a site.
import { Cron } from 'croner';
import { z } from 'zod';

const everyMinutes = z
  .int({ error: 'must be a whole number of minutes' })
  .min(1, { error: 'must be at least 1' })
  .max(44_640, { error: 'must be at most 44640, which is 31 days' });

const cron = z
  .string()
  .max(100)
  .refine((text) => text.trim().split(/\s+/).length === 5 && isCron(text), {
    error: 'must have the five fields of cron (minute, hour, day of month, month, day of week), such as "0 6 * * 1-5"',
  });

const timezone = z.string().refine(isTimezone, { error: 'must be the name of a time zone, such as Europe/Paris' }).default('UTC');

/** `{ "everyMinutes": 15 }`, or `{ "cron": "0 6 * * 1-5", "timezone": "Europe/Paris" }`. */
export const scheduleSchema = z.union([z.strictObject({ everyMinutes }), z.strictObject({ cron, timezone })], {
  error: (issue) => firstFault(issue.input),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** The next time after another, both in milliseconds since 1970. */
export function nextTime(schedule: Schedule, after: number): number {
  if ('everyMinutes' in schedule) return after + schedule.everyMinutes * 60_000;
  const { cron, timezone } = schedule;
  const next = timesOf(cron, timezone).nextRun(new Date(after));
  if (next) return next.getTime();
  throw new RangeError(`"${cron}" never comes.`);
}

/** Throws if it is not an expression. */
function timesOf(cron: string, timezone: string): Cron {
  // With `sloppyRanges`, steps may begin with a number: 5/15.
  return new Cron(cron, { timezone, mode: '5-part', sloppyRanges: true });
}

/** A union only says that nothing fits; the fields of the input show which member was meant. */
function firstFault(input: unknown): string {
  const meant = typeof input === 'object' && input !== null && 'cron' in input ? { cron, timezone } : { everyMinutes };
  const { error } = z.strictObject(meant).safeParse(input);
  const [issue] = error?.issues ?? [];
  if (!issue) return 'is not a schedule';
  if (issue.path.length === 0) return 'must be { everyMinutes } or { cron, timezone }';
  return `${issue.path.join('.')} ${issue.message}`;
}

function isCron(text: string): boolean {
  try {
    // Some expressions have no time, such as February 30.
    return timesOf(text, 'UTC').nextRun() !== null;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
