// For run-warm.test.ts: a program that leaves work behind, as a command with an open socket or timer does.
import { setTimeout as pause } from 'node:timers/promises';

/** Prints its first argument at once, and its second after so many milliseconds; then ends the process if the third is `exit`. */
export async function late([now = '', afterwards, milliseconds = '0', last]: string[]): Promise<number> {
  console.log(now);
  void pause(Number(milliseconds)).then(() => {
    if (afterwards !== undefined) console.log(afterwards);
    if (last === 'exit') process.exit(3);
  });
  if (last === 'wait') await pause(2 * Number(milliseconds));
  return 0;
}

const own = Response;

/** Prints whether `Response` is Node's own, then replaces it. */
export function replace(): Promise<number> {
  console.log(Response === own);
  Object.defineProperty(globalThis, 'Response', { value: class Other extends own {} });
  return Promise.resolve(0);
}
