// The docs in an export: its search indexes, and its pages as Markdown.
import { basename } from 'node:path';
import { normalize } from 'node:path/posix';
import { instructionsFile, type Manifest } from '../../integration/manifest.ts';
import { markdownFile } from '../../integration/urls/safe-names.ts';
import { openIndex, type SearchIndex } from '../../integration/search/index.ts';
import { once } from '../../integration/search/once.ts';
import { shardText } from '../../integration/search/shards.ts';
import type { OpenedSite } from './open-site.ts';
import { type QueryEmbedder, searchByMeaning } from './search-vectors.ts';

/** One index of a site, for a language and a version of its docs. */
export interface DocsIndex {
  language: string;
  docsVersion?: string;
  /** Finds the words of a query. */
  index: SearchIndex;
  /** Also finds what means the same, if the export has vectors of the server's embedding model. */
  byMeaning: SearchIndex;
}

export type DocsPage = Omit<Manifest['pages'][number], 'file'>;

/** The docs of one export. */
export type SiteDocs = ReturnType<typeof docsOf>;

export function docsOf(site: OpenedSite, manifest: Manifest, embedder?: QueryEmbedder) {
  const { site: name, pages, vectors } = manifest;
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byMarkdown = new Map(pages.map((page) => [markdownFile(page.file), page.path]));
  const byDefault = defaultVariant(manifest);
  const ofDefault = ({ language, docsVersion }: Variant) =>
    (language === byDefault?.language ? 2 : 0) + (docsVersion === byDefault?.docsVersion ? 1 : 0);
  const indexes = [...manifest.indexes].sort((a, b) => ofDefault(b) - ofDefault(a));
  const openOnce = once(open);

  return {
    /** Name of the site, as readers know it. */
    name,
    /** Of the export. */
    version: manifest.version,
    /** Languages and versions that have an index, the defaults first. */
    kinds: indexes.map(({ folder: _, ...kind }) => kind),
    /**
     * The index of a language and a version, ignoring case. If one is absent, it is that of the page `near`, or else the default of the docs.
     * Undefined if there is no such index.
     */
    async index({ language, version }: { language?: string; version?: string }, near?: string): Promise<DocsIndex | undefined> {
      const page = (near !== undefined ? byPath.get(near) : undefined) ?? byDefault;
      const ofLanguage = indexes.filter((index) => language === undefined || isLanguage(index.language, language));
      const found = ofLanguage.filter((index) => version === undefined || isSame(index.docsVersion ?? '', version));
      // Among equals the order of `indexes` decides, where the default comes first.
      const likely = (index: Variant) =>
        (index.language === (language ?? page?.language) ? 2 : 0) +
        (index.docsVersion === (version ?? page?.docsVersion) ? 1 : 0);
      const [best] = found.sort((a, b) => likely(b) - likely(a));
      if (!best) return undefined;
      const { folder, ...kind } = best;
      return { ...kind, ...(await openOnce(folder)) };
    },
    /** All pages, in the order of the docs. */
    pages: pages as readonly DocsPage[],
    /** The author's instructions to a model, of which a prompt has the beginning; empty if there are none. */
    instructions: async (): Promise<string> => ((await readText(site, instructionsFile, longestInstructions)) ?? '').trim(),
    page: (path: string): DocsPage | undefined => byPath.get(path),
    /** The text of a page. */
    async markdown(path: string): Promise<string | undefined> {
      const page = byPath.get(path);
      return page && (await readText(site, markdownFile(page.file)));
    },
    /** The file of a page's Markdown in the export; undefined if there is no such page. */
    markdownFile(path: string): string | undefined {
      const page = byPath.get(path);
      return page && markdownFile(page.file);
    },
    /** The path of the page whose Markdown a file is. */
    pageOfMarkdown: (file: string): string | undefined => byMarkdown.get(file),
  };

  async function open(folder: string): Promise<Pick<DocsIndex, 'index' | 'byMeaning'>> {
    // In a collection, texts stay in the folders of its sites.
    const load = async (file: string) => shardText((await readText(site, normalize(`${folder}/${file}.js`))) ?? '');
    const index = await openIndex({ load });
    if (!embedder || vectors?.model !== embedder.model) return { index, byMeaning: index };
    return { index, byMeaning: searchByMeaning(index, { site, vectors, name: basename(folder), embedder }) };
  }
}

// Every question reads them.
const longestInstructions = 256 * 1024;

interface Variant {
  language?: string;
  docsVersion?: string;
}

/** The default language and version; in older exports, whose manifest does not name them, those of the home page. */
function defaultVariant({ defaultLanguage, defaultDocsVersion, pages, entry }: Manifest): Variant | undefined {
  if (defaultLanguage === undefined) return pages.find(({ file }) => file === entry);
  return { language: defaultLanguage, docsVersion: defaultDocsVersion };
}

/** `en-GB` is found in `en`, and `EN` too. */
function isLanguage(known: string, wanted: string): boolean {
  return isSame(known, wanted) || isSame(known, wanted.replace(/-.*/s, ''));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** At most `bytes` of a file; undefined if there is no such file. Throws `FileRemoved`, `StorageUnavailable`. */
async function readText(site: OpenedSite, path: string, bytes = Infinity): Promise<string | undefined> {
  const file = await site.file(path);
  return file && (await new Response(await file.read(0, Math.min(file.size, bytes) - 1)).text());
}
