// The search indexes of a preview, in memory. Each state of the site is indexed from the previous one, as an export does.
import { PreviousChanged } from '../output/incremental.ts';
import type { PageRecord, PageSource } from '../page/page-types.ts';
import type { AnalyzedPage } from '../search/analyze.ts';
import { createIndexes, type Indexes, type Variant } from './search-index.ts';

interface BuiltIndexes {
  /** By language and docs version. */
  indexes: Map<string, { pages: string[]; files: Map<string, string> }>;
  /** What the indexes have of each page. */
  pages: Map<string, { key: string | undefined; analyzed: AnalyzedPage }>;
}

interface BegunIndexes {
  indexes: Indexes;
  /** Whether the previous state had the same page under its path. */
  isSame(source: PageSource): boolean;
  /** The files of an index by its language and docs version. Throws `PreviousChanged`. */
  finish(sources: readonly PageSource[]): Promise<(variant: Variant) => ReadonlyMap<string, string> | undefined>;
}

/** `recordOf` returns the latest record of a page by its path. */
export function createPreviewIndexes(recordOf: (path: string) => PageRecord | undefined) {
  let previous: BuiltIndexes = { indexes: new Map(), pages: new Map() };

  return {
    /** Begins the indexes of the next state; its pages are added in their order. */
    begin(): BegunIndexes {
      const from = previous;
      const texts: string[] = [];
      const indexes = createIndexes({
        index(language, docsVersion) {
          const key = variantKey({ language, docsVersion });
          const index = from.indexes.get(key);
          return (
            index && { folder: key, pages: index.pages, files: new Map([...index.files.keys()].map((name) => [name, name])) }
          );
        },
        read(path) {
          const [key = '', name = ''] = path.split(/\/(.*)/s);
          const text = from.indexes.get(key)?.files.get(name);
          if (text === undefined) throw new PreviousChanged(path);
          return text;
        },
        analyzed: (path) => from.pages.get(path)?.analyzed,
        folder: { texts: { add: (text) => texts.push(text) - 1, read: (number) => texts[number]! } },
      });
      return {
        indexes,
        isSame: ({ path, key }) => key !== undefined && from.pages.get(path)?.key === key,
        async finish(sources) {
          const next: BuiltIndexes = { indexes: new Map(), pages: new Map() };
          for await (const { pages, files, texts: added, kept, before, ...variant } of indexes.finish()) {
            const all = new Map([...files, ...added]);
            for (const [name, old] of kept) all.set(name, from.indexes.get(before ?? '')!.files.get(old)!);
            next.indexes.set(variantKey(variant), { pages, files: all });
          }
          for (const { path, key } of sources) {
            const analyzed = recordOf(path)?.analyzed;
            if (analyzed) next.pages.set(path, { key, analyzed });
          }
          previous = next;
          return (variant) => next.indexes.get(variantKey(variant))?.files;
        },
      };
    },
    /** Forgets the previous state, which cannot be built upon. */
    reset(): void {
      previous = { indexes: new Map(), pages: new Map() };
    },
  };
}

/** A name without slashes, so that it can be the folder of an index. */
export function variantKey({ language, docsVersion }: Variant): string {
  return encodeURIComponent(docsVersion === undefined ? language : `${language} ${docsVersion}`);
}
