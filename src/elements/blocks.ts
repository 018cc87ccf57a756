// What few pages need: arrow keys in file trees, and links to lines of code (`#code-2:L3-L5`).
import { elementAt, mainContent } from '../../integration/reader/shared/elements.ts';
import { adoptPageStyle } from '../../integration/reader/shared/style.ts';
import { reveal } from './reveal.ts';

const highlighted = 'sk-line-highlighted';
let marked: Element[] = [];

/** Marks the lines that the URL's hash names in the code blocks of the page, counted from 1; none if there are no such lines. */
function markLines(position: ScrollLogicalPosition = 'center'): void {
  for (const line of marked) line.classList.remove(highlighted);
  const [, block, from, to = from] = /^#code-(\d+):L(\d+)(?:-L?(\d+))?$/.exec(location.hash) ?? [];
  const code = codeBlocks()[Number(block) - 1]?.querySelector('code');
  const [first, last] = [Number(from), Number(to)];
  const count = (code?.textContent ?? '').replace(/\n$/, '').split('\n').length;
  const lines = code && first > 0 && first <= last && last <= count ? linesOf(code).slice(first - 1, last) : [];
  // Those that the author has highlighted stay so.
  marked = lines.filter((line) => !line.classList.contains(highlighted));
  for (const line of marked) line.classList.add(highlighted);
  if (!lines[0]) return;
  reveal(lines[0]);
  lines[0].closest('.c-code')?.querySelector<HTMLElement>('.c-code-more[aria-expanded=false]')?.click();
  lines[0].scrollIntoView({ block: position });
}

function codeBlocks(): Element[] {
  return [...mainContent().querySelectorAll('.c-code')];
}

/** The elements of the lines, which the export makes where the author marks or numbers some. Each line's colors are elements within it. */
function linesOf(code: Element): Element[] {
  if (!code.querySelector('.sk-line'))
    code.innerHTML = code.innerHTML
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `<span class="sk-line">${line}\n</span>`)
      .join('');
  return [...code.querySelectorAll('.sk-line')];
}

/** A click on a number of a line makes the link to that line; with Shift, to the lines from the one that is marked. */
function linkNumbers(): void {
  adoptPageStyle('.c-code-numbers .sk-line::before{cursor:pointer}');
  document.addEventListener('click', (event) => {
    const line = elementAt(event, '.c-code-numbers .sk-line');
    const code = line?.parentElement;
    if (!line || !code) return;
    // The number is generated content before the text.
    const text = new Range();
    text.selectNodeContents(line);
    if (event.clientX >= text.getBoundingClientRect().left) return;
    const lines = linesOf(code);
    const numbers = [line, (event.shiftKey && marked[0]?.parentElement === code && marked[0]) || line].map(
      (one) => lines.indexOf(one) + 1,
    );
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    const block = codeBlocks().indexOf(line.closest('.c-code')!) + 1;
    history.replaceState(null, '', `#code-${block}:L${first}${last > first ? `-L${last}` : ''}`);
    markLines('nearest');
  });
}

/** Arrow keys in file trees: up and down between entries, toward the text to open a folder, back to close it. */
function walkTrees(): void {
  document.addEventListener('keydown', (event) => {
    const summary = elementAt(event, '.c-tree summary');
    const tree = summary?.closest('.c-tree');
    const folder = summary?.parentElement;
    if (!summary || !tree || !(folder instanceof HTMLDetailsElement)) return;
    const open = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const close = open === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const visible = [...tree.querySelectorAll<HTMLElement>('summary')].filter((each) => each.offsetParent !== null);
    const at = visible.indexOf(summary);
    const to: Record<string, HTMLElement | undefined> = { ArrowDown: visible[at + 1], ArrowUp: visible[at - 1] };
    if (event.key === open) folder.open = true;
    else if (event.key === close) folder.open = false;
    else if (event.key in to) to[event.key]?.focus();
    else return;
    event.preventDefault();
  });
}

walkTrees();
linkNumbers();
markLines();
addEventListener('hashchange', () => markLines());
