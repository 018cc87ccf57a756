// The deferred script of the pages of a built site: search and Ask, loaded on first use, each in a shadow tree of its own.
import { installAsk } from './open-ask.ts';
import { installRecording } from './open-recording.ts';
import { highlightTerms, installSearch, SEARCH_BUTTON, searchIsOff } from './open-search.ts';
import { SearchButton } from './search-button.ts';
import { isApple } from './shared/is-apple.ts';

/** The export's settings, which are attributes of this script's element (static-site/search-edits.ts). */
const { search = 'off', label = 'Search' } = document.currentScript?.dataset ?? {};
// Also Starlight's own button, where the export could not remove its dialog, that of DocSearch, which sends queries to its host, and those of
// VitePress.
const buttons = `${SEARCH_BUTTON}, site-search button[data-open-modal], .DocSearch-Button, .VPNavBarSearch button, .VPNavBarSearchButton`;

const ask = installAsk();
installSearch(buttons, ask);
void highlightTerms();
installRecording();
installOptionLinks();

customElements.define('carrel-search-button', SearchButton);
offerButton();
// After a site has replaced the page by script.
document.addEventListener('astro:after-swap', offerButton);

/** Enables the site's own buttons, which do nothing without script. A site without one gets a small one in the corner. */
function offerButton(): void {
  if (searchIsOff()) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>(SEARCH_BUTTON)) {
    button.disabled = false;
    if (isApple) for (const key of button.querySelectorAll<HTMLElement>('[data-mac]')) key.textContent = key.dataset['mac'] ?? '';
  }
  if (search !== 'button' || document.querySelector(`${buttons}, carrel-search-button`)) return;
  const button = document.createElement('carrel-search-button');
  button.setAttribute('corner', '');
  button.setAttribute('label', label);
  document.body.append(button);
}

/** Opens the page of a selected option that the export has given one, in place of what a script of the site would do. */
function installOptionLinks(): void {
  addEventListener(
    'change',
    (event) => {
      const select = event.composedPath()[0];
      const url = select instanceof HTMLSelectElement ? select.selectedOptions[0]?.dataset['carrelPage'] : undefined;
      if (url === undefined) return;
      event.stopImmediatePropagation();
      location.assign(url);
    },
    // In the capture phase, so before any listener of the page.
    true,
  );
}
