/** What is loaded from another host. `connection` is what a script opens; `navigation` is a page that sends its reader away by itself. */
export type LoadKind =
  'script' | 'stylesheet' | 'font' | 'image' | 'media' | 'embed' | 'manifest' | 'hint' | 'connection' | 'navigation';

/** An address that the browser asks another host for without the reader's doing; links are none. */
export interface Load {
  /** What asks: `img`, `link rel=preload`, `style @import`, `script fetch()`. */
  element: string;
  kind: LoadKind;
  /** As written. */
  address: string;
  /** As a browser asks for it. */
  url: string;
  /** Where it stands in the text that was read. */
  start: number;
  /** False where only running the script would show whether it is asked for. */
  certain: boolean;
  /** Whether the export can write another address in its place. */
  movable: boolean;
}

/** A load with its 1-based line instead of its place. */
export type PlacedLoad = Omit<Load, 'start'> & { line: number };

/** Each load of a text once, where it stands first, with its line. */
export function placeLoads<Given extends Load>(text: string, loads: Given[]): (Omit<Given, 'start'> & { line: number })[] {
  const placed = new Map<string, Omit<Given, 'start'> & { line: number }>();
  let line = 1;
  let at = 0;
  for (const { start, ...load } of [...loads].sort((a, b) => a.start - b.start)) {
    for (let end = text.indexOf('\n', at); end >= 0 && end < start; end = text.indexOf('\n', at)) {
      line++;
      at = end + 1;
    }
    const key = `${load.element}\n${load.url}`;
    const known = placed.get(key);
    if (!known) placed.set(key, { ...load, line });
    else if (load.certain && !known.certain) placed.set(key, { ...load, line });
  }
  return [...placed.values()];
}
