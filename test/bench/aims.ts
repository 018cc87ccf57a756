/** Prints an aim that is missed: the value is above the most that it may be. */
export function warnAbove(what: string, value: number, most: number, unit: string): void {
  if (value > most) console.log(`  MISSED: ${what} ${value.toFixed(2)} ${unit}, the aim is at most ${most.toFixed(2)}`);
}

/** Prints a value beside its aim. */
export function tell(what: string, value: number, unit: string, { least = -Infinity, most = Infinity }): void {
  const isMet = value >= least && value <= most;
  const aim = Number.isFinite(most) ? `${most} at most` : `${least} or more`;
  console.log(`${what}: ${Number(value.toFixed(1))} ${unit} (aim: ${aim}) ${isMet ? 'met' : 'MISSED'}`);
}
