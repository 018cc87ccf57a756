/**
 * What a promise resolves to; undefined when that takes longer than `milliseconds`. With `ref: false` the wait does not keep the
 * process alive. Not p-timeout: being late is not an error here, and thousands of streams may wait at once.
 */
export function orAfter<Value>(promise: Promise<Value>, milliseconds: number, { ref = true } = {}): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, undefined);
    if (!ref) timer.unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
