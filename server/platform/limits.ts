// What bounds jobs, requests and stored data. Two presets cover most servers; an operator changes single limits beside them.
import { z } from 'zod';

/** A whole number of a range. */
export const whole = (least: number, most: number) =>
  z
    .number({ error: 'must be a number' })
    .int({ error: 'must be a whole number' })
    .min(least, { error: `must be ${least} or more` })
    .max(most, { error: `must be at most ${most}` });

/** A whole number of a range, or its text in an environment variable. */
export const wholeNumber = (least: number, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value),
    whole(least, most),
  );

const limit = (usual: number | undefined, [least, most]: [number, number], description: string) => ({
  usual,
  schema: wholeNumber(least, most).optional().describe(description),
});
const perTime = (usual: number | undefined, description: string) => limit(usual, [1, 1_000_000_000], description);

/** Each limit with its value in the preset `internal`, its range and its meaning. */
const all = {
  linkSeconds: limit(3600, [60, 604_800], 'Lifetime of a bundle link in seconds'),
  pageTokenSeconds: limit(3600, [1, 3600], 'Seconds that the token in a page of a hosted site is valid'),
  keepExports: limit(5, [1, 1000], 'Completed exports to store for each site'),
  queuedJobs: limit(5000, [1, 1_000_000], 'Maximum number of queued jobs of an organization'),
  jobMinutes: limit(30, [1, 1440], 'Maximum duration of a job in minutes'),
  jobMemoryMb: limit(2048, [256, 65_536], 'Maximum memory of a job in MB'),
  jobOutputMb: limit(8192, [1, 1_048_576], 'Maximum size of all files of an export in MB'),
  bodyKb: limit(64, [1, 65_536], 'Maximum size of a request body in KB'),
  assistantBodyKb: limit(1024, [1, 65_536], 'Maximum size of an assistant, playground or push hook request body in KB'),
  questionsPerHour: perTime(10_000, 'Questions of an organization per hour'),
  questionsPerDay: perTime(10_000, 'Questions from an IP address per day (UTC)'),
  questionsPerMinute: perTime(undefined, 'Questions of a reader per minute'),
  searchesPerHour: perTime(10_000, 'Searches of an organization per hour; the same limit applies to pages'),
  streams: limit(4000, [1, 1_000_000], 'Concurrent answers in this process'),
  streamsPerKey: limit(2000, [1, 1_000_000], 'Concurrent answers of one key in this process'),
  threadDays: limit(30, [1, 3650], 'Days that a conversation is stored after its last question'),
  modelOutputTokens: limit(1024, [16, 1_000_000], "Maximum length of an answer of the server's model in tokens"),
  modelFirstSeconds: limit(60, [1, 3600], 'Seconds until the first words of an answer'),
  modelSeconds: limit(300, [1, 3600], 'Seconds until the end of an answer'),
  playgroundPerHour: perTime(3600, 'Requests of the playground of a site per hour'),
  playgroundPerMinute: perTime(60, 'Requests of the playground of a site per minute from one IP address'),
  playgroundSeconds: limit(60, [1, 3600], 'Maximum duration of a playground request in seconds'),
  playgroundMb: limit(10, [1, 1024], 'Maximum size of the answer to a playground request in MB'),
  eventsPerHour: perTime(100_000, 'Analytics events of a site per hour'),
  eventsPerMinute: perTime(300, 'Analytics events from an IP address per minute'),
  analyticsPerHour: perTime(100, 'Requests of an organization for analytics per hour'),
  analyticsDays: limit(90, [1, 3650], 'Days that analytics events are stored'),
  auditDays: limit(365, [1, 3650], 'Days that the audit log is kept'),
};

const each = <Value>(valueOf: (limit: ReturnType<typeof perTime>) => Value) =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, valueOf(one)])) as Record<keyof typeof all, Value>;

export const limits = each(({ schema }) => schema);

/** Without `questionsPerMinute`, a reader asks as often as they want. */
type Limits = Record<Exclude<keyof typeof all, 'questionsPerMinute'>, number> & { questionsPerMinute?: number };

const internal = each(({ usual }) => usual) as Limits;

/** For readers whom an operator knows, and for anyone on the internet: there, one address gets less. */
export const limitPresets: Record<'internal' | 'public', Limits> = {
  internal,
  public: { ...internal, questionsPerDay: 200, questionsPerMinute: 10, playgroundPerMinute: 20, eventsPerMinute: 120 },
};
