import { createRunLog, type RunLog } from '../../../server/platform/run-log.ts';

/** A run's log that keeps its pieces in memory. */
export function runLogOf(folder = '/nowhere'): { log: RunLog; text: () => Promise<string>; pieces: string[] } {
  const pieces: string[] = [];
  const log = createRunLog({
    keep: async (text) => void pieces.push(text),
    onError: (error) => {
      throw error;
    },
    folder,
  });
  return {
    log,
    pieces,
    text: async () => {
      await log.end();
      return pieces.join('');
    },
  };
}
