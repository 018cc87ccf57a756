import { expect, test } from 'vitest';
import { nextTime, scheduleSchema, type Schedule } from '../../../server/sites/schedule.ts';

const at = Date.parse;

test.each<[Schedule, string, string]>([
  [{ everyMinutes: 15 }, '2030-01-01T00:00:00Z', '2030-01-01T00:15:00Z'],
  [{ cron: '0 6 * * 1-5', timezone: 'UTC' }, '2030-01-04T06:00:00Z', '2030-01-07T06:00:00Z'],
  [{ cron: '0 6 * * *', timezone: 'Europe/Paris' }, '2030-01-01T00:00:00Z', '2030-01-01T05:00:00Z'],
  // 02:30 does not exist on the day when summer time begins: the clock goes from 02:00 to 03:00.
  [{ cron: '30 2 * * *', timezone: 'Europe/Paris' }, '2030-03-30T23:00:00Z', '2030-03-31T01:00:00Z'],
  // 02:30 exists twice on the day when summer time ends; it is taken once.
  [{ cron: '30 2 * * *', timezone: 'Europe/Paris' }, '2030-10-26T23:00:00Z', '2030-10-27T00:30:00Z'],
  [{ cron: '30 2 * * *', timezone: 'Europe/Paris' }, '2030-10-27T00:30:00Z', '2030-10-28T01:30:00Z'],
  [{ cron: '0 6 * * *', timezone: 'Europe/Paris' }, '2030-10-26T23:00:00Z', '2030-10-27T05:00:00Z'],
  // A zone skipped this day in 2011.
  [{ cron: '0 12 30 12 *', timezone: 'Pacific/Apia' }, '2011-12-01T00:00:00Z', '2012-12-29T22:00:00Z'],
])('%j after %s is %s', (schedule, after, next) => {
  expect(new Date(nextTime(schedule, at(after))).toISOString()).toBe(new Date(next).toISOString());
});

// In each zone, the clock changes twice in the year: by half an hour on Lord Howe, at midnight in Havana, by two hours in Antarctica.
test.each([
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Antarctica/Troll',
])('a daily time in %s comes once on each day of a year', (timezone) => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  const days = Array.from({ length: 365 }, (_, index) => day.format(at('2030-01-01T12:00:00Z') + index * 86_400_000));
  for (const hour of [0, 1, 2, 3, 12])
    for (const minute of [0, 15, 45]) {
      let time = at('2030-01-01T00:00:00Z') - 86_400_000;
      const came: string[] = [];
      while (came.at(-1) !== days.at(-1)) {
        time = nextTime({ cron: `${minute} ${hour} * * *`, timezone }, time);
        came.push(day.format(time));
      }
      expect(came.slice(came.indexOf(days[0]!)), `${hour}:${minute}`).toEqual(days);
    }
});

test.each([
  [{ everyMinutes: 0 }, 'everyMinutes must be at least 1'],
  [{ everyMinutes: 1.5 }, 'everyMinutes must be a whole number of minutes'],
  [{ everyMinutes: 100_000 }, 'everyMinutes must be at most 44640'],
  [{ cron: 'daily' }, 'cron must have the five fields of cron'],
  [{ cron: '* * * * * *' }, 'cron must have the five fields of cron'],
  [{ cron: '0 0 30 2 *' }, 'cron must have the five fields of cron'],
  [{ cron: '61 * * * *' }, 'cron must have the five fields of cron'],
  [{ cron: '0 6 * * *', timezone: 'Paris' }, 'timezone must be the name of a time zone'],
  [{ cron: '0 6 * * *', everyMinutes: 5 }, 'must be { everyMinutes } or { cron, timezone }'],
  ['hourly', 'must be { everyMinutes } or { cron, timezone }'],
])('%j is refused: %s', (schedule, message) => {
  const { error } = scheduleSchema.safeParse(schedule);
  expect(error?.issues.map(({ path, message }) => [...path, message].join(' ')).join()).toContain(message);
});
