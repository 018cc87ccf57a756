import { markRanges } from '../../search/excerpt.ts';

const MOST = 400;

let styled = false;

/** Marks the words of the page that have these terms, in place of those marked before. */
export function markWords(terms: string[]): void {
  // The highlight registry leaves the document alone; a browser without it shows no marks.
  if (typeof Highlight === 'undefined') return;
  const content = document.querySelector('[data-carrel-content]') ?? document.querySelector('main') ?? document.body;
  CSS.highlights.set('carrel-search', new Highlight(...wordRanges(content, terms)));
  if (styled) return;
  styled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('::highlight(carrel-search){background-color:#ffe27a;color:#1c1600}');
  document.adoptedStyleSheets.push(sheet);
  document.addEventListener('keydown', (event) => event.key === 'Escape' && CSS.highlights.delete('carrel-search'));
}

function wordRanges(content: Element, terms: string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text && ranges.length < MOST; text = texts.nextNode()) {
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
