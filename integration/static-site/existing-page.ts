// What a page of an existing site can contain and a page of our own theme never does.
import type { PageObserver } from '../page/scan-page.ts';
import type { PageLink, ScannedPage } from '../page/page-types.ts';
import { scriptReader, type PageScripts } from '../scripts/script-elements.ts';
import { needsServer, type NeedsServer } from './needs-server.ts';
import { optionLink, type OptionLink } from './option-links.ts';
import type { AppEdits } from './page-apps.ts';
import { searchPositionReader, type SearchPositions } from './search-positions.ts';
import { svgUses, type SvgUse } from './svg-symbols.ts';

/** Plain data: threads send it to each other. */
export interface ExistingPage {
  scripts: PageScripts;
  search: SearchPositions;
  /** What only a server could answer. */
  needsServer: NeedsServer[];
  /** SVG symbols of other files. */
  uses: SvgUse[];
  /** For its client application, if it has one; further edits come after these. */
  app: AppEdits;
  /** Options that may be links to pages. */
  optionLinks: OptionLink[];
}

export interface ReadExistingPage extends ScannedPage {
  links: PageLink[];
  existing: ExistingPage;
}

/** Collects this while a page is scanned. */
export function existingPageObserver(): PageObserver & { found(): Omit<ExistingPage, 'app'> } {
  const scripts = scriptReader();
  const search = searchPositionReader();
  const uses = svgUses();
  const served: NeedsServer[] = [];
  const optionLinks: OptionLink[] = [];
  return {
    open(tag) {
      scripts.open(tag);
      search.open(tag);
      uses.open(tag);
      const needs = needsServer(tag);
      if (needs) served.push(needs);
      const link = optionLink(tag);
      if (link) optionLinks.push(link);
    },
    close(name, start, end) {
      scripts.close(name, start, end);
      search.close(name, start, end);
      uses.close(name, end);
    },
    found: () => ({
      scripts: scripts.scripts(),
      search: search.positions(),
      needsServer: served,
      uses: uses.found(),
      optionLinks,
    }),
  };
}
