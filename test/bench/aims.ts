/** Prints an aim that is missed: the value is above the most that it may be. */
export function warnAbove(what: string, value: number, most: number, unit: string): void {
  if (value > most) console.log(`  MISSED: ${what} ${value.toFixed(2)} ${unit}, the aim is at most ${most.toFixed(2)}`);
}
