// A docs folder that an editor works in: checked after each change of a document or a file, with the texts that are not saved yet;
// the editor gets the problems that changed.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import type { KnownPages } from '../../integration/output/export-state.ts';
import { isInside } from '../../integration/output/output-path.ts';
import { openStore } from '../cache/store.ts';
import { problemOfError, withCheckSeverity } from '../export/check-problems.ts';
import type { Pages } from '../markdown/links.ts';
// The first check loads it anyway. Without this import, the bundle has its parts that completion uses in files of their own, which exports open.
import '../markdown/render.ts';
import type { KnownSpecifications } from '../openapi/reference.ts';
import { downloadOnce, layered, watchRules } from '../preview/preview-docs.ts';
import { watchFolder } from '../preview/watch-folder.ts';
import { openDocs } from '../render/open-docs.ts';
import type { Site } from '../site/model.ts';
import { SourceChanged, type OpenedTexts } from '../source/read-texts.ts';
import { diagnosticsOf } from './diagnostics.ts';

export interface FolderOptions {
  /** Folder of values that outlive the editor; undefined for none. */
  cache?: string;
  groups?: readonly string[];
  includeRoots?: readonly string[];
  now: () => number;
}

interface FollowedFolderOptions extends FolderOptions {
  connection: Connection;
  documents: TextDocuments<TextDocument>;
  /** Whether the folder has a docs.json or was named, so that it is surely docs. */
  isNamed: boolean;
}

export type FollowedFolder = ReturnType<typeof followFolder>;

/** A site, what its links refer to, and the ids on its pages. */
export interface ReadDocs {
  site: Site;
  links: Pages;
  idsOf(path: string): readonly string[];
}

/** A place in a document of a docs folder. */
export interface EditorPosition extends ReadDocs {
  /** Path in the docs folder. */
  file: string;
  document: TextDocument;
  offset: number;
}

/** Milliseconds without a change after which the folder is checked. */
const quiet = 40;
/** Characters of cached values in memory. Pages that did not change are known apart from them. */
const mostInMemory = 16 * 1024 * 1024;

export function followFolder(root: string, { connection, documents, isNamed, ...options }: FollowedFolderOptions) {
  const docs = openChecks(root, options);
  const { state } = docs;
  const published = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let waiting: Promise<void> | undefined;
  let rules = watchRules(root);
  const watcher = watchFolder(root, {
    ignoresFolder: (path) => rules.ignoresFolder(path),
    ignoresFile: (path) => rules.ignoresFile(path),
    onChange: () => update(),
    onFault: (message) => connection.console.warn(`Not all folders are watched: ${message}`),
  });

  /** The open documents of the folder, by their paths in it. */
  const opened = (): Map<string, TextDocument> =>
    new Map(
      documents.all().flatMap((document): [string, TextDocument][] => {
        const path = filePath(document.uri);
        return path === undefined || !isInside(root, path) ? [] : [[relative(root, path).split(sep).join('/'), document]];
      }),
    );
  const uriOf = (file: string): string => opened().get(file)?.uri ?? pathToFileURL(join(root, file)).href;
  const textOf = (file: string): string => opened().get(file)?.getText() ?? savedText(join(root, file)) ?? '';

  const check = async (): Promise<void> => {
    const texts = [...opened()].map(([file, document]): [string, string] => [file, document.getText()]);
    await docs.check(new Map(texts.filter(([file, text]) => savedText(join(root, file)) !== text)));
    publish();
    rules = watchRules(root, state.read?.site.source);
    watcher.update();
  };
  const next = (): Promise<void> => {
    waiting ??= running.then(() => {
      waiting = undefined;
      return check().catch((error: unknown) => connection.console.error(String(error)));
    });
    return (running = waiting);
  };
  const update = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void next(), quiet);
  };

  /** Sends the problems of the files whose problems are not those that the editor has. */
  const publish = (): void => {
    // A repository with docs in one of its folders is not docs itself.
    const isDocs = isNamed || state.problems.every(({ kind }) => kind !== 'config-in-subfolder');
    const configFile = state.read?.site.source.configFile ?? '';
    const byFile = Map.groupBy(isDocs ? state.problems : [], ({ page = configFile }) => fileOf(root, page));
    for (const file of new Set([...published.keys(), ...byFile.keys()])) {
      const those = byFile.get(file) ?? [];
      const text = JSON.stringify(those);
      if (published.get(file) === text) continue;
      published.set(file, text);
      void connection.sendDiagnostics({ uri: uriOf(file), diagnostics: diagnosticsOf(those, textOf(file)) });
    }
  };

  return {
    uriOf,
    textOf,
    update,
    /** What is known of the folder, once it was read. */
    async read(): Promise<ReadDocs | undefined> {
      if (!state.read) await next();
      return state.read;
    },
    close(): void {
      clearTimeout(timer);
      watcher.close();
      docs.close();
    },
  };
}

function openChecks(root: string, { cache: cacheFolder, groups, includeRoots, now }: FolderOptions) {
  const store = cacheFolder === undefined ? undefined : openStore(cacheFolder, { now: now() });
  // What is typed later is not stored: each letter makes another page.
  let isSaved = true;
  const stored = store && { get: store.get, set: (key: string, value: string) => void (isSaved && store.set(key, value)) };
  const cache = layered(stored, mostInMemory);
  const openedTexts: OpenedTexts = new Map();
  const knownSpecifications: KnownSpecifications = new Map();
  const downloads = new Map<string, Promise<Uint8Array>>();
  const state: { problems: Problem<string>[]; read?: ReadDocs } = { problems: [] };
  let previous: KnownPages | undefined;

  const checkOnce = async (unsaved: ReadonlyMap<string, string>, sourceCache?: typeof cache): Promise<void> => {
    const docs = await openDocs(root, {
      ...{ groups, includeRoots, cacheFolder, knownSpecifications, openedTexts, unsaved, sourceCache },
      ...{ plainCode: true, highlightCache: cache, deployment: 'client-hosted', environment: process.env },
      now: now(),
      remote: { cache, download: (url) => downloadOnce(url, downloads) },
    });
    try {
      const { checkOpened } = await import('../export/export-docs.ts');
      const { problems, known } = await checkOpened(
        docs,
        { deployment: 'client-hosted', vendor: false, groups, cache },
        previous,
      );
      previous = known;
      state.problems = problems.map(withCheckSeverity);
      state.read = { site: docs.site, links: docs.linkPages(), idsOf: (path) => known.pages.get(path)?.facts.ids ?? [] };
    } finally {
      await docs.close();
    }
  };

  return {
    state,
    /** Checks the folder with these texts in place of its files'. A folder that cannot be read leaves the last site, with the reason. */
    async check(unsaved: ReadonlyMap<string, string>): Promise<void> {
      isSaved = unsaved.size === 0 || previous === undefined;
      try {
        await checkOnce(unsaved, cache).catch((error: unknown) => {
          if (!(error instanceof SourceChanged)) throw error;
          openedTexts.clear();
          return checkOnce(unsaved);
        });
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        // Until the first text can be read, the saved one says what can be written.
        if (!state.read && unsaved.size > 0) await checkOnce(new Map()).catch(() => undefined);
        const problem = problemOfError(error);
        state.problems = [problem, ...state.problems.filter(({ page }) => page !== problem.page)];
      }
    },
    close: (): void => store?.close(),
  };
}

/** The path that a URI names; undefined for one that is not of a file on this machine. */
export function filePath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function savedText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The file of a problem: a page of an API is `openapi.json (GET /users)`. */
function fileOf(root: string, page: string): string {
  const file = page.replace(/ \([^()]*\)$/, '');
  return file === page || existsSync(join(root, page)) ? page : file;
}
