// Whether the parts that every request needs are available. The state is refreshed in the background. A busy server answers its checks late,
// so a late answer alone does not make a part unavailable.
import { orAfter } from '../platform/timing.ts';

export type Readiness = ReturnType<typeof watchReadiness>;

export interface PartFault {
  /** `failing`: the check failed; `slow`: it timed out. */
  kind: 'failing' | 'slow';
  cause: unknown;
}

export interface ReadinessOptions {
  /** Milliseconds between a check and the next. @default 1000 */
  every?: number;
  /** Milliseconds until a check counts as failed. @default 10000 */
  timeout?: number;
  /** Milliseconds that a probe waits for a check. @default 2000 */
  probeTimeout?: number;
  /** Called when the part becomes unavailable and when it is back. */
  onChange?: (fault: PartFault | undefined) => void;
}

/** Failed checks in a row after which a part that was available is not: fewer for checks without an answer. */
const threshold = { failing: 3, slow: 2 };
// Checks stop this long after the last probe, also on a stopped server.
const watchedFor = 60_000;

/**
 * Watches a part while it is probed. It is unavailable before its first successful check; after that, only several failed checks make it
 * unavailable, or one if no check was made for a while.
 */
export function watchReadiness(check: () => Promise<unknown>, options: ReadinessOptions = {}) {
  const { every = 1000, timeout = 10_000, probeTimeout = 2000, onChange } = options;
  let fault: PartFault | undefined = { kind: 'slow', cause: new Error('It has not been checked yet.') };
  let failures = 0;
  let checkedAt = -Infinity;
  let probedAt = -Infinity;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  // Longer than a busy server needs for a check: the time after which a part without an answer is unavailable.
  const isOld = () => performance.now() - checkedAt > every + threshold.slow * timeout;

  /** One check at a time, for any number of callers. */
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
    const isFirst = isOld();
    const found = await outcome(check, timeout);
    failures = found ? failures + 1 : 0;
    if (found && !fault && !isFirst && failures < threshold[found.kind]) return;
    const isChange = (found === undefined) !== (fault === undefined);
    fault = found;
    if (isChange) onChange?.(found);
  }

  return {
    /** Why the part is unavailable; undefined while it is available. Waits for a check only if the last one is old or failed. */
    async fault(): Promise<PartFault | undefined> {
      probedAt = performance.now();
      if (fault || isOld()) await orAfter(refresh(), probeTimeout);
      return fault ?? (isOld() ? { kind: 'slow', cause: new Error(`No answer within ${probeTimeout} ms.`) } : undefined);
    },
  };
}

async function outcome(check: () => Promise<unknown>, timeout: number): Promise<PartFault | undefined> {
  const answer = check().then(
    () => 'good' as const,
    (cause: unknown): PartFault => ({ kind: 'failing', cause }),
  );
  const found = await orAfter(answer, timeout, { ref: false });
  if (found === 'good') return undefined;
  return found ?? { kind: 'slow', cause: new Error(`No answer within ${timeout} ms.`) };
}
