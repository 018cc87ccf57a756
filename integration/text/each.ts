/** A table with the same value under each of some names: `each(card, 'Card LinkCard')`. */
export function each<Value>(value: Value, names: string): Record<string, Value> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));
}
