// Streams that stay open: an organization may have a limited number, and none outlives the right to read it.
import { ApiError } from '../../platform/errors.ts';

/** Event streams that an organization may have open in one process. */
export const mostStreams = 200;

export interface OpenStreams {
  /** Throws `ApiError` 429 `TooManyStreams`. */
  check(organization: string): void;
  /**
   * The stream, counted from its first read to its end. It ends when `mayRead`, which is called before each piece, says no.
   * `mayRead` must not throw.
   */
  guard(organization: string, stream: ReadableStream<Uint8Array>, mayRead: () => Promise<boolean>): ReadableStream<Uint8Array>;
}

export function createOpenStreams(most = mostStreams): OpenStreams {
  const open = new Map<string, number>();
  const count = (organization: string, by: number): void => {
    const now = (open.get(organization) ?? 0) + by;
    if (now > 0) open.set(organization, now);
    else open.delete(organization);
  };
  const isFull = (organization: string) => (open.get(organization) ?? 0) >= most;

  return {
    check(organization) {
      if (!isFull(organization)) return;
      throw new ApiError(
        429,
        'TooManyStreams',
        `"${organization}" has ${most} event streams open, which is the limit. Close some, or poll the status instead.`,
        { headers: { 'retry-after': '10' } },
      );
    },
    guard(organization, stream, mayRead) {
      const reader = stream.getReader();
      let counted = false;
      const end = (): void => {
        if (counted) count(organization, -1);
        counted = false;
      };
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            // Many may have been let in at once.
            const first = !counted && !isFull(organization);
            if (first) count(organization, 1);
            counted ||= first;
            try {
              const piece = counted ? await reader.read() : undefined;
              if (piece?.value && (await mayRead())) return controller.enqueue(piece.value);
              end();
              controller.close();
              await reader.cancel();
            } catch (error) {
              end();
              throw error;
            }
          },
          async cancel(reason) {
            end();
            await reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
