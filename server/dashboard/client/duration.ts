// Without the page: the command line shows the duration of a job, too.

/** How long a job ran: "3.2 s", "4 min 5 s". Undefined until it has started and ended. */
export function duration({ startedAt, finishedAt }: { startedAt: string | null; finishedAt: string | null }): string | undefined {
  if (startedAt === null || finishedAt === null) return undefined;
  const seconds = Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : span(seconds);
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
