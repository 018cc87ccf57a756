// A docs folder in an editor: checked after each change, with the texts that are not saved yet.
import type { Problem } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import type { KnownPages } from '../../integration/output/export-state.ts';
import { openStore } from '../cache/store.ts';
import { problemOfError, withCheckSeverity } from '../export/check-problems.ts';
import type { Pages } from '../markdown/links.ts';
// The first check loads it anyway. Without this import, the bundle has its parts that completion uses in files of their own, which exports open.
import '../markdown/render.ts';
import type { KnownSpecifications } from '../openapi/reference.ts';
import { downloadOnce, layered } from '../preview/preview-docs.ts';
import { openDocs } from '../render/open-docs.ts';
import type { Site } from '../site/model.ts';
import { SourceChanged, type OpenedTexts } from '../source/read-texts.ts';

export interface EditedDocsOptions {
  /** Folder of values that outlive the editor; undefined for none. */
  cache?: string;
  groups?: readonly string[];
  includeRoots?: readonly string[];
  now: () => number;
}

/** A site, what its links refer to, and the ids on its pages. */
export interface ReadDocs {
  site: Site;
  links: Pages;
  idsOf(path: string): readonly string[];
}

interface CheckedDocs {
  problems: Problem<string>[];
  /** What was read last. */
  read?: ReadDocs;
}

/** Characters of cached values in memory. Pages that did not change are known apart from them. */
const mostInMemory = 16 * 1024 * 1024;

export function openEditedDocs(root: string, { cache: cacheFolder, groups, includeRoots, now }: EditedDocsOptions) {
  const store = cacheFolder === undefined ? undefined : openStore(cacheFolder, { now: now() });
  // What is typed later is not stored: each letter makes another page.
  let isSaved = true;
  const stored = store && { get: store.get, set: (key: string, value: string) => void (isSaved && store.set(key, value)) };
  const cache = layered(stored, mostInMemory);
  const openedTexts: OpenedTexts = new Map();
  const knownSpecifications: KnownSpecifications = new Map();
  const downloads = new Map<string, Promise<Uint8Array>>();
  let previous: KnownPages | undefined;
  let last: CheckedDocs = { problems: [] };

  const checkOnce = async (unsaved: ReadonlyMap<string, string>, sourceCache?: typeof cache): Promise<CheckedDocs> => {
    const docs = await openDocs(root, {
      ...{ groups, includeRoots, cacheFolder, knownSpecifications, openedTexts, unsaved, sourceCache },
      ...{ plainCode: true, highlightCache: cache, deployment: 'client-hosted', environment: process.env },
      now: now(),
      remote: { cache, download: (url) => downloadOnce(url, downloads) },
    });
    try {
      const { checkOpened } = await import('../export/export-docs.ts');
      const options = { deployment: 'client-hosted', vendor: false, groups, cache } as const;
      const { problems, known } = await checkOpened(docs, options, previous);
      previous = known;
      const idsOf = (path: string) => known.pages.get(path)?.facts.ids ?? [];
      return { problems: problems.map(withCheckSeverity), read: { site: docs.site, links: docs.linkPages(), idsOf } };
    } finally {
      await docs.close();
    }
  };

  return {
    /** Checks the folder with these texts in place of its files'. A folder that cannot be read leaves the last site, with the reason. */
    async check(unsaved: ReadonlyMap<string, string>): Promise<CheckedDocs> {
      isSaved = unsaved.size === 0 || previous === undefined;
      try {
        last = await checkOnce(unsaved, cache).catch((error: unknown) => {
          if (!(error instanceof SourceChanged)) throw error;
          openedTexts.clear();
          return checkOnce(unsaved);
        });
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        const problem = problemOfError(error);
        // Until the first text can be read, the saved one says what can be written.
        last.read ??= unsaved.size > 0 ? (await checkOnce(new Map()).catch(() => undefined))?.read : undefined;
        last = { ...last, problems: [problem, ...last.problems.filter(({ page }) => page !== problem.page)] };
      }
      return last;
    },
    close: (): void => store?.close(),
  };
}
