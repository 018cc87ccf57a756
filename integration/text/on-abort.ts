/**
 * Calls `work` when `signal` is aborted, and at once if it was aborted before, when a listener alone would not be called. Returns a
 * function that stops listening.
 */
export function onAbort(signal: AbortSignal | undefined, work: () => void): () => void {
  if (signal?.aborted) work();
  else signal?.addEventListener('abort', work, { once: true });
  return () => signal?.removeEventListener('abort', work);
}
