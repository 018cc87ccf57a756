// Starlight's own search fetches Pagefind's index, so it does nothing on file://: on pages with our search, its script is removed.
import { assetText, type ExportAsset } from '../page/asset.ts';
import type { ScriptElement } from '../scripts/script-elements.ts';
import type { Edit } from '../text/edit.ts';
import type { SearchPositions } from './search-positions.ts';

interface ScriptedPage {
  html: string;
  scripts: ScriptElement[];
  /** Id of the module that a URL on the page names. */
  moduleOf(url: string): string | undefined;
}

/** Replaces the search of pages one after another, and counts whether any page keeps it. */
export function starlightSearch(assets: ExportAsset[]) {
  const searchModules = modulesOfSearch(assets);
  const isSearch = searchAmongCode(assets);
  const pages = { replaced: 0, kept: 0 };
  return {
    /** Whether all pages that had the search have ours now. */
    isReplaced: () => pages.replaced > 0 && pages.kept === 0,
    /** Adds the edits of a page; returns the scripts that they remove. */
    replace(at: SearchPositions['starlight'], { html, scripts, moduleOf }: ScriptedPage, edits: Edit[]): ScriptElement[] {
      if (!at) return [];
      const replaced = scripts.filter(({ kind, src }) => kind === 'module' && src && searchModules.has(moduleOf(src.value)));
      // A module with other code still runs; without an element of that name, its search has no effect.
      const isShared = ({ kind, src, text }: ScriptElement) =>
        kind === 'module' && (src ? isSearch(moduleOf(src.value)) : isStarlightSearch(html.slice(text.start, text.end)));
      const isRenamed = replaced.length === 0 && scripts.some(isShared);
      if (!isRenamed && replaced.length === 0) {
        pages.kept++;
        return [];
      }
      if (isRenamed) edits.push(...at.names.map(({ start, end }, i) => ({ start, end, text: i === 0 ? renamed : renamedEnd })));
      for (const { start, end } of [...replaced, at.dialog ?? []].flat()) edits.push({ start, end, text: '' });
      pages.replaced++;
      return replaced;
    },
  };
}

/** Whether a module is the script of Starlight's search. */
export function isStarlightSearch(code: string): boolean {
  return /customElements\.define\(\s*["'`]site-search["'`]/.test(code) && code.includes('pagefind');
}

/** Ids of the modules that are Starlight's search. */
function modulesOfSearch(assets: ExportAsset[]): Set<string | undefined> {
  const scripts = assets.filter(({ path }) => /(?:^|\/)Search\.astro[^/]*\.m?js$/.test(path));
  return new Set(scripts.filter((asset) => isStarlightSearch(assetText(asset))).map(({ path }) => `/${path}`));
}

/** Whether a module, by its id, contains Starlight's search among other code, as the bundles of Astro 4 do. */
function searchAmongCode(assets: ExportAsset[]): (id: string | undefined) => boolean {
  const byId = new Map(assets.map((asset) => [`/${asset.path}`, asset]));
  const known = new Map<string, boolean>();
  return (id) => {
    const asset = id === undefined ? undefined : byId.get(id);
    if (id === undefined || asset === undefined) return false;
    if (!known.has(id)) known.set(id, isStarlightSearch(assetText(asset)));
    return known.get(id)!;
  };
}

// Starlight's stylesheet selects the element by its name.
const renamedEnd = 'carrel-site-search';
const renamed = `${renamedEnd} style="display:contents"`;
