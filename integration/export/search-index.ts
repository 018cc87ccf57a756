import { hash } from 'node:crypto';
import type { AnalyzedPage } from '../search/analyze.ts';
import { createIndexBuilder, type IndexBuilder } from '../search/builder.ts';
import type { PageChange, PatchedIndex } from '../search/patch-index.ts';
import { PreviousChanged, type Incremental } from '../output/incremental.ts';
import { safePath } from '../urls/safe-names.ts';

export interface BuiltIndex {
  /** Paths of its pages, in their order. */
  pages: string[];
  language: string;
  docsVersion?: string;
  /** In the export: '_carrel/search/1a2b3c4d5e6f/en-v2'. */
  folder: string;
  /** By name in the folder. */
  files: Map<string, string>;
  /** The files with the texts of sections, each read when it comes. */
  texts: Iterable<[name: string, script: string]>;
  /** Files to reuse from the previous index, with their names in it. */
  kept: Map<string, string>;
  /** Folder of the previous index. */
  before: string | undefined;
}

/** Language and docs version of a page. */
export interface Variant {
  language: string;
  docsVersion?: string;
}

type IndexContext = Pick<Incremental, 'index' | 'read' | 'analyzed'> & { folder: Pick<Incremental['folder'], 'texts'> };

/** Collects the indexes of a site: one for each language and docs version. */
export type Indexes = ReturnType<typeof createIndexes>;

export function createIndexes(context: IndexContext) {
  const collectors = new Map<string, ReturnType<typeof collectIndex>>();
  const collectorOf = ({ language, docsVersion }: Variant) => {
    const key = `${language}\n${docsVersion ?? ''}`;
    let collector = collectors.get(key);
    if (!collector) collectors.set(key, (collector = collectIndex({ language, docsVersion }, context)));
    return collector;
  };
  return {
    add: (page: AnalyzedPage, variant: Variant): void => collectorOf(variant).add(page),
    /** Reuses a page of the previous index; false when it must be added. */
    keep: (path: string, variant: Variant): boolean => collectorOf(variant).keep(path),
    /** Number of indexes. */
    count: (): number => collectors.size,
    /** Each index, sorted by language and version. Its folder is named by a digest of its contents, so that a cache never mixes two builds. */
    async *finish(): AsyncGenerator<BuiltIndex> {
      for (const key of [...collectors.keys()].sort()) {
        const collector = collectors.get(key)!;
        collectors.delete(key);
        yield await collector.finish();
      }
    },
  };
}

// Of more pages it takes less time to build the index.
const mostPatched = 20;

/** One index. As long as it has the pages of the previous one in their order, and few of them changed, only the files that differ are read. */
function collectIndex({ language, docsVersion }: Variant, { index, read, analyzed, folder: { texts } }: IndexContext) {
  const previous = index(language, docsVersion);
  const readFile = previous && ((name: string) => read(`${previous.folder}/${name}`));
  const positions = new Map(previous?.pages.map((path, position) => [path, position]));
  const pages: string[] = [];
  // By position; empty once the index is built.
  const changed = new Map<number, AnalyzedPage>();
  // By name: number of the text.
  const stored = new Map<string, number>();
  const onText = (name: string, script: string) => {
    if (!stored.has(name)) stored.set(name, texts.add(script));
  };
  let next = 0;
  let builder: IndexBuilder | undefined;
  const build = (): IndexBuilder => {
    if (builder) return builder;
    builder = createIndexBuilder({ onText, ...(readFile && { previous: readFile }) });
    for (const [position, path] of pages.entries()) {
      const page = changed.get(position);
      if (page) builder.addAnalyzed(page);
      else if (!builder.reusePage(path)) throw new PreviousChanged(previous?.folder ?? '');
    }
    changed.clear();
    return builder;
  };
  const patch = async (): Promise<PatchedIndex | undefined> => {
    if (!previous || !readFile || builder || pages.length !== previous.pages.length) return undefined;
    const changes: PageChange[] = [];
    for (const [position, after] of changed) {
      const before = analyzed(after.page);
      if (!before) return undefined;
      changes.push({ position, before, after });
    }
    // Most exports change no page or many.
    const { patchIndex } = await import('../search/patch-index.ts');
    return patchIndex(changes, { names: previous.files.keys(), read: readFile });
  };
  const variant = docsVersion === undefined ? { language } : { language, docsVersion };

  return {
    add(page: AnalyzedPage): void {
      const isChange = !builder && previous?.pages[pages.length] === page.page && changed.size < mostPatched;
      if (isChange) changed.set(pages.length, page);
      else build().addAnalyzed(page);
      pages.push(page.page);
    },
    keep(path: string): boolean {
      const position = positions.get(path);
      if (position === undefined || position < next || builder?.reusePage(path) === false) return false;
      next = position + 1;
      pages.push(path);
      return true;
    },
    async finish(): Promise<BuiltIndex> {
      const before = previous?.folder;
      if (previous && !builder && changed.size === 0 && pages.length === previous.pages.length) {
        const kept = new Map(Array.from(previous.files.keys(), (name) => [name, name]));
        return { ...variant, folder: previous.folder, pages, files: new Map(), texts: [], kept, before };
      }
      const patched = await patch();
      if (patched) {
        for (const page of changed.values())
          for (const [name, script] of Object.entries(page.files)) onText(`${name}.js`, script);
      }
      const files = patched?.files ?? build().finish();
      const reused = patched?.reused ?? new Map(builder!.reusedTexts().map((name) => [name, name]));
      const kept = new Map([...reused].filter(([name]) => !stored.has(name)));
      // The texts are named by their digests, and the tables refer to these names.
      const digests = [...files].map(([name, text]) => `${name}\n${hash('sha256', text)}\n`);
      for (const [name, old] of kept) if (!name.startsWith('x/')) digests.push(`${name}\n${previous!.files.get(old)}\n`);
      const name = docsVersion === undefined ? language : `${language}-${docsVersion}`;
      const folder = indexFolder(name, digests);
      return { ...variant, folder, pages, files, texts: textsOf(stored, texts), kept, before };
    },
  };
}

function* textsOf(stored: Map<string, number>, texts: IndexContext['folder']['texts']): Generator<[string, string]> {
  for (const [name, number] of stored) yield [name, texts.read(number)];
}

/** The folder of an index, from digests of its files. */
export function indexFolder(name: string, digests: string[]): string {
  return `_carrel/search/${hash('sha256', digests.sort().join('')).slice(0, 12)}/${plainName(name)}`;
}

// The name is part of URLs, so other characters are replaced.
function plainName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/\.+$/, '');
  return safePath(plain === name ? plain : `${plain}-${hash('sha256', name).slice(0, 6)}`);
}
