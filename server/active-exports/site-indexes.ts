// The docs of a site as its active export has them: its search indexes, and its pages as Markdown.
import type { Manifest } from '../../integration/manifest.ts';
import { safePath } from '../../integration/urls/safe-names.ts';
import { openIndex, type SearchIndex } from '../../integration/search/index.ts';
import { shardText } from '../../integration/search/shards.ts';
import { parseManifest } from '../storage/read-manifest.ts';
import type { Services } from '../services.ts';
import type { OpenedSite } from './open-site.ts';
import type { RegisteredSite } from '../sites/sites.ts';
import { openStoredSite } from '../sites/stored-site.ts';

/** One index of a site, for a language and a version of its docs. */
export interface DocsIndex {
  language: string;
  docsVersion?: string;
  index: SearchIndex;
}

export interface DocsPage {
  path: string;
  title: string;
  language: string;
  docsVersion?: string;
}

/** The docs of one export; it stays the same when a newer export becomes active. */
export interface SiteDocs {
  /** Name of the site, for readers. */
  name: string;
  /** Languages and versions that there is an index of, those of a question that names neither first. */
  kinds: { language: string; docsVersion?: string }[];
  /**
   * The index of a language and a version, in upper or lower case; what is not said is that of the page `near`, else the default of the
   * docs. Undefined when there is none of it.
   */
  index(wanted: { language?: string; version?: string }, near?: string): Promise<DocsIndex | undefined>;
  page(path: string): DocsPage | undefined;
  /** The text of a page. */
  markdown(path: string): Promise<string | undefined>;
}

export interface SiteIndexes {
  /** The site and the docs of its active export; undefined when it has none. */
  open(domain: string): Promise<{ site: RegisteredSite; docs: SiteDocs } | undefined>;
  /** Opens the site anew the next time: files of it were gone. */
  forget(domain: string): void;
}

// An open index holds what was read of it: at most all of its files, a few times their size.
const mostOpened = 16;

/** Sites are opened when first asked, and stay open until others are asked more recently or their export is replaced. */
export function createSiteIndexes({ sites, jobs, storage }: Pick<Services, 'sites' | 'jobs' | 'storage'>): SiteIndexes {
  const opened = new Map<string, { manifest: string; docs: Promise<SiteDocs | undefined> }>();

  return {
    async open(domain) {
      const site = await sites.get(domain);
      const job = site?.activeJob ? await jobs.get(site.activeJob) : undefined;
      const manifest = job?.result?.manifest;
      if (!site || manifest === undefined) {
        opened.delete(domain);
        return undefined;
      }
      const known = opened.get(domain);
      const current = known?.manifest === manifest ? known : { manifest, docs: openDocs(domain, manifest) };
      // Taken out and put back: the order of a Map is then the order of the last use.
      opened.delete(domain);
      opened.set(domain, current);
      if (opened.size > mostOpened) opened.delete(opened.keys().next().value!);
      const docs = await current.docs.catch((error: unknown) => {
        if (opened.get(domain) === current) opened.delete(domain);
        throw error;
      });
      if (!docs) opened.delete(domain);
      return docs && { site, docs };
    },
    forget: (domain) => opened.delete(domain),
  };

  async function openDocs(domain: string, digest: string): Promise<SiteDocs | undefined> {
    const site = await openStoredSite(storage, domain, digest);
    const manifest = site && (await readText(site, 'carrel.json'));
    return manifest === undefined ? undefined : docsOf(site!, parseManifest(manifest, `the active export of "${domain}"`));
  }
}

/** The docs of an export. */
export function docsOf(site: OpenedSite, manifest: Manifest): SiteDocs {
  const { site: name, pages } = manifest;
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const usual = usualVariant(manifest);
  const ofDefault = ({ language, docsVersion }: Variant) =>
    (language === usual?.language ? 2 : 0) + (docsVersion === usual?.docsVersion ? 1 : 0);
  const indexes = [...manifest.indexes].sort((a, b) => ofDefault(b) - ofDefault(a));
  const opened = new Map<string, Promise<SearchIndex>>();

  return {
    name,
    kinds: indexes.map(({ folder: _, ...kind }) => kind),
    async index({ language, version }, near) {
      const page = (near !== undefined ? byPath.get(near) : undefined) ?? usual;
      const ofLanguage = indexes.filter((index) => language === undefined || isLanguage(index.language, language));
      const found = ofLanguage.filter((index) => version === undefined || isSame(index.docsVersion ?? '', version));
      // Among equals the order of `indexes` decides, in which the default is first.
      const likely = (index: Variant) =>
        (index.language === (language ?? page?.language) ? 2 : 0) +
        (index.docsVersion === (version ?? page?.docsVersion) ? 1 : 0);
      const [best] = found.sort((a, b) => likely(b) - likely(a));
      if (!best) return undefined;
      const { folder, ...kind } = best;
      return { ...kind, index: await openOnce(folder) };
    },
    page: (path) => byPath.get(path),
    async markdown(path) {
      const page = byPath.get(path);
      return page && (await readText(site, mirrorFile(page.file)));
    },
  };

  function openOnce(folder: string): Promise<SearchIndex> {
    let index = opened.get(folder);
    if (!index) {
      index = openIndex({ load: async (name) => shardText((await readText(site, `${folder}/${name}.js`)) ?? '') });
      opened.set(folder, index);
      index.catch(() => opened.delete(folder));
    }
    return index;
  }
}

interface Variant {
  language?: string;
  docsVersion?: string;
}

/** Language and version of a question that names neither. Exports before the manifest named them say it by their home page, if any. */
function usualVariant({ defaultLanguage, defaultDocsVersion, pages, entry }: Manifest): Variant | undefined {
  if (defaultLanguage === undefined) return pages.find(({ file }) => file === entry);
  return { language: defaultLanguage, docsVersion: defaultDocsVersion };
}

/** `en-GB` is found in `en`, and `EN` too. */
function isLanguage(known: string, wanted: string): boolean {
  return isSame(known, wanted) || isSame(known, wanted.split('-')[0]!);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The Markdown beside a page's own folder. */
function mirrorFile(file: string): string {
  return file === 'index.html' ? 'index.md' : safePath(`${file.replace(/\/index\.html$/, '')}.md`);
}

/** Undefined where there is no such file. Throws `FileRemoved`, `StorageUnavailable`. */
async function readText(site: OpenedSite, path: string): Promise<string | undefined> {
  const file = await site.file(path);
  return file && (await new Response(await file.read(0, file.size - 1)).text());
}
