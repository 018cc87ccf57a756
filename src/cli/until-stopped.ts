/** Resolves when the user or the system asks the program to stop. Hears of it from the call on: call it before saying that it is heard. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
