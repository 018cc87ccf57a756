export const loadKinds = [
  'script',
  'stylesheet',
  'font',
  'image',
  'media',
  'embed',
  'manifest',
  'hint',
  'connection',
  'navigation',
] as const;

/** The kind of an external load. `connection` is opened by a script; `navigation` is a redirect of the page. */
export type LoadKind = (typeof loadKinds)[number];

/** A URL that the browser loads from an external origin without the reader clicking. */
export interface Load {
  /** What loads it: `img`, `link rel=preload`, `style @import`, `script fetch()`. */
  element: string;
  kind: LoadKind;
  /** Verbatim. */
  written: string;
  /** As a browser requests it. */
  url: string;
  /** Its position in the text. */
  start: number;
  /** False if only running the script would show whether it is requested. */
  static: boolean;
  /** Whether the export can replace the URL. */
  rewritable: boolean;
}

/** A load with its 1-based line instead of its position. */
export type PlacedLoad = Omit<Load, 'start'> & { line: number };

/** A load of a page. */
export interface PageLoad extends Omit<PlacedLoad, 'line'> {
  /** 1-based; undefined if the page's source knows it. */
  line?: number;
  /** Whether an author wrote it, rather than the theme. */
  inContent: boolean;
  /** The outcome if its host is blocked; undefined when the load cannot be removed. */
  blocked?: 'card' | 'removed';
  /** The link of the placeholder of the frame or widget that it belongs to. */
  embed?: string;
}

/** The distinct loads of a text, each with the line of its first position. */
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
