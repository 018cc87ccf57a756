/**
 * Frees the memory of a buffer, which is empty from then on. The garbage collector comes late for buffers that are large next to
 * their objects: over 100,000 files, tens of MB wait for it. A buffer from Node's pool shares its memory with others, and stays.
 */
export function freeBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
