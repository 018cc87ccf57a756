import { element, mainContent } from '../shared/elements.ts';
import type { AskContext } from '../shared/events.ts';

const PAUSE = 250;
const MOST = 20_000;

/** Adds a button at the end of selected text and one in each code block, which ask about them. */
export function offerAsk(ask: (about: AskContext) => void): void {
  const label = document.documentElement.dataset['carrelAskAbout'] ?? 'Ask about this';
  const button = element('button', { type: 'button', class: 'c-ask-selection' }, label);
  // Pressing a button would clear the selection.
  button.addEventListener('pointerdown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    const about = selectedText();
    button.remove();
    if (about) ask(about);
  });
  let timer = 0;
  document.addEventListener('selectionchange', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => placeAtSelection(button), PAUSE);
  });
  addEventListener('scroll', () => button.remove(), { passive: true });
  // A click into the text focuses the main content, and Tab would go to its first link instead.
  document.addEventListener('keydown', (event) => {
    const { activeElement } = document;
    if (event.key !== 'Tab' || event.shiftKey || activeElement === button || !activeElement?.contains(button)) return;
    event.preventDefault();
    button.focus();
  });
  for (const figure of mainContent().querySelectorAll<HTMLElement>('figure.c-code')) {
    const code = figure.querySelector('pre code');
    const block = code?.closest('pre');
    if (!code || !block) continue;
    const own = element('button', { type: 'button', class: 'c-ask', 'aria-label': label, title: label });
    own.addEventListener('click', () => ask(contextOf('code', code.textContent, code)));
    block.before(own);
  }
}

/** The text that is selected in the main content, if any. */
export function selectedText(): AskContext | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim() ?? '';
  if (!selection?.anchorNode || text.length < 2 || !mainContent().contains(selection.anchorNode)) return undefined;
  return contextOf('textSelection', text, selection.anchorNode);
}

function contextOf(type: AskContext['type'], value: string, node: Node): AskContext {
  const before = [...mainContent().querySelectorAll(':is(h1, h2, h3, h4, h5, h6)[id]')].filter(
    (heading) => heading.contains(node) || heading.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const elementId = before.at(-1)?.getAttribute('id');
  return { type, value: value.slice(0, MOST), ...(elementId ? { elementId } : {}) };
}

// The button is added to the block in which the selection ends, so that Tab goes on from there, and shown at the end of the selection.
function placeAtSelection(button: HTMLElement): void {
  if (button.matches(':focus')) return;
  button.remove();
  const range = selectedText() && getSelection()?.getRangeAt(0);
  if (!range) return;
  const last = range.endContainer;
  const block =
    (last instanceof Element ? last : last.parentElement)?.closest('p, li, td, th, dd, h1, h2, h3, h4, h5, h6, figure') ??
    mainContent();
  (mainContent().contains(block) ? block : mainContent()).append(button);
  const lines = range.getClientRects();
  const end = lines[lines.length - 1] ?? range.getBoundingClientRect();
  const { width, height } = button.getBoundingClientRect();
  const below = end.bottom + 8 + height < innerHeight;
  button.style.top = `${Math.max(8, below ? end.bottom + 8 : end.top - height - 8)}px`;
  button.style.left = `${Math.max(8, Math.min(end.right - width / 2, document.documentElement.clientWidth - width - 8))}px`;
}
