/** What a cache holds as JSON; undefined where it holds nothing, or a damaged value, which is made anew. */
export function cachedJson<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
