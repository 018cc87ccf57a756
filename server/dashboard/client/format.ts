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

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, of] = bytes < 1e6 ? (['kB', 1e3] as const) : bytes < 1e9 ? (['MB', 1e6] as const) : (['GB', 1e9] as const);
  return `${(bytes / of).toFixed(1)} ${unit}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
