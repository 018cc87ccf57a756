import { elementAt } from '../../integration/reader/shared/element-at.ts';

/** Arrow keys in file trees: up and down between entries, towards the text to open a folder, back to close it. */
export function walkTrees(): void {
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
