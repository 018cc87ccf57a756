// Writes the progress of a run to the database at the rate at which clients poll it, not whenever it changes.
import type { Progress } from '../../../integration/export-messages.ts';
import { progressAt, type JobStage } from '../model/job.ts';
import type { Jobs, Run } from '../model/jobs.ts';

type RunProgress = Progress | { stage: 'fetch'; done: number; total: number };

export type ProgressWriter = ReturnType<typeof createProgressWriter>;

const millisecondsBetween = 250;

/** `onLost` is called if the run is superseded. Progress that the database cannot store is written with the next change. */
export function createProgressWriter(
  jobs: Pick<Jobs, 'advance'>,
  run: Run,
  { onLost, onError }: { onLost: () => void; onError: (error: unknown) => void },
) {
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
    const writeNext = async () => {
      await (writing = write());
      timer = undefined;
      if (latest !== written && !isOver) writeSoon();
    };
    timer ??= setTimeout(() => void writeNext(), millisecondsBetween);
  };

  return {
    update(work: RunProgress): void {
      if (isOver) return;
      if (work.stage === 'render') pageCount = Math.max(pageCount, work.done);
      progress = Math.max(progress, progressAt(work));
      const isNewStage = latest?.stage !== work.stage;
      latest = { stage: work.stage, progress, pageCount };
      // People see the start of each stage.
      if (isNewStage && timer === undefined) writing = writing.then(write);
      writeSoon();
    },
    /** Writes the last progress, and nothing from then on. */
    async end(): Promise<void> {
      isOver = true;
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
