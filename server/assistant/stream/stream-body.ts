// From chunks of text to the body of a response, at the pace of its reader.
import { orAfter } from '../../platform/timing.ts';

export interface StreamBodyOptions {
  /** The text that keeps a silent connection alive. */
  heartbeat: string;
  /** Called once when the body is over: at its end, when the reader has left, or has read nothing for too long. */
  onClose: () => void;
  /** Closes the connection of a reader that reads nothing. */
  disconnect?: () => void;
  /** Milliseconds of silence before a heartbeat. @default 15_000 */
  silence?: number;
  /** Milliseconds that a reader has to read a chunk. @default 60_000 */
  timeout?: number;
}

/** Requests a chunk when the reader has read the previous one, so nothing is queued. Chunks never throw. */
export function streamBody(
  pieces: AsyncIterator<string>,
  { heartbeat, onClose, disconnect, silence = 15_000, timeout = 60_000 }: StreamBodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  /** A chunk that is already pending while a heartbeat is sent. */
  let coming: Promise<IteratorResult<string>> | undefined;
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;

  function close(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(stalled);
    onClose();
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        while (!isOver) {
          coming ??= pieces.next();
          const piece = await orAfter(coming, silence, { ref: false });
          if (isOver) return;
          if (piece) coming = undefined;
          if (piece?.done) {
            close();
            return controller.close();
          }
          const text = piece ? piece.value : heartbeat;
          if (text === '') continue;
          controller.enqueue(encoder.encode(text));
          stalled = setTimeout(() => {
            close();
            controller.error(new Error(`The reader has read nothing for ${timeout} ms.`));
            disconnect?.();
          }, timeout).unref();
          return;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
