import { element } from './element.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const units: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** "5 minutes ago", with the exact time as its title. */
export function time(text: string): HTMLElement {
  const seconds = (new Date(text).getTime() - Date.now()) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return element(
    'time',
    { datetime: text, title: dateText(text) },
    unit === 'second' ? (seconds > 0 ? 'in a moment' : 'just now') : relative.format(Math.round(seconds / length), unit),
  );
}

/** "25 Nov 2026, 20:10". */
export function dateText(text: string): string {
  return absolute.format(new Date(text));
}

/** A duration in two units: "59 min 3 s", "2 h 5 min", "6 days 1 h". */
export function span(seconds: number): string {
  const rounded = Math.max(0, Math.floor(seconds));
  const days = Math.floor(rounded / 86_400);
  const hours = Math.floor(rounded / 3600) % 24;
  const minutes = Math.floor(rounded / 60) % 60;
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rounded % 60} s` : `${rounded} s`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, of] = bytes < 1e6 ? (['kB', 1e3] as const) : bytes < 1e9 ? (['MB', 1e6] as const) : (['GB', 1e9] as const);
  return `${(bytes / of).toFixed(1)} ${unit}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** How long a job ran: "3.2 s", "4 min 5 s". Undefined until it has started and ended. */
export function duration({ startedAt, finishedAt }: { startedAt: string | null; finishedAt: string | null }): string | undefined {
  if (startedAt === null || finishedAt === null) return undefined;
  const seconds = Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : span(seconds);
}
