// Incremental export: everything that an export reuses from earlier ones. Pages and their texts come from the
// cache, unchanged files from the previous export into the same folder, and the export before that one becomes the staging folder.
// Highlighted code is cached apart from this, by src/markdown: it is a part of rendering, which ends before the export begins.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Problem } from '../diagnostics.ts';
import type { PageRecord, PageSource, WrittenPage } from '../page/page-types.ts';
import type { AnalyzedPage } from '../search/analyze.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import { cachedJson, cacheFormat, recordIn, type ExportCache } from './export-cache.ts';
import { beginExport, type ExportFolder } from './export-folder.ts';
import type { Completed } from './staged-paths.ts';
import { type JoinedFile, joinedPieces, keptRanges } from './joined-file.ts';
import { emptyState, type IndexFolder, openState, type PreviousPage, type State } from './export-state.ts';

export interface IncrementalOptions {
  /** Folder to write; replaced entirely when the export is complete. */
  out: string;
  /** The docs folder, which `out` must neither contain nor be inside. */
  sourceRoot?: string;
  /** Whether `out` may contain files that are not part of an export: a site that the export replaces. */
  replacesSite?: boolean;
  cache?: ExportCache;
  /** Folder, on the same disk as `out`, that keeps the replaced export so that the next one can reuse its files. */
  cacheFolder?: string;
}

export type Incremental = ReturnType<typeof openIncremental>;

interface Written {
  pages: WrittenPage[];
  names: SafeNames;
  indexes: IndexFolder[];
  vendored: Map<string, string>;
}

interface PreviousIndex {
  folder: string;
  /** Paths of its pages, in their order. */
  pages: string[];
  files: Map<string, string>;
}

/** Another export replaced the previous one while this export was reading it. */
export class PreviousChanged extends Error {
  override name = 'PreviousChanged';

  constructor(path: string) {
    super(`"${path}" of the previous export was changed while it was read.`);
  }
}

/** Runs an export with what is known about the previous one, and again without that knowledge if the previous export is replaced meanwhile. */
export async function exportIncrementally<T>(
  options: IncrementalOptions,
  run: (open: (context: string) => Incremental) => Promise<T>,
): Promise<T> {
  const { previous, store } = openState(options.cache, options.out);
  try {
    return await run((context) => openIncremental(options, previous, store, context));
  } catch (error) {
    if (error instanceof PreviousChanged) return run((context) => openIncremental(options, emptyState, store, context));
    throw error;
  }
}

function openIncremental(
  { out, cache, cacheFolder, ...options }: IncrementalOptions,
  state: State,
  storeState: (next: State) => void,
  context: string,
) {
  const { files } = state;
  const reusable =
    cacheFolder === undefined
      ? undefined
      : {
          folder: join(cacheFolder, hash('sha256', resolve(out)).slice(0, 16)),
          files: state.reusable,
          completed: state.reusableCompleted,
        };
  const folder = beginExport(out, { ...options, processId: process.pid, reusable });
  const previous: PreviousExport = {
    ...{ state, folder },
    reuse(path, from = path) {
      const file = files.get(from);
      return file !== undefined && folder.reuse(path, file, from);
    },
    open(path) {
      const file = files.get(path);
      return file && folder.openPrevious(path, file);
    },
  };
  const { sources, joined, ...copies } = previousCopies(previous);
  let completed: Completed | undefined;

  return {
    /** The next export, not yet in its place. */
    folder,
    ...previousPages(previous, context),
    ...previousIndexes(previous, cache),
    ...copies,
    /** Takes over a file of the previous export that has this digest; false when there is none. */
    take: (path: string, sha256: string): boolean => files.get(path)?.sha256 === sha256 && previous.reuse(path),
    record: recordIn(cache),
    /** The cached text of a file with this fingerprint. */
    text: (kind: 'html' | 'markdown', fingerprint: string): string | undefined =>
      cache?.get(`${kind}-${cacheFormat}/${fingerprint}`),
    storeText: (kind: 'html' | 'markdown', fingerprint: string, text: string): void =>
      cache?.set(`${kind}-${cacheFormat}/${fingerprint}`, text),
    /** Replaces the previous export; returns what its folder had besides. */
    commit(): Problem[] {
      const committed = folder.commit(state.completed);
      completed = committed.completed;
      return committed.problems;
    },
    /** Stores what the next export needs to know about this one. */
    store({ names, indexes, vendored, pages: written }: Written): void {
      if (!cache) return;
      storeState({
        ...{ context, files: folder.files, reusable: files, sources, indexes, joined, completed },
        pages: knownPages(written, names, state.pages),
        vendored: Object.fromEntries(vendored),
        reusableCompleted: state.completed,
      });
    },
  };
}

/** The previous export, and the next one, which takes over its files. */
interface PreviousExport {
  state: State;
  folder: ExportFolder;
  /** Takes over a file; false when it is gone or has changed. */
  reuse(path: string, from?: string): boolean;
  open(path: string): ReturnType<ExportFolder['openPrevious']>;
}

function previousPages({ state, folder, reuse }: PreviousExport, context: string) {
  const { pages } = state;
  const isSame = (source: PageSource) => source.key !== undefined && pages.get(source.path)?.key === source.key;
  return {
    /** Whether the previous export had the same page under its path. */
    isSame,
    /** The same page of the previous export, if all pages and files had the same names: then its links have the same targets. */
    page: (source: PageSource): PreviousPage | undefined =>
      state.context === context && isSame(source) ? pages.get(source.path) : undefined,
    /** Takes over the files of a page that would be written with the same bytes; false when they have changed on disk. */
    reusePage(path: string, fingerprint: string | undefined): boolean {
      const page = pages.get(path);
      if (fingerprint === undefined || page?.fingerprint !== fingerprint) return false;
      const taken = page.files.filter((file) => reuse(file));
      if (taken.length === page.files.length) return true;
      for (const file of taken) folder.drop(file);
      return false;
    },
  };
}

function previousIndexes({ state, folder, reuse, open }: PreviousExport, cache: ExportCache | undefined) {
  const indexFiles = [...state.files].filter(([path]) => path.startsWith('_carrel/search/'));
  const byDigest = new Map(indexFiles.map(([path, { sha256 }]) => [sha256, path]));
  return {
    /** What the search index had of a page of the previous export, if the cache still has it. */
    analyzed(path: string): AnalyzedPage | undefined {
      const page = state.pages.get(path);
      return page && cachedJson<PageRecord>(cache?.get(`page-${cacheFormat}/${page.key}`))?.analyzed;
    },
    /** The previous search index of a language and docs version, with the digests of its files by their names. */
    index(language: string, docsVersion: string | undefined): PreviousIndex | undefined {
      const found = state.indexes.find((index) => index.language === language && index.docsVersion === docsVersion);
      if (!found) return undefined;
      const own = indexFiles.filter(([path]) => path.startsWith(`${found.folder}/`));
      const digests = own.map(([path, { sha256 }]) => [path.slice(found.folder.length + 1), sha256] as const);
      return own.length === 0 ? undefined : { folder: found.folder, pages: found.pages, files: new Map(digests) };
    },
    /** Text of a file of the previous export. Throws `PreviousChanged` when it has changed since it was written. */
    read(path: string): string {
      const file = open(path);
      if (!file) throw new PreviousChanged(path);
      try {
        return file.text();
      } finally {
        file.close();
      }
    },
    /** Writes a file of the search index, or takes over a file with the same contents under any name. */
    writeIndexFile(path: string, contents: string): void {
      const old = byDigest.get(hash('sha256', contents));
      if (old === undefined || !reuse(path, old)) folder.write(path, contents);
    },
    /** Takes over a file under another path. Throws `PreviousChanged` when it is gone. */
    move(from: string, to: string): void {
      if (!reuse(to, from)) throw new PreviousChanged(from);
    },
  };
}

/** Files of the docs and of external origins, and files joined from those of pages. */
function previousCopies({ state, folder, reuse, open }: PreviousExport) {
  const { files } = state;
  const sources: State['sources'] = {};
  const joined: State['joined'] = {};
  return {
    /** What the next export needs to know about them. */
    sources,
    joined,
    /** Copies a file of the docs, or reuses its copy when the file is unchanged. */
    copy(path: string, source: string): void {
      const { size, mtimeMs, ino } = statSync(source, { throwIfNoEntry: false }) ?? {};
      const known = Object.hasOwn(state.sources, path) ? state.sources[path] : undefined;
      const isKnown = known !== undefined && known[0] === size && known[1] === mtimeMs && known[2] === ino;
      if (!isKnown || !reuse(path)) folder.copy(path, source);
      if (size !== undefined && mtimeMs !== undefined && ino !== undefined) sources[path] = [size, mtimeMs, ino];
    },
    /**
     * Writes a file joined from one text per file of `from`, generating only the texts whose files changed. `key` is what the texts depend on
     * besides these files.
     */
    writeJoined(path: string, key: string, from: string[], textOf: (file: string, index: number) => string): void {
      const previous = state.joined[path];
      const isUnchanged = (part: string) => files.get(part)?.sha256 === folder.files.get(part)?.sha256;
      const { ranges, isWhole } = keptRanges(previous, { key, parts: from }, isUnchanged);
      if (previous && isWhole && reuse(path)) {
        joined[path] = previous;
        return;
      }
      const opened = open(path);
      const next: JoinedFile = { key, parts: from.map((part) => [part, 0]) };
      try {
        folder.writeTexts(
          path,
          joinedPieces(next, opened ? ranges : [], textOf, (start, end) => opened!.read(start, end)),
        );
      } finally {
        opened?.close();
      }
      joined[path] = next;
    },
    /** Reuses the copy of an external file; returns its path. */
    reuseVendored(url: string): string | undefined {
      const path = Object.hasOwn(state.vendored, url) ? state.vendored[url] : undefined;
      if (path === undefined || !files.has(path)) return undefined;
      return folder.files.has(path) || reuse(path) ? path : undefined;
    },
  };
}

/** What is known of the pages that were written: the same objects for those that are the same as before. */
function knownPages(written: WrittenPage[], names: SafeNames, before: State['pages']): State['pages'] {
  const known = new Map<string, PreviousPage>();
  for (const { source, fingerprint, ...page } of written) {
    const { path, key } = source;
    if (key === undefined || fingerprint === undefined) continue;
    const previous = before.get(path);
    const isSame = previous?.key === key && previous.fingerprint === fingerprint && previous.facts === page.facts;
    const { hasMarkdown, copiesMarkdown } = page.facts;
    const files = [names.page(path), ...(hasMarkdown ? [names.markdown(path)] : [])];
    if (hasMarkdown && copiesMarkdown) files.push(names.markdownScript(path));
    known.set(path, isSame ? previous : { key, fingerprint, files, ...page });
  }
  return known;
}
