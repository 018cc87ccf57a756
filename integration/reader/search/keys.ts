// The script of the sheet of keys, loaded on first use.
import english from '../../texts/en.json' with { type: 'json' };
import { loadLabels, loadSite, pageVariant } from '../core/site.ts';
import { element, keepKeys } from '../shared/elements.ts';
import { isApple } from '../shared/is-apple.ts';
import type { OpenAsk } from '../shared/events.ts';
import { adoptStyle, followScheme } from '../shared/style.ts';
import { keysOf } from './empty-list.ts';
import { searchStyle } from './style.ts';

const style = `${searchStyle}
dialog { width: min(26rem, calc(100vw - 2rem)) !important; height: fit-content !important; margin: min(10vh, 6rem) auto auto !important; border-radius: 0.9rem !important; }
.head, p { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
.head { padding: 0.85rem 1.25rem; border-bottom: 1px solid var(--line); }
.list { padding: 0.6rem 1.25rem; overflow-y: auto; }
h2, h3, p { margin: 0; }
h2 { color: var(--strong); font-size: 1rem; font-weight: 650; }
h3 { margin-top: 0.6rem; padding-top: 0.6rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
p { padding-block: 0.3rem; }
kbd { margin-inline: 0.4em 0; color: var(--strong); font-size: 0.8125rem; direction: ltr; }
`;

const host = document.createElement('carrel-keys');
const title = element('h2', { id: 'title' });
const close = element('button', { type: 'button', class: 'close' });
const list = element('div', { class: 'list' });
const dialog = element('dialog', { 'aria-labelledby': 'title' }, element('div', { class: 'head' }, title, close), list);
dialog.addEventListener('click', ({ target }) => (target === dialog || target === close) && dialog.close());

/** Shows the keys of the page in a dialog, or closes it. */
export async function keys(ask?: OpenAsk): Promise<void> {
  if (dialog.open) return dialog.close();
  // A site that replaces the page by script removes the body.
  if (!host.isConnected) document.body.append(host);
  if (!host.shadowRoot) {
    const root = host.attachShadow({ mode: 'open' });
    adoptStyle(root, style);
    followScheme(host);
    keepKeys(root);
    root.append(dialog);
  }
  const labels = { ...english.search, ...english.dialogs };
  show(labels, ask !== undefined);
  dialog.showModal();
  // Without the labels of the site, it is in English.
  const site = await loadSite().catch(() => undefined);
  if (site) show({ ...labels, ...(await loadLabels(site, pageVariant().language).catch(() => ({}))) }, ask !== undefined);
}

function show(labels: typeof english.search & typeof english.dialogs, hasAsk: boolean): void {
  const command = isApple ? '⌘' : 'Ctrl';
  const row = (text: string, ...names: string[]) =>
    element('p', {}, text, element('span', {}, ...names.map((key) => element('kbd', {}, key))));
  const [move, open, end] = keysOf(labels).map(([key, text]) => row(text, key));
  title.textContent = labels.keys;
  close.setAttribute('aria-label', labels.close);
  list.replaceChildren(
    row(labels.search, `${command} K`, '/'),
    ...(hasAsk ? [row(labels.askTitle, `${command} I`)] : []),
    row(labels.keys, '?'),
    end!,
    element('h3', {}, labels.search),
    move!,
    open!,
  );
}
