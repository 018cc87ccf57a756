import english from '../../texts/en.json' with { type: 'json' };
import type { Labels } from '../../texts/index.ts';
import { say, type OpenAsk, type SearchRequest } from '../shared/events.ts';
import { elementAt, element, keepKeys } from '../shared/elements.ts';
import { chosenArea, forgetSearches, recentSearches, rememberArea, rememberSearch } from './remembered.ts';
import { extend, resultList, whenSeen } from './result-list.ts';
import { hints, keysOf, noResults, queryGroup, variantName } from './empty-list.ts';
import { once } from '../../search/once.ts';
import { followScheme, adoptStyle } from '../shared/style.ts';
import { searchStyle } from './style.ts';
import { searcher, type Found, type Scope, type Searcher } from './searcher.ts';
import { loadLabels, loadSite, pageUrl, pageVariant, hasNewerSite } from '../core/site.ts';
import type { SiteData, SiteIndex } from '../core/site-data.ts';

// Each result loads a part of a file, and few readers scroll beyond the first ones.
const FIRST = 10;
const LIMIT = 20;
// Before search loads parts of the index, it waits for a pause in typing, in milliseconds: each letter of a word would load others.
const PAUSE = 90;
const englishLabels = { ...english.search, ...english.dialogs };
const storage = () => localStorage;

/**
 * `<carrel-search>`: search in a dialog, in a shadow tree with a stylesheet of its own, so that it looks the same in any theme. The page
 * colors it by custom properties named `--carrel-*` (shared/colors.ts).
 */
export class SearchDialog extends HTMLElement {
  #labels: Labels['search'] & Labels['dialogs'] = englishLabels;
  #ready?: Promise<{ site: SiteData; searcher: Searcher }>;
  #openAsk: OpenAsk | undefined;
  #active: HTMLElement | null = null;
  #movedByKey = false;
  /** An index of another language or version, for the query that finds nothing in its own. */
  #elsewhere: SiteIndex | undefined;
  #latest = 0;
  /** The latest query that found something. */
  #found = '';
  #timer = 0;

  #input = element('input', {
    type: 'text',
    role: 'combobox',
    'aria-controls': 'results',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    maxlength: '200',
  });
  /** The parts of the site that can be searched alone. */
  #areas = element('div', { role: 'radiogroup', class: 'areas' });
  #list = element('div', { role: 'listbox', id: 'results', part: 'results' });
  #message = element('p', { class: 'message' });
  #status = element('p', { role: 'status', class: 'hidden' });
  #others = element('input', { type: 'checkbox' });
  #othersText = element('span');
  #versions = element('label', {}, this.#others, this.#othersText);
  #ask = element('button', { type: 'button', class: 'ask' });
  #hints = element('div', { class: 'hints' });
  #keys = element('div', { class: 'keys', 'aria-hidden': 'true' });
  #help = element('button', { type: 'button', class: 'help' });
  #foot = element('div', { class: 'foot' }, this.#keys, this.#help, this.#versions, this.#ask);
  #clear = element('button', { type: 'button', class: 'clear' });
  #close = element('button', { type: 'button', class: 'close' });
  #dialog = element(
    'dialog',
    { part: 'dialog' },
    element('div', { class: 'field' }, this.#input, this.#close),
    this.#areas,
    this.#message,
    this.#list,
    this.#hints,
    this.#clear,
    this.#foot,
    this.#status,
  );

  connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    adoptStyle(root, searchStyle);
    followScheme(this);
    keepKeys(root);
    root.append(this.#dialog);
    this.#versions.hidden = this.#areas.hidden = this.#ask.hidden = true;
    this.#input.addEventListener('input', () => this.#searchSoon());
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    this.#others.addEventListener('change', () => void this.#search());
    this.#areas.addEventListener('change', () => {
      rememberArea(storage, this.#area());
      void this.#search();
    });
    this.#close.addEventListener('click', () => this.#dialog.close());
    this.#ask.addEventListener('click', () => this.#askInstead());
    // The page's own script opens the sheet of keys.
    this.#help.addEventListener('click', () => dispatchEvent(new KeyboardEvent('keydown', { key: '?' })));
    this.#clear.addEventListener('click', () => {
      forgetSearches(storage);
      this.#showRecent();
      this.#input.focus();
    });
    this.#list.addEventListener('pointermove', (event) => this.#activate(elementAt(event, '[role=option]')));
    this.#list.addEventListener('click', (event) => this.#onChoice(event));
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    this.#dialog.addEventListener('close', () => {
      document.documentElement.style.removeProperty('overflow');
      if (this.#found !== '') rememberSearch(storage, this.#found);
      say({ type: 'search-end' });
    });
  }

  /** Shows the dialog; a second call closes it. With `ask`, it has a button for Ask. */
  async open({ ask, text }: SearchRequest): Promise<void> {
    this.#openAsk = ask;
    if (this.#dialog.open) return this.#dialog.close();
    this.#applyLabels();
    document.documentElement.style.overflow = 'hidden';
    this.#dialog.showModal();
    if (text === '') this.#input.select();
    else {
      this.#input.value = text.slice(0, this.#input.maxLength);
      this.#searchSoon();
    }
    if (this.#input.value.trim() === '') this.#showRecent();
    try {
      await this.#prepare();
    } catch {
      this.#say(this.#labels.searchFailed);
    }
  }

  async #prepare() {
    this.#ready ??= loadSite().then(async (site) => {
      const { language, docsVersion } = pageVariant();
      this.#labels = { ...englishLabels, ...(await loadLabels(site, language)) };
      this.#applyLabels();
      return { site, searcher: searcher(site, language, docsVersion) };
    });
    this.#ready.catch(() => (this.#ready = undefined));
    const ready = await this.#ready;
    this.#versions.hidden = !ready.searcher.hasOtherVersions;
    return ready;
  }

  #askInstead() {
    this.#dialog.close();
    this.#openAsk?.({ text: this.#input.value.trim() });
  }

  #searchSoon() {
    this.#elsewhere = undefined;
    void this.#search(true);
  }

  async #search(isTyping = false): Promise<void> {
    const query = this.#input.value.trim();
    const turn = ++this.#latest;
    clearTimeout(this.#timer);
    // Where the next letter comes first, the search for this one never goes on.
    const pause = once(() => new Promise<void>((resolve) => (this.#timer = window.setTimeout(resolve, PAUSE))));
    const beforeLoading = isTyping ? () => pause('') : undefined;
    if (query === '') return this.#showRecent();
    try {
      const { site, searcher } = await this.#prepare();
      await this.#showAreas(site, searcher);
      const area = this.#elsewhere ? '' : this.#area();
      const scope = this.#elsewhere ?? (this.#others.checked ? 'all' : 'own');
      const chosen = { ...(area && { area }), ...(beforeLoading && { beforeLoading }) };
      const find = (limit: number) => searcher.search(query, scope, { limit, ...chosen });
      const siteOf = ({ page }: Found) => site.sites?.find(({ path }) => `${page}/`.startsWith(`${path}/`))?.title;
      const draw = (results: Found[]) =>
        resultList(results, {
          pageUrl: (page) => pageUrl(site, page),
          variantOf: scope === 'own' ? siteOf : ({ index }) => (scope === 'all' ? index.docsVersion : variantName(index)),
          moreText: (count) => this.#labels.searchMore.replace('{count}', String(count)),
          added: ([first = null]) => {
            this.#activate(first);
            this.#count();
          },
        });
      const results = await find(FIRST);
      // The reader has typed more in the meantime.
      if (turn !== this.#latest) return;
      say({ type: 'search', query, hits: results.length });
      this.#clear.hidden = this.#hints.hidden = true;
      this.#show(draw(results));
      if (results.length === 0) return await this.#offerOthers(query, turn, { searcher, scope, area });
      this.#message.hidden = true;
      this.#count();
      this.#activate(this.#options()[0] ?? null);
      this.#found = query;
      void this.#tellCorrection(query, turn, { searcher, first: results[0]! });
      if (results.length < FIRST) return;
      const showAll = async () => {
        const all = await find(LIMIT).catch(() => results);
        if (turn !== this.#latest || all.length === FIRST) return;
        extend(this.#list, draw(all));
        this.#count();
      };
      const last = this.#options().at(-1);
      if (last) whenSeen(last, () => void showAll());
    } catch {
      const ready = await this.#ready?.catch(() => undefined);
      const hasNewer = ready !== undefined && (await hasNewerSite(ready.site));
      if (turn !== this.#latest) return;
      if (hasNewer) {
        this.#ready = this.#elsewhere = undefined;
        return this.#search();
      }
      this.#show([]);
      this.#say(this.#labels.searchFailed);
    }
  }

  /** Says that the results are for another spelling. */
  async #tellCorrection(query: string, turn: number, { searcher, first }: { searcher: Searcher; first: Found }) {
    const meant = await searcher.corrected(query, first).catch(() => undefined);
    if (turn !== this.#latest || meant === undefined) return;
    this.#message.textContent = this.#labels.searchCorrected.replace('{query}', meant);
    this.#message.hidden = false;
  }

  /** After a search without results: similar words, other languages and versions, and Ask. */
  async #offerOthers(query: string, turn: number, { searcher, scope, area }: { searcher: Searcher; scope: Scope; area: string }) {
    this.#say(this.#labels.searchNoResults.replace('{query}', query));
    // They help, but the message is true without them.
    const [nearest, elsewhere] = await Promise.all([
      searcher.nearest(query).catch(() => []),
      searcher.elsewhere(query, area === '' ? scope : undefined).catch(() => []),
    ]);
    if (turn !== this.#latest) return;
    const searchIn = (index: SiteIndex) => {
      this.#elsewhere = index;
      const [all] = this.#areas.querySelectorAll('input');
      if (all) all.checked = true;
      this.#input.focus();
      void this.#search();
    };
    const ask = this.#openAsk && (() => this.#askInstead());
    this.#show(noResults({ query, nearest, elsewhere, ask, searchIn }, this.#labels));
    this.#activate(this.#options()[0] ?? null);
  }

  async #showAreas({ sites }: SiteData, searcher: Searcher) {
    const areas = await searcher.areas();
    if (this.#areas.hasChildNodes() || areas.length < 2) return;
    const remembered = chosenArea(storage);
    const chosen = areas.includes(remembered) ? remembered : '';
    this.#areas.replaceChildren(
      ...['', ...areas].map((area) => {
        const radio = element('input', { type: 'radio', name: 'area', value: area, ...(area === chosen && { checked: '' }) });
        const title = sites?.find(({ path }) => path === area)?.title ?? area;
        return element('label', {}, radio, title || this.#labels.searchAll);
      }),
    );
    this.#areas.hidden = false;
  }

  #area(): string {
    return this.#areas.querySelector<HTMLInputElement>(':checked')?.value ?? '';
  }

  #showRecent() {
    this.#latest++;
    const queries = recentSearches(storage);
    this.#message.hidden = true;
    this.#status.textContent = '';
    this.#clear.hidden = queries.length === 0;
    this.#hints.hidden = queries.length > 0;
    this.#show(queryGroup('recent', this.#labels.searchRecent, queries));
  }

  #show(groups: HTMLElement[]) {
    this.#list.replaceChildren(...groups);
    this.#list.hidden = groups.length === 0;
    // One way to Ask is enough: without results, it is in the list.
    this.#ask.hidden = !this.#openAsk || this.#list.querySelector('#ask-instead') !== null;
    this.#list.scrollTop = 0;
    this.#input.setAttribute('aria-expanded', String(groups.length > 0));
    this.#activate(null);
    this.#movedByKey = false;
  }

  #say(message: string) {
    this.#message.textContent = message;
    this.#message.hidden = false;
    this.#status.textContent = message;
  }

  #count() {
    const results = this.#options().filter((option) => option.matches('a')).length;
    // In the languages that we have, a number other than one has one form, or the text does not depend on it.
    const { searchOneResult, searchResults } = this.#labels;
    this.#status.textContent = results === 1 ? searchOneResult : searchResults.replace('{count}', String(results));
  }

  #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role=option]')];
  }

  #activate(option: HTMLElement | null) {
    this.#active?.setAttribute('aria-selected', 'false');
    this.#active = option;
    option?.setAttribute('aria-selected', 'true');
    if (option) this.#input.setAttribute('aria-activedescendant', option.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    const options = this.#options();
    const at = this.#active ? options.indexOf(this.#active) : -1;
    const to: Record<string, number | undefined> = {
      ArrowDown: (at + 1) % options.length,
      ArrowUp: at <= 0 ? options.length - 1 : at - 1,
      // While the reader types, these two keys move within the text.
      Home: this.#movedByKey ? 0 : undefined,
      End: this.#movedByKey ? options.length - 1 : undefined,
    };
    const next = options[to[event.key] ?? -1];
    if (next) {
      event.preventDefault();
      this.#movedByKey = true;
      this.#activate(next);
      next.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // With Ctrl or ⌘ it opens in a new tab, as by a click.
      const { ctrlKey, metaKey, shiftKey } = event;
      this.#active?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
    } else if (event.key !== 'Shift') {
      this.#movedByKey = false;
    }
  }

  #onChoice(event: MouseEvent) {
    const option = elementAt(event, '[role=option]');
    if (!option) return;
    const again = option.dataset['query'];
    if (again === undefined) {
      if (!option.matches('a')) return;
      rememberSearch(storage, this.#input.value.trim());
      say({ type: 'result', page: option.dataset['page'] ?? '' });
      // A result that opens in another tab does not close the dialog.
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) this.#dialog.close();
      return;
    }
    this.#input.value = again;
    this.#input.focus();
    this.#elsewhere = undefined;
    void this.#search();
  }

  #applyLabels() {
    const labels = this.#labels;
    this.#dialog.setAttribute('aria-label', labels.search);
    this.#input.setAttribute('aria-label', labels.search);
    this.#input.placeholder =
      document.querySelector<HTMLElement>('[data-carrel-search]')?.dataset['prompt'] ?? labels.searchPlaceholder;
    this.#list.setAttribute('aria-label', labels.search);
    this.#areas.setAttribute('aria-label', labels.searchIn);
    this.#close.setAttribute('aria-label', labels.close);
    this.#clear.textContent = labels.searchClear;
    this.#othersText.textContent = labels.searchOtherVersions;
    this.#ask.textContent = labels.askTitle;
    this.#hints.replaceChildren(...hints(labels));
    this.#keys.replaceChildren(...keysOf(labels).map(([key, text]) => element('span', {}, element('kbd', {}, key), text)));
    this.#help.replaceChildren(element('kbd', {}, '?'), labels.keys);
  }
}
