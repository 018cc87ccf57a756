// The scripts of an existing site: those of its pages are collected page by page and written as one bundle, next to those of search and ask.
import { assetText, type ExportAsset } from '../page/asset.ts';
import type { Edit } from '../text/edit.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import { decode, isElsewhere } from '../urls/parts.ts';
import { type Resolver } from '../urls/resolver.ts';
import type { OutputFolder } from '../output/export-folder.ts';
import type { StaticSite } from './static-site.ts';
import type { BuiltSiteScripts } from '../reader-build/built-site-scripts.ts';
import { isStarlightSearch, searchEdits } from './search-edits.ts';
import type { SearchPositions } from './search-positions.ts';
import { placeholderStylesheet } from '../remote/placeholder.ts';
import type { Problem } from '../diagnostics.ts';
import { bundleModules } from '../scripts/bundle-modules.ts';
import { classicScripts } from '../scripts/classic-scripts.ts';
import { moduleFiles, type InlineModule } from '../scripts/module-files.ts';
import { editScripts } from '../scripts/page-scripts.ts';
import type { PageScripts, ScriptElement } from '../scripts/script-elements.ts';

export interface SiteScriptsInput {
  assets: ExportAsset[];
  names: SafeNames;
  resolver: Resolver;
  site: StaticSite;
  /** The scripts of search and the assistant; undefined if the site does not want them. */
  reading: BuiltSiteScripts | undefined;
  folder: OutputFolder;
  /** Files in the export by their external URLs. */
  vendored: Map<string, string>;
  problems: Problem[];
  /** Whether files from external origins are vendored. */
  vendors: boolean;
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
  const { assets, names, resolver, site, reading, folder, vendored, problems } = input;
  const { base } = site;
  const entries = new Map<string, string>();
  const modules = new Set<string>();
  const symbols = new Set<string>();
  const inline = new Map<string, InlineModule>();
  const imports = new Map<string, string>();
  const paths = new Map(assets.map(({ path }) => [encodePath(names.asset(path)), path]));
  const starlight = { replaced: 0, kept: 0 };
  const searchModules = starlightSearchModules(assets);
  const isSearch = starlightSearchOf(assets);
  const assetOf = new Map(assets.map((asset) => [asset.path, asset]));
  const classic = classicScripts((path) => assetText(assetOf.get(path)!));

  return {
    edit({ path, html, language, docsVersion, searchLabel, scripts, search: positions, others }) {
      const file = names.page(path);
      const from = encodePath(file);
      const fileOf = (url: string): string | undefined => {
        if (isElsewhere(url)) return vendored.get(url)?.replace(/#.*$/, '');
        const target = resolver.resolve(url, path);
        return target.kind === 'file' ? target.file : undefined;
      };
      const moduleOf = (url: string): string | undefined => {
        const file = fileOf(url);
        if (file === undefined) return undefined;
        const asset = paths.get(file) ?? (file.startsWith(vendoredFolder) ? decode(file) : undefined);
        return asset === undefined ? undefined : `/${asset}`;
      };
      const own = { language, docsVersion, searchLabel, urlOf: (file: string) => relativeUrl(from, file) };
      const search = reading ? searchEdits(positions, own, site, reading.entry) : [];
      const isReplaced = ({ kind, src }: ScriptElement) => kind === 'module' && src && searchModules.has(moduleOf(src.value));
      const replaced = reading && positions.starlight ? scripts.scripts.filter(isReplaced) : [];
      const starlightSearch = reading && positions.starlight;
      // A module with other code still runs; without an element of that name, its search has no effect.
      const isShared = ({ kind, src, text }: ScriptElement) =>
        kind === 'module' && (src ? isSearch(moduleOf(src.value)) : isStarlightSearch(html.slice(text.start, text.end)));
      const isRenamed = starlightSearch && replaced.length === 0 && scripts.scripts.some(isShared);
      if (isRenamed)
        search.push(...starlightSearch.names.map(({ start, end }, i) => ({ start, end, text: i === 0 ? renamed : renamedEnd })));
      if (starlightSearch && (isRenamed || replaced.length > 0)) {
        for (const { start, end } of [...replaced, starlightSearch.dialog ?? []].flat()) search.push({ start, end, text: '' });
        starlight.replaced++;
      } else if (positions.starlight) starlight.kept++;
      const done = editScripts(
        { ...scripts, scripts: scripts.scripts.filter((script) => !replaced.includes(script)) },
        {
          html,
          file,
          url: base + from,
          bundle: relativeUrl(from, bundleFile),
          moduleOf,
          rewritten(url) {
            const target = resolver.resolve(url, path);
            if (target.kind !== 'file' && target.kind !== 'page') return undefined;
            return relativeUrl(from, target.file) + target.query + target.hash;
          },
          isOwn: (url) => !isElsewhere(url) || vendored.has(url),
          hasSearch: reading !== undefined,
          hasDownloads: input.vendors,
          isNewFile(url) {
            const target = resolver.resolve(url, path);
            const symbol = target.file + target.hash;
            return target.kind === 'file' && !symbols.has(symbol) && symbols.add(symbol) !== undefined;
          },
          placeholderStylesheet,
          copyOf(url) {
            const copy = vendored.get(url);
            return copy?.startsWith(vendoredFolder) ? relativeUrl(from, copy) : undefined;
          },
        },
        [...others, ...search],
      );
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
    isExcluded: (path) => starlight.replaced > 0 && starlight.kept === 0 && /^_?pagefind\//.test(path),
    async write() {
      for (const { name, text } of reading?.files ?? []) folder.write(`_carrel/${name}`, text);
      problems.push(...(await classic.problems()));
      if (entries.size === 0) return;
      const nameOf = (path: string) => names.asset(path);
      const vendoredText = (file: string) =>
        file.startsWith(vendoredFolder) && folder.files.has(file) ? folder.read(file) : undefined;
      const files = moduleFiles({ assets, nameOf, base, inline, imports, vendored, vendoredText });
      const { code, problems: found } = await bundleModules({ entries, files, base });
      problems.push(...found);
      folder.write(bundleFile, code);
    },
  };
}

/** Ids of the modules that are Starlight's search. */
function starlightSearchModules(assets: ExportAsset[]): Set<string | undefined> {
  const scripts = assets.filter(({ path }) => /(?:^|\/)Search\.astro[^/]*\.m?js$/.test(path));
  return new Set(scripts.filter((asset) => isStarlightSearch(assetText(asset))).map(({ path }) => `/${path}`));
}

/** Whether a module, by its id, contains Starlight's search among other code, as the bundles of Astro 4 do. */
function starlightSearchOf(assets: ExportAsset[]): (url: string | undefined) => boolean {
  const byUrl = new Map(assets.map((asset) => [`/${asset.path}`, asset]));
  const known = new Map<string, boolean>();
  return (url) => {
    const asset = url === undefined ? undefined : byUrl.get(url);
    if (url === undefined || asset === undefined) return false;
    if (!known.has(url)) known.set(url, isStarlightSearch(assetText(asset)));
    return known.get(url)!;
  };
}

// Starlight's stylesheet selects the element by its name.
const renamedEnd = 'carrel-site-search';
const renamed = `${renamedEnd} style="display:contents"`;
