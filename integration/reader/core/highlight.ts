import { markRanges } from '../../search/excerpt.ts';
import { element, mainContent } from '../shared/elements.ts';
import { adoptPageStyle, adoptStyle, colors, followScheme } from '../shared/style.ts';

const name = 'carrel-search';
const most = 400;

let clearButton: HTMLElement | undefined;

/** Highlights the words of the page that have these terms, in place of those highlighted before; Escape or a button with this label ends it. */
export function highlight(terms: string[], clearLabel: string): void {
  // The registry of highlights does not change the document. A browser without it shows none.
  if (typeof Highlight === 'undefined') return;
  const ranges = wordRanges(mainContent(), terms);
  if (!clearButton) {
    adoptPageStyle(`::highlight(${name}){background-color:#ffe27a;color:#1c1600}`);
    document.addEventListener('keydown', (event) => event.key === 'Escape' && clear());
    clearButton = createButton(clearLabel);
  }
  if (ranges.length === 0) return clear();
  CSS.highlights.set(name, new Highlight(...ranges));
  document.body.append(clearButton);
}

function clear(): void {
  CSS.highlights.delete(name);
  clearButton?.remove();
}

/** Words of code blocks are not highlighted: they have colors of their own. */
function wordRanges(content: Element, terms: string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text && ranges.length < most; text = texts.nextNode()) {
    if (text.parentElement?.closest('script, style, pre')) continue;
    for (const [start, end] of markRanges(text.nodeValue ?? '', terms)) {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, end);
      ranges.push(range);
    }
  }
  return ranges;
}

function createButton(label: string): HTMLElement {
  const host = element('div');
  const button = element('button', { type: 'button' }, label);
  button.addEventListener('click', clear);
  const root = host.attachShadow({ mode: 'open' });
  adoptStyle(root, style);
  followScheme(host);
  root.append(button);
  return host;
}

const style = `
${colors}
button {
  position: fixed; z-index: calc(var(--carrel-layer, 1000) - 1); inset-block-end: max(1rem, env(safe-area-inset-bottom)); inset-inline: 0;
  width: fit-content; margin-inline: auto; padding: 0.4rem 0.9rem; border: 1px solid var(--muted); border-radius: 2rem;
  background: var(--ground); color: var(--strong); font: 500 0.8125rem/1.5 system-ui, sans-serif; font-family: var(--carrel-font, inherit);
  box-shadow: 0 4px 16px rgb(0 0 0 / 18%); cursor: pointer;
}
button::before { content: ''; display: inline-block; width: 0.8em; height: 0.8em; margin-inline-end: 0.5em; border-radius: 0.2em; background: #ffe27a; vertical-align: -0.05em; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media print { button { display: none; } }
`;
