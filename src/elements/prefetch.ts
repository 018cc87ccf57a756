import { elementAt } from '../../integration/reader/shared/elements.ts';
import { carrelFolder } from '../../integration/reader/shared/loader.ts';

/**
 * Loads the page behind a link that the reader points at or focuses, so that it opens at once.
 * Speculation rules are inline scripts, which the content security policies of hosts do not allow.
 */
export function prefetchPages(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (location.protocol === 'file:' || connection?.saveData) return;
  const root = new URL('..', carrelFolder).href;
  let timer = 0;
  const onLink = (event: Event) => {
    clearTimeout(timer);
    const [href = ''] = elementAt<HTMLAnchorElement>(event, 'a[href]')?.href.split(/[?#]/) ?? [];
    if (!href.startsWith(root) || !href.endsWith('.html') || location.href.startsWith(href)) return;
    // A pointer that only crosses a link requests nothing.
    timer = window.setTimeout(
      () => document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href })),
      65,
    );
  };
  for (const type of ['pointerover', 'focusin']) addEventListener(type, onLink);
}
