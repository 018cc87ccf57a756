// What bounds jobs, requests and stored data. Two presets cover most servers; an operator changes single limits beside them.
import { z } from 'zod';

/** A whole number of a range, or its text in an environment variable. */
export const wholeNumber = (least: number, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value),
    z
      .number({ error: 'must be a number' })
      .int({ error: 'must be a whole number' })
      .min(least, { error: `must be ${least} or more` })
      .max(most, { error: `must be at most ${most}` }),
  );

const limit = (least: number, most: number, description: string) => wholeNumber(least, most).optional().describe(description);
const perTime = (description: string) => limit(1, 1_000_000_000, description);

/** Each limit with its range and its meaning. */
export const limits = {
  linkSeconds: limit(60, 604_800, 'Lifetime of a bundle link in seconds'),
  pageTokenSeconds: limit(1, 3600, 'Seconds that the token in a page of a hosted site is valid'),
  keepExports: limit(1, 1000, 'Completed exports to store for each site'),
  queuedJobs: limit(1, 1_000_000, 'Maximum number of queued jobs of an organization'),
  jobMinutes: limit(1, 1440, 'Maximum duration of a job in minutes'),
  jobMemoryMb: limit(256, 65_536, 'Maximum memory of a job in MB'),
  jobOutputMb: limit(1, 1_048_576, 'Maximum size of all files of an export in MB'),
  bodyKb: limit(1, 65_536, 'Maximum size of a request body in KB'),
  assistantBodyKb: limit(1, 65_536, 'Maximum size of an assistant, playground or push hook request body in KB'),
  questionsPerHour: perTime('Questions of an organization per hour'),
  questionsPerDay: perTime('Questions from an IP address per day (UTC)'),
  questionsPerMinute: perTime('Questions of a reader per minute'),
  searchesPerHour: perTime('Searches of an organization per hour; the same limit applies to pages'),
  streams: limit(1, 1_000_000, 'Concurrent answers in this process'),
  streamsPerKey: limit(1, 1_000_000, 'Concurrent answers of one key in this process'),
  threadDays: limit(1, 3650, 'Days that a conversation is stored after its last question'),
  modelOutputTokens: limit(16, 1_000_000, "Maximum length of an answer of the server's model in tokens"),
  modelFirstSeconds: limit(1, 3600, 'Seconds until the first words of an answer'),
  modelSeconds: limit(1, 3600, 'Seconds until the end of an answer'),
  playgroundPerHour: perTime('Requests of the playground of a site per hour'),
  playgroundPerMinute: perTime('Requests of the playground of a site per minute from one IP address'),
  playgroundSeconds: limit(1, 3600, 'Maximum duration of a playground request in seconds'),
  playgroundMb: limit(1, 1024, 'Maximum size of the answer to a playground request in MB'),
  eventsPerHour: perTime('Analytics events of a site per hour'),
  eventsPerMinute: perTime('Analytics events from an IP address per minute'),
  analyticsPerHour: perTime('Requests of an organization for analytics per hour'),
  analyticsDays: limit(1, 3650, 'Days that analytics events are stored'),
  auditDays: limit(1, 3650, 'Days that the audit log is kept'),
};

/** Without `questionsPerMinute`, a reader asks as often as they want. */
type Limits = Record<Exclude<keyof typeof limits, 'questionsPerMinute'>, number> & { questionsPerMinute?: number };

const internal: Limits = {
  linkSeconds: 3600,
  pageTokenSeconds: 3600,
  keepExports: 5,
  queuedJobs: 5000,
  jobMinutes: 30,
  jobMemoryMb: 2048,
  jobOutputMb: 8192,
  bodyKb: 64,
  assistantBodyKb: 1024,
  questionsPerHour: 10_000,
  questionsPerDay: 10_000,
  searchesPerHour: 10_000,
  streams: 4000,
  streamsPerKey: 2000,
  threadDays: 30,
  modelOutputTokens: 1024,
  modelFirstSeconds: 60,
  modelSeconds: 300,
  playgroundPerHour: 3600,
  playgroundPerMinute: 60,
  playgroundSeconds: 60,
  playgroundMb: 10,
  eventsPerHour: 100_000,
  eventsPerMinute: 300,
  analyticsPerHour: 100,
  analyticsDays: 90,
  auditDays: 365,
};

/** For readers whom an operator knows, and for anyone on the internet: there, one address gets less. */
export const limitPresets: Record<'internal' | 'public', Limits> = {
  internal,
  public: { ...internal, questionsPerDay: 200, questionsPerMinute: 10, playgroundPerMinute: 20, eventsPerMinute: 120 },
};
