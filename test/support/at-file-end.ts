const clearing: (() => unknown)[] = [];

/** Calls `clear` after the last test of the file that runs, the latest first. May be called anywhere, in a test too. */
export function atFileEnd(clear: () => unknown): void {
  clearing.push(clear);
}

export async function endFile(): Promise<void> {
  while (clearing.length > 0) await clearing.pop()!();
}
