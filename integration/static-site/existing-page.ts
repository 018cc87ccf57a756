// What a page of an existing site can contain and a page of our own theme never does.
import type { PageObserver } from '../page/scan-page.ts';
import type { ScannedPage } from '../page/page-types.ts';
import { scriptReader, type PageScripts } from '../scripts/read-scripts.ts';
import { needsServer, type NeedsServer } from './needs-server.ts';
import { pageChoice, type PageChoice } from './option-links.ts';
import { searchPlaceReader, type SearchPlaces } from './search-positions.ts';
import { svgUses, type SvgUse } from './svg-symbols.ts';

/** Plain data: threads send it to each other. */
export interface ExistingPage {
  scripts: PageScripts;
  search: SearchPlaces;
  /** What only a server could answer. */
  needsServer: NeedsServer[];
  /** SVG symbols of other files. */
  uses: SvgUse[];
  /** Options that may be links to pages. */
  choices: PageChoice[];
}

export interface ReadExistingPage extends ScannedPage {
  existing: ExistingPage;
}

/** Collects this while a page is scanned. */
export function existingPageObserver(): PageObserver & { found(): ExistingPage } {
  const scripts = scriptReader();
  const search = searchPlaceReader();
  const uses = svgUses();
  const served: NeedsServer[] = [];
  const choices: PageChoice[] = [];
  return {
    open(tag) {
      scripts.open(tag);
      search.open(tag);
      uses.open(tag);
      const needs = needsServer(tag);
      if (needs) served.push(needs);
      const choice = pageChoice(tag);
      if (choice) choices.push(choice);
    },
    close(name, start, end) {
      scripts.close(name, start, end);
      search.close(name, start, end);
      uses.close(name, end);
    },
    found: () => ({ scripts: scripts.scripts(), search: search.places(), needsServer: served, uses: uses.found(), choices }),
  };
}
