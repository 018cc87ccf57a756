// From pieces of text to the body of an answer, at the pace of its reader.

export interface StreamBodyOptions {
  /** What says in silence that the connection lives. */
  heartbeat: string;
  /** The reader is gone: before the end, or because it took nothing for too long. Called at most once. */
  onLeave: () => void;
  /** The body is over, for whichever reason. Called once. */
  onClose: () => void;
  /** Cuts the connection. */
  cut?: () => void;
  /** Milliseconds of silence before a heartbeat. @default 15_000 */
  silence?: number;
  /** Milliseconds in which a reader takes something, or is let go. @default 60_000 */
  patience?: number;
}

/** Asks for a piece when the reader has taken the one before, so nothing piles up. Pieces never throw. */
export function streamBody(
  pieces: AsyncIterator<string>,
  { heartbeat, onLeave, onClose, cut, silence = 15_000, patience = 60_000 }: StreamBodyOptions,
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

  function leave(): void {
    if (isOver) return;
    onLeave();
    close();
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        while (!isOver) {
          coming ??= pieces.next();
          const piece = await orAfter(coming, silence);
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
            leave();
            controller.error(new Error(`The reader took nothing for ${patience} ms.`));
            cut?.();
          }, patience).unref();
          return;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

/** Undefined when it takes longer than so many milliseconds. */
function orAfter<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    // Readers that only wait do not keep the process alive.
    const timer = setTimeout(resolve, milliseconds, undefined).unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
