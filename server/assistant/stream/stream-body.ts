// From pieces of text to the body of an answer, at the pace of its reader.
import { orAfter } from '../../platform/timing.ts';

export interface StreamBodyOptions {
  /** What shows in silence that the connection lives. */
  heartbeat: string;
  /** Called once when the body is over: at its end, when the reader has left, or when it took nothing for too long. */
  onClose: () => void;
  /** Closes the connection of a reader that takes nothing. */
  disconnect?: () => void;
  /** Milliseconds of silence before a heartbeat. @default 15_000 */
  silence?: number;
  /** Milliseconds in which a reader has to take a piece. @default 60_000 */
  timeout?: number;
}

/** Asks for a piece when the reader has taken the one before, so nothing piles up. Pieces never throw. */
export function streamBody(
  pieces: AsyncIterator<string>,
  { heartbeat, onClose, disconnect, silence = 15_000, timeout = 60_000 }: StreamBodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  /** A piece that is on its way already while a heartbeat goes out. */
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
            controller.error(new Error(`The reader took nothing for ${timeout} ms.`));
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
