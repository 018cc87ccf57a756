import { markRanges } from '../../search/excerpt.ts';
import { mainContent } from '../shared/elements.ts';
import { adoptPageStyle } from '../shared/style.ts';

const most = 400;

let styled = false;

/** Highlights the words of the page that have these terms, in place of those highlighted before. */
export function highlight(terms: string[]): void {
  // The registry of highlights does not change the document. A browser without it shows none.
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.set('carrel-search', new Highlight(...wordRanges(mainContent(), terms)));
  if (styled) return;
  styled = true;
  adoptPageStyle('::highlight(carrel-search){background-color:#ffe27a;color:#1c1600}');
  document.addEventListener('keydown', (event) => event.key === 'Escape' && CSS.highlights.delete('carrel-search'));
}

function wordRanges(content: Element, terms: string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text && ranges.length < most; text = texts.nextNode()) {
    if (text.parentElement?.closest('script, style')) continue;
    for (const [start, end] of markRanges(text.nodeValue ?? '', terms)) {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, end);
      ranges.push(range);
    }
  }
  return ranges;
}
