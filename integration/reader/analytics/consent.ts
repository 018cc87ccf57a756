// Asks readers before web analytics: a bar until they choose, then a button in the footer that changes the choice.
import { element } from '../shared/elements.ts';
import { carrelFolder } from '../shared/loader.ts';
import { adoptStyle, colors, followScheme } from '../shared/style.ts';
import { consentIn } from './texts.ts';

export interface ConsentRequest {
  /** Providers whose scripts would be loaded; none where the analytics are the site's own. */
  names: string[];
  /** Called once the reader has agreed, on this page or an earlier one. */
  allowed(): void;
  /** Called when the reader has declined, on this page and each later one. */
  declined(): void;
}

type Choice = 'allowed' | 'declined';

/** Several sites may share an origin. */
const key = `carrel-analytics ${new URL(carrelFolder).pathname}`;

export function askConsent(request: ConsentRequest): void {
  const choice = storedChoice();
  if (choice === 'allowed') request.allowed();
  if (choice === 'declined') request.declined();
  const texts = consentIn(document.documentElement.lang);
  const change = element('button', { type: 'button' });
  let current = choice;
  const show = () => {
    change.textContent = current === 'allowed' ? texts.withdraw : texts.title;
    if (!change.isConnected) footer().append(shadowed(change, linkStyle));
  };
  const choose = (chosen: Choice) => {
    storeChoice(chosen);
    current = chosen;
    show();
    request[chosen]();
  };
  change.addEventListener('click', () => {
    if (current !== 'allowed') return openBar(request.names, choose, change);
    choose('declined');
    // Scripts that run already cannot be stopped otherwise.
    location.reload();
  });
  // The reader withdraws in another tab, or removes what the site has stored.
  addEventListener('storage', (event) => {
    if ((event.key === key || event.key === null) && current === 'allowed' && storedChoice() !== 'allowed') location.reload();
  });
  if (choice === undefined) openBar(request.names, choose);
  else show();
}

let bar: HTMLElement | undefined;

/** Shows the question. `opener` gets the focus back. */
function openBar(names: string[], choose: (choice: Choice) => void, opener?: HTMLElement): void {
  if (bar) return;
  const texts = consentIn(document.documentElement.lang);
  const list = new Intl.ListFormat(document.documentElement.lang || 'en', { type: 'conjunction' }).format(names);
  const question = names.length > 0 ? texts.question.replace('{names}', list) : texts.questionOwn;
  const close = (choice: Choice) => {
    bar?.remove();
    bar = undefined;
    page.replaceSync('');
    choose(choice);
    opener?.focus();
  };
  const decline = element('button', { type: 'button' }, texts.decline);
  const allow = element('button', { type: 'button' }, texts.allow);
  decline.addEventListener('click', () => close('declined'));
  allow.addEventListener('click', () => close('allowed'));
  const region = element(
    'div',
    { role: 'region', 'aria-label': texts.title },
    element('p', {}, question),
    element('div', { class: 'buttons' }, decline, allow),
  );
  bar = shadowed(region, barStyle);
  // Second in the page for keyboards, after the link that skips to the content.
  const skip = document.querySelector('.c-skip-link');
  if (skip) skip.after(bar);
  else document.body.prepend(bar);
  followScheme(bar);
  // The bar must cover neither the end of the page nor what has the focus.
  const height = region.getBoundingClientRect().height + 32;
  page.replaceSync(`@media screen { html { scroll-padding-block-end: ${height}px } body { padding-block-end: ${height}px } }`);
  if (opener) allow.focus();
}

const page = new CSSStyleSheet();
document.adoptedStyleSheets.push(page);

function shadowed(content: HTMLElement, style: string): HTMLElement {
  const host = element('div');
  const root = host.attachShadow({ mode: 'open' });
  document.body.append(host);
  adoptStyle(root, style);
  root.append(content);
  return host;
}

function footer(): Element {
  const found = document.querySelector('.c-footer-inner');
  if (found) return found;
  const inner = element('div', { class: 'c-footer-inner' });
  document.body.append(element('footer', { class: 'c-footer' }, inner));
  return inner;
}

function storedChoice(): Choice | undefined {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'allowed' || stored === 'declined' ? stored : undefined;
  } catch {
    return undefined;
  }
}

function storeChoice(choice: Choice): void {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Where the browser blocks storage, each page asks again.
  }
}

const linkStyle = `
@media print { :host { display: none !important; } }
button {
  padding: 0; border: 0; background: none; color: var(--muted, inherit); font: 400 0.875rem/1.5 system-ui, sans-serif;
  font-family: var(--carrel-font, inherit); text-decoration: underline; cursor: pointer; min-height: 1.5rem;
}
@media (pointer: coarse) { button { min-height: 2.75rem; } }
button:hover { color: var(--strong, inherit); }
button:focus-visible { outline: 2px solid var(--accent, currentColor); outline-offset: 2px; }
${colors}`;

const barStyle = `
${colors}
@media print { :host { display: none !important; } }
[role=region] {
  position: fixed; z-index: var(--carrel-layer, 1000); inset-block-end: 1rem; inset-inline: 1rem; max-width: 46rem; margin-inline: auto;
  display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 0.75rem 1rem; padding: 0.875rem 1rem;
  box-sizing: border-box; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--ground); color: var(--text);
  box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 0.2); font: 400 0.9375rem/1.5 system-ui, sans-serif; font-family: var(--carrel-font, inherit);
}
p { flex: 1 1 20rem; margin: 0; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button {
  min-height: 2.75rem; min-width: 6rem; padding: 0 1rem; border: 1px solid var(--muted); border-radius: 0.5rem; background: var(--ground);
  color: var(--strong); font: inherit; font-weight: 600; cursor: pointer;
}
button:hover { border-color: var(--strong); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
