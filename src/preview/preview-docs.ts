// Docs folder → preview, again after each change. The whole folder is opened each time: unchanged files are not read, and rendering waits until
// a page is requested.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { ExportCache } from '../../integration/export/export-site.ts';
import { createPreview, type SitePreview } from '../../integration/export/preview-site.ts';
import { openStore } from '../cache/store.ts';
import { exportInput } from '../export/export-input.ts';
import { openDocs } from '../render/open-docs.ts';
import type { KnownSpecifications } from '../openapi/reference.ts';
import type { PageRenderer } from '../render/render-pages.ts';
import type { Source } from '../source/source.ts';
import type { OpenedTexts } from '../source/read-texts.ts';
import { ignoreRules, realPath } from '../source/walk.ts';
import { faultOfError, type Fault } from './faults.ts';
import { followPages } from './follow-pages.ts';

export interface PreviewDocsOptions {
  folder: string;
  /** Folder of values that outlive the preview; undefined for none. */
  cache?: string;
  trustComponents?: boolean;
  /** Folders outside the docs folder whose files pages may include. */
  includeRoots?: readonly string[];
  /** The groups of the readers whom the site is for; without it, it is for everybody. */
  groups?: readonly string[];
  now: () => number;
}

/** The site after its last change that could be opened, and why it cannot be opened now. */
export interface DocsState {
  /** Differs between states, and between previews of one folder. */
  revision: string;
  site?: SitePreview & { pages: number };
  fault?: Fault;
  /** What the fault was made from. */
  error?: unknown;
}

export type PreviewedDocs = ReturnType<typeof previewDocs>;

/** Characters of cached values in memory. */
const mostInMemory = 128 * 1024 * 1024;

export function previewDocs({ folder, cache: cacheFolder, trustComponents, includeRoots, groups, now }: PreviewDocsOptions) {
  const root = realPath(resolve(folder)) ?? resolve(folder);
  const store = cacheFolder === undefined ? undefined : openStore(cacheFolder, { now: now() });
  const cache = layered(store, mostInMemory);
  const preview = createPreview({ deployment: 'client-hosted', cache });
  const session = now().toString(36);
  const knownSpecifications: KnownSpecifications = new Map();
  const openedTexts: OpenedTexts = new Map();
  const downloads = new Map<string, Promise<Uint8Array>>();
  const gone = followPages();
  let docs: PageRenderer | undefined;
  let rules = watchRules(root);
  let states = 0;
  let state: DocsState = { revision: `${session}-0` };

  const openOnce = async (): Promise<DocsState> => {
    const next = await openDocs(root, {
      ...{ trustComponents, includeRoots, groups, cacheFolder, knownSpecifications, openedTexts },
      highlightCache: cache,
      sourceCache: cache,
      now: now(),
      environment: process.env,
      remote: { cache, download: (url) => downloadOnce(url, downloads) },
    });
    try {
      const { site } = next;
      const input = await exportInput(next, { cache });
      const variants = new Map(
        site.pages.map(({ path, language, docsVersion, visibility }) => [
          path,
          { language, docsVersion, searchable: visibility.search },
        ]),
      );
      const opened = await preview.open({ ...input, variants });
      const before = docs;
      docs = next;
      rules = watchRules(root, site.source);
      gone.update(new Map(site.pages.map(({ path, source }) => [opened.fileOf(path), source])));
      await before?.close();
      const readPages: SitePreview['readPages'] = async (signal) => {
        const problems = await opened.readPages(signal);
        // From now on single pages are rendered.
        await next.threads.close();
        return problems;
      };
      return { revision: '', site: { ...opened, readPages, pages: site.pages.length } };
    } catch (error) {
      await next.close();
      throw error;
    }
  };

  const openNext = async (): Promise<DocsState> => {
    const before = docs?.site.source.pages ?? [];
    const opened = await openOnce().catch((error: unknown): DocsState => ({ ...state, error, fault: faultOfError(root, error) }));
    // With an edited page, the keys of all pages need not be made before it is shown.
    const isEdited = docs?.site.source.pages.some(({ digest }, index) => digest !== before[index]?.digest) ?? false;
    const isSame =
      !isEdited &&
      JSON.stringify(opened.fault) === JSON.stringify(state.fault) &&
      opened.site?.fingerprint() === state.site?.fingerprint();
    return (state = { ...opened, revision: isSame ? state.revision : `${session}-${++states}` });
  };
  let opening = Promise.resolve(state);

  return {
    root,
    state: (): DocsState => state,
    /** What became of the page that a file showed, if the site does not have it any more. */
    gone: gone.of,
    /** Opens the folder as it is now. Never rejects: a folder that cannot be opened leaves the last site, with the fault. */
    open(): Promise<DocsState> {
      return (opening = opening.then(openNext));
    },
    /** Marks files that pages load as changed, so that pages load them again. */
    touch(): void {
      state = { ...state, revision: `${session}-${++states}` };
    },
    ignoresFolder: (path: string): boolean => rules.ignoresFolder(path),
    ignoresFile: (path: string): boolean => rules.ignoresFile(path),
    async close(): Promise<void> {
      await opening;
      await docs?.close();
      store?.close();
    },
  };
}

/** What of a docs folder is not watched, by what was read of it. */
export function watchRules(root: string, source?: Source) {
  const folders = new Set(source?.pages.map(({ file }) => file.split('/', 1)[0]!));
  const rules = ignoreRules(source ? textOf(join(root, '.mintignore')) : '', Boolean(source?.config), folders);
  return {
    ignoresFolder: (path: string): boolean => rules.folder(path) || existsSync(join(root, path, 'carrel.json')),
    ignoresFile: (path: string): boolean => path !== '.mintignore' && rules.file(path),
  };
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** A cache of so many characters in memory before the one on disk, which does not return values before they are written. */
export function layered(store: ExportCache | undefined, maxSize: number): ExportCache {
  const memory = new LRUCache<string, string>({
    maxSize,
    sizeCalculation: (value, key) => value.length + key.length,
  });
  return {
    get: (key) => memory.get(key) ?? store?.get(key),
    set(key, value) {
      memory.set(key, value);
      store?.set(key, value);
    },
  };
}

/** A file that several states of the site need is downloaded once. */
export function downloadOnce(url: URL, downloads: Map<string, Promise<Uint8Array>>): Promise<Uint8Array> {
  let bytes = downloads.get(url.href);
  if (!bytes) {
    bytes = import('../../integration/remote/download.ts').then(async ({ download }) => (await download(url, {})).bytes);
    downloads.set(url.href, bytes);
  }
  return bytes;
}
