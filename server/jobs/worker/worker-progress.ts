// How far a run is, told to the database as often as people look, not as often as it changes.
import type { Progress } from '../../../integration/progress.ts';
import { progressAt, type JobStage } from '../model/job.ts';
import type { Jobs, Run } from '../model/jobs.ts';

export type RunProgress = Progress | { stage: 'fetch'; done: number; total: number };

export interface ProgressTeller {
  update(progress: RunProgress): void;
  /** Tells what is not told yet, and nothing from then on. */
  end(): Promise<void>;
}

const millisecondsBetween = 250;

/** `onLost` hears when the run is not the job's any more. What the database cannot take is told with the next change. */
export function createProgressTeller(
  jobs: Pick<Jobs, 'advance'>,
  run: Run,
  { onLost, onError }: { onLost: () => void; onError: (error: unknown) => void },
): ProgressTeller {
  let latest: { stage: JobStage; progress: number; pageCount: number } | undefined;
  let told = latest;
  let pageCount = 0;
  let progress = 0;
  let timer: NodeJS.Timeout | undefined;
  let telling = Promise.resolve();
  let isOver = false;

  const tell = async (): Promise<void> => {
    const work = latest;
    if (!work || work === told) return;
    told = work;
    try {
      if (!(await jobs.advance(run, work))) onLost();
    } catch (error) {
      onError(error);
    }
  };
  const tellSoon = (): void => {
    timer ??= setTimeout(async () => {
      await (telling = tell());
      timer = undefined;
      if (latest !== told && !isOver) tellSoon();
    }, millisecondsBetween);
  };

  return {
    update(work) {
      if (isOver) return;
      if (work.stage === 'render') pageCount = Math.max(pageCount, work.done);
      progress = Math.max(progress, progressAt(work));
      const isNewStage = latest?.stage !== work.stage;
      latest = { stage: work.stage, progress, pageCount };
      // People see each stage begin.
      if (isNewStage && timer === undefined) telling = telling.then(tell);
      tellSoon();
    },
    async end() {
      isOver = true;
      clearTimeout(timer);
      await telling;
      await tell();
    },
  };
}
