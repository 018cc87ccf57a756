// The scripts of an existing site: those of its pages are collected page by page and written as one bundle, next to those of search and ask.
import { assetText } from '../page/asset.ts';
import type { Edit } from '../text/edit.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import { decode, isElsewhere } from '../urls/parts.ts';
import type { SiteContext } from '../export/export-input.ts';
import type { StaticSite } from './static-site.ts';
import type { BuiltSiteScripts } from '../reader-build/built-site-scripts.ts';
import { searchEdits } from './search-edits.ts';
import { starlightSearch } from './starlight-search.ts';
import type { SearchPositions } from './search-positions.ts';
import { placeholderStylesheet } from '../remote/placeholder.ts';
import { bundleModules } from '../scripts/bundle-modules.ts';
import { classicScripts } from '../scripts/classic-scripts.ts';
import { moduleFiles, type InlineModule } from '../scripts/module-files.ts';
import { editScripts, type ScriptPage } from '../scripts/page-scripts.ts';
import type { PageScripts } from '../scripts/script-elements.ts';

export interface SiteScriptsInput extends SiteContext {
  site: StaticSite;
  /** The scripts of search and the assistant; undefined if the site does not want them. */
  reading: BuiltSiteScripts | undefined;
}

export interface SiteScripts {
  /** The edits of a page for its scripts; collects their modules. */
  edit(page: ScriptedPage): Edit[];
  /** Whether a page loads a file as a module, once all pages are known. */
  isModule(path: string): boolean;
  /** Whether no page needs a file any more, once all pages are known: Pagefind's files for the search of Starlight. */
  isExcluded(path: string): boolean;
  /** Writes `_carrel/app.js`, if any page has a module, and the scripts of search and ask. */
  write(): Promise<void>;
}

interface ScriptedPage {
  path: string;
  html: string;
  language: string;
  docsVersion?: string;
  searchLabel?: string;
  scripts: PageScripts;
  search: SearchPositions;
  others: Edit[];
}

/** A fixed name, so that a changed script does not change any page. */
const bundleFile = '_carrel/app.js';
const vendoredFolder = '_carrel/vendor/';

export function createSiteScripts(input: SiteScriptsInput): SiteScripts {
  const { assets, names, site, reading, folder, vendored, problems } = input;
  const entries = new Map<string, string>();
  const modules = new Set<string>();
  const inline = new Map<string, InlineModule>();
  const imports = new Map<string, string>();
  const paths = new Map(assets.map(({ path }) => [encodePath(names.asset(path)), path]));
  const starlight = starlightSearch(assets);
  const assetOf = new Map(assets.map((asset) => [asset.path, asset]));
  const classic = classicScripts((path) => assetText(assetOf.get(path)!));

  const pageOf = scriptPages(input, paths);

  return {
    edit({ path, html, language, docsVersion, searchLabel, scripts, search: positions, others }) {
      const file = names.page(path);
      const from = encodePath(file);
      const { page, fileOf } = pageOf(path, html);
      const own = { language, docsVersion, searchLabel, urlOf: (file: string) => relativeUrl(from, file) };
      const search = reading ? searchEdits(positions, own, site, reading.entry) : [];
      const replaced = reading ? starlight.replace(positions.starlight, { ...page, scripts: scripts.scripts }, search) : [];
      const done = editScripts({ ...scripts, scripts: scripts.scripts.filter((script) => !replaced.includes(script)) }, page, [
        ...others,
        ...search,
      ]);
      for (const script of scripts.scripts) {
        const loaded = script.src && fileOf(script.src.value);
        classic.note(script, html, file, loaded === undefined ? undefined : paths.get(loaded));
      }
      for (const [name, id] of done.entries) {
        entries.set(name, id);
        modules.add(id);
      }
      for (const [id, script] of done.inline) inline.set(id, script);
      for (const [name, url] of done.imports) if (!imports.has(name)) imports.set(name, url);
      problems.push(...done.problems);
      return [...search, ...done.edits];
    },
    isModule: (path) => modules.has(`/${path}`),
    isExcluded: (path) => starlight.isReplaced() && /^_?pagefind\//.test(path),
    async write() {
      for (const { name, text } of reading?.files ?? []) folder.write(`_carrel/${name}`, text);
      problems.push(...(await classic.problems()));
      if (entries.size === 0) return;
      const nameOf = (path: string) => names.asset(path);
      const vendoredText = (file: string) =>
        file.startsWith(vendoredFolder) && folder.files.has(file) ? folder.read(file) : undefined;
      const files = moduleFiles({ assets, nameOf, base: site.base, inline, imports, vendored, vendoredText });
      const { code, problems: found } = await bundleModules({ entries, files, base: site.base });
      problems.push(...found);
      folder.write(bundleFile, code);
    },
  };
}

/** What the edits of a page's scripts need to know about the page, and the file of the export that a URL on it names. */
function scriptPages({ names, resolver, site, reading, vendored, vendors }: SiteScriptsInput, paths: Map<string, string>) {
  const symbols = new Set<string>();
  return (path: string, html: string): { page: ScriptPage; fileOf(url: string): string | undefined } => {
    const file = names.page(path);
    const from = encodePath(file);
    const fileOf = (url: string): string | undefined => {
      if (isElsewhere(url)) return vendored.get(url)?.replace(/#.*$/, '');
      const target = resolver.resolve(url, path);
      return target.kind === 'file' ? target.file : undefined;
    };
    const page: ScriptPage = {
      ...{ html, file, placeholderStylesheet },
      url: site.base + from,
      bundle: relativeUrl(from, bundleFile),
      hasSearch: reading !== undefined,
      hasDownloads: vendors,
      moduleOf(url) {
        const found = fileOf(url);
        if (found === undefined) return undefined;
        const asset = paths.get(found) ?? (found.startsWith(vendoredFolder) ? decode(found) : undefined);
        return asset === undefined ? undefined : `/${asset}`;
      },
      rewritten(url) {
        const target = resolver.resolve(url, path);
        if (target.kind !== 'file' && target.kind !== 'page') return undefined;
        return relativeUrl(from, target.file) + target.query + target.hash;
      },
      isOwn: (url) => !isElsewhere(url) || vendored.has(url),
      isNewFile(url) {
        const target = resolver.resolve(url, path);
        const symbol = target.file + target.hash;
        return target.kind === 'file' && !symbols.has(symbol) && symbols.add(symbol) !== undefined;
      },
      copyOf(url) {
        const copy = vendored.get(url);
        return copy?.startsWith(vendoredFolder) ? relativeUrl(from, copy) : undefined;
      },
    };
    return { page, fileOf };
  };
}
