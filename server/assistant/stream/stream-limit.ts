// How many answers run at once, by whatever route they are asked for: each may hold a connection to a model.
import { ApiError } from '../../platform/errors.ts';
import type { ServerOptions } from '../../platform/options.ts';

export type StreamLimit = ReturnType<typeof createStreamLimit>;

const seconds = '5';

/** How many answers run at the same time, in this process. */
export function createStreamLimit({ streams, streamsPerKey }: Pick<ServerOptions, 'streams' | 'streamsPerKey'>) {
  const open = new Map<string, number>();
  let all = 0;

  return {
    /**
     * Counts a stream of a key, until the function that it returns is called, which can be called again. Throws `ApiError` 503
     * `StreamsFull` when this process has as many as it can, 429 `TooManyAnswers` when the key has.
     */
    take(key: string): () => void {
      const own = open.get(key) ?? 0;
      if (own >= streamsPerKey) {
        throw new ApiError(
          'TooManyAnswers',
          `${streamsPerKey} answers are already running with this key. Try again in ${seconds} s.`,
          { headers: { 'retry-after': seconds } },
        );
      }
      if (all >= streams) {
        throw new ApiError('StreamsFull', `${streams} answers are already running on this server. Try again in ${seconds} s.`, {
          headers: { 'retry-after': seconds },
        });
      }
      all++;
      open.set(key, own + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        all--;
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      };
    },
  };
}
