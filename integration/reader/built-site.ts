// The deferred script of a page that another theme than ours made: search and ask, loaded on first use, each in a shadow tree of its own.
import { installAsk } from './open-ask.ts';
import { highlightTerms } from './highlight-terms.ts';
import { installSearch, SEARCH_BUTTON } from './open-search.ts';
import { installPageChoice } from './option-links.ts';
import { isApple, SiteButton } from './search-button.ts';

/** What the export says in the attributes of this script's element: `guest/search-edits.ts`. */
const { search, label = 'Search' } = document.currentScript!.dataset;
// Starlight's own button, where the export could not take its dialog away, and DocSearch's, which asks its host for what it finds.
const buttons = `${SEARCH_BUTTON}, site-search button[data-open-modal], .DocSearch-Button`;

const ask = installAsk();
installSearch(buttons, document.querySelector('[data-carrel-ask]') ? undefined : ask);
void highlightTerms();
installPageChoice();

customElements.define('carrel-search-button', SiteButton);
offerButton();
// A site that puts in the next page by script.
document.addEventListener('astro:after-swap', offerButton);

/** Enables the site's own buttons, which do nothing without script; where it has none, there is a small one in the corner. */
function offerButton(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(SEARCH_BUTTON)) {
    button.disabled = false;
    if (isApple) for (const key of button.querySelectorAll<HTMLElement>('[data-mac]')) key.textContent = key.dataset['mac']!;
  }
  if (search !== 'button' || document.querySelector(`${buttons}, carrel-search-button`)) return;
  const button = document.createElement('carrel-search-button');
  button.setAttribute('corner', '');
  button.setAttribute('label', label);
  document.body.append(button);
}
