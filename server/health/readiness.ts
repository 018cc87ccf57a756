// Whether the parts that every request needs can be reached: a state that is refreshed beside the requests. A busy server answers
// its checks late, and so late is not away.
import { orAfter } from '../platform/timing.ts';

export interface Readiness {
  /** Why the part cannot be used; undefined while it can. Waits for a check only where the last one is old or failed. */
  fault(): Promise<PartFault | undefined>;
}

export interface PartFault {
  /** Whether the part refuses, or does not answer. */
  kind: 'away' | 'slow';
  cause: unknown;
}

export interface ReadinessOptions {
  /** Milliseconds between a check and the next. @default 1000 */
  every?: number;
  /** Milliseconds that a check gets to answer. @default 10000 */
  timeout?: number;
  /** Milliseconds that a probe waits for a check. @default 2000 */
  patience?: number;
  /** Called when the part becomes unavailable and when it is back. */
  onChange?: (fault: PartFault | undefined) => void;
}

/** Failed checks in a row that make a part unusable which could be used before: of a check that gets no answer, fewer. */
const threshold = { away: 3, slow: 2 };
// Checks end a while after the last probe, and so do those of a server that is stopped.
const watchedFor = 60_000;

/** Watches a part from the first probe on. Before its first good check it is unusable; after that, it takes several failed ones. */
export function watchReadiness(check: () => Promise<unknown>, options: ReadinessOptions = {}): Readiness {
  const { every = 1000, timeout = 10_000, patience = 2000, onChange } = options;
  let fault: PartFault | undefined = { kind: 'slow', cause: new Error('It was not asked yet.') };
  let failures = 0;
  let checkedAt = -Infinity;
  let probedAt = -Infinity;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** One check at a time, however many wait for it. */
  function refresh(): Promise<void> {
    clearTimeout(timer);
    return (running ??= attempt().finally(() => {
      running = undefined;
      checkedAt = performance.now();
      clearTimeout(timer);
      if (checkedAt - probedAt < watchedFor) timer = setTimeout(() => void refresh(), every).unref();
    }));
  }

  async function attempt(): Promise<void> {
    const found = await outcome(check, timeout);
    failures = found ? failures + 1 : 0;
    if (found && !fault && failures < threshold[found.kind]) return;
    const isChange = (found === undefined) !== (fault === undefined);
    fault = found;
    if (isChange) onChange?.(found);
  }

  return {
    async fault() {
      probedAt = performance.now();
      const isOld = probedAt - checkedAt > every + timeout;
      if (fault || isOld) await orAfter(refresh(), patience);
      return fault;
    },
  };
}

async function outcome(check: () => Promise<unknown>, timeout: number): Promise<PartFault | undefined> {
  const answer = check().then(
    () => 'good' as const,
    (cause: unknown): PartFault => ({ kind: 'away', cause }),
  );
  const found = await orAfter(answer, timeout, { ref: false });
  if (found === 'good') return undefined;
  return found ?? { kind: 'slow', cause: new Error(`No answer within ${timeout} ms.`) };
}
