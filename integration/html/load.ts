/** What is loaded from another origin. `connection` is what a script opens; `navigation` is a page that sends its reader away by itself. */
export type LoadKind =
  'script' | 'stylesheet' | 'font' | 'image' | 'media' | 'embed' | 'manifest' | 'hint' | 'connection' | 'navigation';

/** An address that the browser loads from another origin without the reader's doing, which a link is not. */
export interface Load {
  /** What loads it: `img`, `link rel=preload`, `style @import`, `script fetch()`. */
  element: string;
  kind: LoadKind;
  /** Verbatim. */
  address: string;
  /** As a browser requests it. */
  url: string;
  /** Its position in the text that was read. */
  start: number;
  /** False where only running the script would show whether it is requested. */
  static: boolean;
  /** Whether the export can write another address in its place. */
  rewritable: boolean;
}

/** A load with its 1-based line instead of its position. */
export type PlacedLoad = Omit<Load, 'start'> & { line: number };

/** A load of a page. */
export interface PageLoad extends Omit<PlacedLoad, 'line'> {
  /** 1-based; undefined where the page's source knows it. */
  line?: number;
  /** Whether an author wrote it, rather than the theme. */
  inContent: boolean;
  /** What becomes of it where its host is blocked; undefined when it cannot be taken out. */
  blocked?: 'card' | 'removed';
  /** Where the placeholder of the frame or widget links to that it belongs to. */
  embed?: string;
}

/** Each load of a text once, at its first position, with its line. */
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
    else if (load.static && !known.static) placed.set(key, { ...load, line });
  }
  return [...placed.values()];
}
