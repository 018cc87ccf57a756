import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread that reads or renders pages. A page is garbage once it is sent. Left to itself, V8 gives that garbage a hundred megabytes and is not
 * faster; `youngMegabytes` is what it gets: two halves of a third, for copies, and a third for large objects. The thread begins with all of it. By default it
 * begins with a megabyte, which grows only while that of the main thread may; copying pages again and again then takes a tenth of an export's time
 * (Node 24.21).
 */
export function startThread(url: URL, workerData: unknown, youngMegabytes: number): Worker {
  setFlagsFromString(`--min-semi-space-size=${youngMegabytes / 3}`);
  return new Worker(url, { workerData, resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes } });
}
