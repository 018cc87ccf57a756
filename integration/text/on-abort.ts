/**
 * Calls `work` when `signal` is aborted, and at once if it was before: a listener alone never hears of that. Returns a function after
 * which it is not called any more.
 */
export function onAbort(signal: AbortSignal | undefined, work: () => void): () => void {
  if (signal?.aborted) work();
  else signal?.addEventListener('abort', work, { once: true });
  return () => signal?.removeEventListener('abort', work);
}
