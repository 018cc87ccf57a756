/**
 * Works on items, at most `limit` at a time. After a fault no further item is begun, and it rejects when those under way have ended, which
 * `p-limit` and `p-map` do not wait for.
 */
export async function inParallel<Item>(items: Iterable<Item>, limit: number, work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const faults: unknown[] = [];
  const lane = async () => {
    for (let next = rest.next(); !next.done && faults.length === 0; next = rest.next()) {
      await work(next.value).catch((error: unknown) => faults.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  if (faults.length > 0) throw faults[0];
}
