// How far a run is, written to the database as often as people look, not as often as it changes.
import type { Progress } from '../../../integration/progress.ts';
import { progressAt, type JobStage } from '../model/job.ts';
import type { Jobs, Run } from '../model/jobs.ts';

export type RunProgress = Progress | { stage: 'fetch'; done: number; total: number };

export interface ProgressWriter {
  update(progress: RunProgress): void;
  /** Writes what is not written yet, and nothing from then on. */
  end(): Promise<void>;
}

const millisecondsBetween = 250;

/** `onLost` is called when the run is not the job's any more. What the database cannot take is written with the next change. */
export function createProgressWriter(
  jobs: Pick<Jobs, 'advance'>,
  run: Run,
  { onLost, onError }: { onLost: () => void; onError: (error: unknown) => void },
): ProgressWriter {
  let latest: { stage: JobStage; progress: number; pageCount: number } | undefined;
  let written = latest;
  let pageCount = 0;
  let progress = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isOver = false;

  const write = async (): Promise<void> => {
    const work = latest;
    if (!work || work === written) return;
    written = work;
    try {
      if (!(await jobs.advance(run, work))) onLost();
    } catch (error) {
      onError(error);
    }
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(async () => {
      await (writing = write());
      timer = undefined;
      if (latest !== written && !isOver) writeSoon();
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
      if (isNewStage && timer === undefined) writing = writing.then(write);
      writeSoon();
    },
    async end() {
      isOver = true;
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
