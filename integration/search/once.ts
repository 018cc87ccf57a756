/** Calls `make` once for each name. A failure is not cached, so that the next call tries again. */
export function once<Value>(make: (name: string) => Promise<Value>): (name: string) => Promise<Value> {
  const values = new Map<string, Promise<Value>>();
  return (name) => {
    let value = values.get(name);
    if (!value) {
      value = make(name);
      values.set(name, value);
      value.catch(() => values.delete(name));
    }
    return value;
  };
}
