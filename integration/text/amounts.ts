/** `1,200 pages` */
export function count(n: number, noun: string): string {
  // `toLocaleString` takes 7 MB.
  return `${String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} ${noun}${n === 1 ? '' : 's'}`;
}

/** `0.7 MB` */
export function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
