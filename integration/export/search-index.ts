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
  /** Names of files to be taken from the previous index. */
  kept: string[];
  /** Folder of the previous index. */
  before: string | undefined;
}

/** Language and docs version of a page. */
interface Variant {
  language: string;
  docsVersion?: string;
}

/** The indexes of a site while they grow: one for each language and docs version. */
export interface Indexes {
  add(page: AnalysedPage, variant: Variant): void;
  /** Takes a page over from the previous index; false when it has to be added. */
  keep(path: string, variant: Variant): boolean;
  /** How many there are. */
  count(): number;
  /** Each index, sorted by language and version. Its folder is named by what it holds, so that two builds never mix behind a cache. */
  finish(): Generator<BuiltIndex>;
}

export function createIndexes({ index, read }: Pick<Incremental, 'index' | 'read'>): Indexes {
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
    add: (page, variant) => builderOf(variant).addAnalysed(page),
    keep: (path, variant) => builderOf(variant).reusePage(path),
    count: () => builders.size,
    *finish() {
      for (const key of [...builders.keys()].sort()) {
        const { language, docsVersion, builder, before } = builders.get(key)!;
        builders.delete(key);
        const files = builder.finish();
        // The texts are named by what they hold, and the tables name them.
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

// It stands in addresses as it is.
function plainName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/\.+$/, '');
  return safePath(plain === name ? plain : `${plain}-${hash('sha256', name).slice(0, 6)}`);
}
