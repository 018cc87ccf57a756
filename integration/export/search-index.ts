import { hash } from 'node:crypto';
import type { AnalysedPage } from '../search/analyse.ts';
import { createIndexBuilder, type IndexBuilder } from '../search/builder.ts';
import type { Incremental } from '../output/incremental.ts';
import { safePath } from '../urls/safe-names.ts';

interface BuiltIndex {
  language: string;
  docsVersion?: string;
  /** In the export: '_carrel/search/1a2b3c4d5e6f/en-v2'. */
  folder: string;
  /** By name in the folder. */
  files: Map<string, string>;
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

/** Collects the indexes of a site: one for each language and docs version. */
export type Indexes = ReturnType<typeof createIndexes>;

export function createIndexes({ index, read }: Pick<Incremental, 'index' | 'read'>) {
  const builders = new Map<string, Variant & { builder: IndexBuilder; before: string | undefined }>();
  const builderOf = ({ language, docsVersion }: Variant): IndexBuilder => {
    const key = `${language}\n${docsVersion ?? ''}`;
    let entry = builders.get(key);
    if (!entry) {
      const before = index(language, docsVersion);
      const builder = createIndexBuilder(before === undefined ? {} : { previous: (name) => read(`${before}/${name}`) });
      builders.set(key, (entry = { language, docsVersion, builder, before }));
    }
    return entry.builder;
  };
  return {
    add: (page: AnalysedPage, variant: Variant): void => builderOf(variant).addAnalysed(page),
    /** Reuses a page of the previous index; false when it must be added. */
    keep: (path: string, variant: Variant): boolean => builderOf(variant).reusePage(path),
    /** Number of indexes. */
    count: (): number => builders.size,
    /** Each index, sorted by language and version. Its folder is named by a digest of its contents, so that a cache never mixes two builds. */
    *finish(): Generator<BuiltIndex> {
      for (const key of [...builders.keys()].sort()) {
        const { language, docsVersion, builder, before } = builders.get(key)!;
        builders.delete(key);
        const files = builder.finish();
        // The texts are named by their digests, and the tables refer to these names.
        const digests = [...files]
          .filter(([name]) => !name.startsWith('x/'))
          .map(([name, text]) => `${name}\n${hash('sha256', text)}\n`);
        const name = docsVersion === undefined ? language : `${language}-${docsVersion}`;
        const folder = `_carrel/search/${hash('sha256', digests.sort().join('')).slice(0, 12)}/${plainName(name)}`;
        const kept = builder.reusedTexts().filter((text) => !files.has(text));
        yield { ...(docsVersion === undefined ? { language } : { language, docsVersion }), folder, files, kept, before };
      }
    },
  };
}

// The name is part of URLs, so other characters are replaced.
function plainName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/\.+$/, '');
  return safePath(plain === name ? plain : `${plain}-${hash('sha256', name).slice(0, 6)}`);
}
