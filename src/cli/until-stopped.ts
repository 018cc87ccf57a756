/** Resolves when the user or the system asks the program to stop. Call it before you print that the program can be stopped. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
