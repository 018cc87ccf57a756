import { element } from '../../integration/reader/shared/elements.ts';
import { adoptPageStyle } from '../../integration/reader/shared/style.ts';

/** More are better printed as a book. */
const MOST_PAGES = 100;

/** The pages of the section of the sidebar that has this page, if they can be printed as one: a page from disk cannot read another. */
export function sectionPages(): string[] {
  const list = document.querySelector('.c-navigation a[aria-current=page]')?.closest('ul');
  const links = [...(list?.querySelectorAll('a') ?? [])].filter(({ origin }) => origin === location.origin);
  const pages = [...new Set(links.map(({ origin, pathname }) => origin + pathname))];
  return location.protocol !== 'file:' && pages.length > 1 && pages.length <= MOST_PAGES ? pages : [];
}

/** Prints pages one after another, as this one is printed. */
export async function printPages(pages: string[]): Promise<void> {
  const contents = await Promise.all(pages.map(contentOf));
  const all = element('div', { class: 'c-print-pages' }, ...contents);
  adoptPageStyle(style);
  document.querySelector('main')!.after(all);
  await Promise.all([...all.querySelectorAll('img')].map((image) => image.decode().catch(() => {})));
  addEventListener('afterprint', () => all.remove(), { once: true });
  print();
}

const style = `
.c-print-pages { display: none }
@media print {
  main:has(+ .c-print-pages) { display: none }
  .c-print-pages { display: block }
  .c-print-pages > * + * { break-before: page }
}`;

async function contentOf(url: string, number: number): Promise<Element> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const { head, body } = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const sheet of head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    const href = new URL(sheet.getAttribute('href')!, url).href;
    if ([...document.styleSheets].some((known) => known.href === href)) continue;
    const added = element('link', { rel: 'stylesheet', href });
    document.head.append(added);
    await new Promise((loaded) => (added.onload = added.onerror = loaded));
  }
  const main = body.querySelector('main')!;
  // The parts of a drawing refer to each other by ids, which drawings of other pages have, too.
  for (const drawing of main.querySelectorAll('svg'))
    drawing.outerHTML = drawing.outerHTML.replaceAll(/( id="|url\((?:&quot;)?#)/g, `$1${number}-`);
  for (const name of ['src', 'href'])
    for (const one of main.querySelectorAll(`[${name}]`)) {
      // A print shows the URLs of links to other sites.
      const { href } = new URL(one.getAttribute(name)!, url);
      one.setAttribute(name, href.startsWith(`${location.origin}/`) ? href.slice(location.origin.length) : href);
    }
  for (const image of main.querySelectorAll('img')) image.loading = 'eager';
  for (const one of main.querySelectorAll('script')) one.remove();
  const content = element('article', {}, ...document.adoptNode(main).childNodes);
  for (const one of content.querySelectorAll('[id]:not(svg, svg *)')) one.removeAttribute('id');
  return content;
}
