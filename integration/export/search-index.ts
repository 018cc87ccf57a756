import { hash } from 'node:crypto';
import type { AnalyzedPage } from '../search/analyze.ts';
import { createIndexBuilder, type IndexBuilder } from '../search/builder.ts';
import { PreviousChanged, type Incremental } from '../output/incremental.ts';
import { safePath } from '../urls/safe-names.ts';

interface BuiltIndex {
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
  /** Names of files to reuse from the previous index. */
  kept: string[];
  /** Folder of the previous index. */
  before: string | undefined;
}

/** Language and docs version of a page. */
interface Variant {
  language: string;
  docsVersion?: string;
}

type IndexContext = Pick<Incremental, 'index' | 'read'> & { folder: Pick<Incremental['folder'], 'texts'> };

/** Collects the indexes of a site: one for each language and docs version. */
export type Indexes = ReturnType<typeof createIndexes>;

export function createIndexes({ index, read, folder: { texts } }: IndexContext) {
  const collectors = new Map<string, ReturnType<typeof collectIndex>>();
  const collectorOf = ({ language, docsVersion }: Variant) => {
    const key = `${language}\n${docsVersion ?? ''}`;
    let collector = collectors.get(key);
    if (!collector)
      collectors.set(key, (collector = collectIndex({ language, docsVersion }, index(language, docsVersion), read, texts)));
    return collector;
  };
  return {
    add: (page: AnalyzedPage, variant: Variant): void => collectorOf(variant).add(page),
    /** Reuses a page of the previous index; false when it must be added. */
    keep: (path: string, variant: Variant): boolean => collectorOf(variant).keep(path),
    /** Number of indexes. */
    count: (): number => collectors.size,
    /** Each index, sorted by language and version. Its folder is named by a digest of its contents, so that a cache never mixes two builds. */
    *finish(): Generator<BuiltIndex> {
      for (const key of [...collectors.keys()].sort()) {
        const collector = collectors.get(key)!;
        collectors.delete(key);
        yield collector.finish();
      }
    },
  };
}

/** One index. As long as it has the pages of the previous one in their order, nothing of that is read, and nothing is built. */
function collectIndex(
  { language, docsVersion }: Variant,
  previous: ReturnType<Incremental['index']>,
  read: Incremental['read'],
  texts: IndexContext['folder']['texts'],
) {
  const positions = new Map(previous?.pages.map((path, position) => [path, position]));
  const pages: string[] = [];
  // By name: number of the text.
  const stored = new Map<string, number>();
  const onText = (name: string, script: string) => {
    if (!stored.has(name)) stored.set(name, texts.add(script));
  };
  let next = 0;
  let builder: IndexBuilder | undefined;
  const build = (): IndexBuilder => {
    if (builder) return builder;
    const folder = previous?.folder;
    builder = createIndexBuilder({
      onText,
      ...(folder !== undefined && { previous: (name: string) => read(`${folder}/${name}`) }),
    });
    for (const path of pages) if (!builder.reusePage(path)) throw new PreviousChanged(previous?.folder ?? '');
    return builder;
  };
  const variant = docsVersion === undefined ? { language } : { language, docsVersion };

  return {
    add(page: AnalyzedPage): void {
      build().addAnalyzed(page);
      pages.push(page.page);
    },
    keep(path: string): boolean {
      const position = positions.get(path);
      if (position === undefined || position < next || builder?.reusePage(path) === false) return false;
      next = position + 1;
      pages.push(path);
      return true;
    },
    finish(): BuiltIndex {
      if (previous && !builder && pages.length === previous.pages.length)
        return {
          ...variant,
          folder: previous.folder,
          pages,
          files: new Map(),
          texts: [],
          kept: previous.files,
          before: previous.folder,
        };
      const built = build();
      const files = built.finish();
      // The texts are named by their digests, and the tables refer to these names.
      const digests = [...files].map(([name, text]) => `${name}\n${hash('sha256', text)}\n`);
      const name = docsVersion === undefined ? language : `${language}-${docsVersion}`;
      const folder = `_carrel/search/${hash('sha256', digests.sort().join('')).slice(0, 12)}/${plainName(name)}`;
      const kept = built.reusedTexts().filter((text) => !stored.has(text));
      return { ...variant, folder, pages, files, texts: textsOf(stored, texts), kept, before: previous?.folder };
    },
  };
}

function* textsOf(stored: Map<string, number>, texts: IndexContext['folder']['texts']): Generator<[string, string]> {
  for (const [name, number] of stored) yield [name, texts.read(number)];
}

// The name is part of URLs, so other characters are replaced.
function plainName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/\.+$/, '');
  return safePath(plain === name ? plain : `${plain}-${hash('sha256', name).slice(0, 6)}`);
}
