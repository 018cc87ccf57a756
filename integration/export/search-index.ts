import { hash } from 'node:crypto';
import type { AnalysedPage } from '../search/analyse.ts';
import { createIndexBuilder, type IndexBuilder } from '../search/builder.ts';
import { safePath } from './safe-names.ts';

export interface BuiltIndex {
  language: string;
  docsVersion?: string;
  /** In the export: '_carrel/search/1a2b3c4d5e6f/en-v2'. */
  folder: string;
  /** By name in the folder. */
  files: Map<string, string>;
}

/** Gathers the indexes of a site: one for each language and docs version. */
export function createIndexes() {
  const builders = new Map<string, { language: string; docsVersion?: string; builder: IndexBuilder }>();
  return {
    add(page: AnalysedPage, language: string, docsVersion: string | undefined) {
      const key = `${language}\n${docsVersion ?? ''}`;
      let entry = builders.get(key);
      if (!entry) builders.set(key, (entry = { language, docsVersion, builder: createIndexBuilder() }));
      entry.builder.addAnalysed(page);
    },
    /** How many there are. */
    count: () => builders.size,
    /** Each index, sorted by language and version. Its folder is named by what it holds, so that two builds never mix behind a cache. */
    *finish(): Generator<BuiltIndex> {
      for (const key of [...builders.keys()].sort()) {
        const { language, docsVersion, builder } = builders.get(key)!;
        builders.delete(key);
        const files = builder.finish();
        const digest = hash(
          'sha256',
          [...files]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, text]) => `${name}\n${hash('sha256', text)}\n`)
            .join(''),
        );
        const name = docsVersion === undefined ? language : `${language}-${docsVersion}`;
        const folder = `_carrel/search/${digest.slice(0, 12)}/${plainName(name)}`;
        yield docsVersion === undefined ? { language, folder, files } : { language, docsVersion, folder, files };
      }
    },
  };
}

// It stands in addresses as it is.
function plainName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/\.+$/, '');
  return safePath(plain === name ? plain : `${plain}-${hash('sha256', name).slice(0, 6)}`);
}
