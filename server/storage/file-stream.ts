import type { FileHandle } from 'node:fs/promises';

// Large enough to be fast, small enough for a thousand readers.
const pieceSize = 128 * 1024;

/**
 * Bytes of an open file, both ends included, read one piece at a time on demand: a slow reader costs one piece of memory.
 * Closes the file at its end, on a fault, and when the reader leaves. A file that ends too early is a fault.
 */
export function fileStream(handle: FileHandle, { start, end }: { start: number; end: number }): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const wanted = Math.min(pieceSize, end + 1 - position);
        if (wanted <= 0) {
          await handle.close();
          controller.close();
          return;
        }
        try {
          const { bytesRead, buffer } = await handle.read(new Uint8Array(wanted), 0, wanted, position);
          if (bytesRead === 0) throw new Error(`The file ends at ${position}, before ${end + 1}.`);
          position += bytesRead;
          controller.enqueue(buffer.subarray(0, bytesRead));
        } catch (error) {
          await handle.close();
          throw error;
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}
