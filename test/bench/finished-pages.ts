import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { markdownToHtml } from 'satteri';
import { generatePages, type GeneratedPage } from './generate-docs.ts';

const links = 400;

/**
 * Writes a finished site as other programs make them: pages of about 70 KB, of which most is what stands around the content: a head,
 * a sidebar of 400 links, headings' anchors, a footer. Every page carries one style sheet and one module script.
 */
export async function writeFinishedSite(folder: string, count: number): Promise<void> {
  const pages = generatePages(count);
  const titles = pages.map(titleOf);
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  await writeFile(path.join(folder, 'assets/site.css'), 'body { margin: 0 } main { max-width: 45rem }\n');
  await writeFile(path.join(folder, 'assets/site.js'), 'document.documentElement.dataset.ready = "yes";\n');
  for (const [index, page] of pages.entries()) {
    const file = path.join(folder, page.path, 'index.html');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, html(page, titles[index]!, sidebar(pages, titles, index)));
  }
  const home = { path: 'index', markdown: pages[0]!.markdown };
  await writeFile(path.join(folder, 'index.html'), html(home, 'Bench', sidebar(pages, titles, 0)));
}

function titleOf({ markdown }: GeneratedPage): string {
  return /^title: (.*)$/m.exec(markdown)![1]!;
}

function sidebar(pages: GeneratedPage[], titles: string[], current: number): string {
  const first = Math.max(0, Math.min(current - links / 2, pages.length - links));
  const entries = pages.slice(first, first + links).map((page, index) => {
    const isCurrent = first + index === current ? ' aria-current="page"' : '';
    return `<li class="sidebar-entry large"><a class="sidebar-link astro-abcdefgh"${isCurrent} href="/${page.path}/"><span class="astro-abcdefgh">${titles[first + index]}</span></a></li>`;
  });
  return `<nav class="sidebar" aria-label="Main"><ul class="top-level">${entries.join('')}</ul></nav>`;
}

function html({ markdown }: GeneratedPage, title: string, nav: string): string {
  const content = markdownToHtml(markdown.replace(/^---\n[\s\S]*?\n---\n/, ''), {}).html.replace(
    /<h2>(.*?)<\/h2>/g,
    (_, text: string) => {
      const id = text.replace(/\W+/g, '-').toLowerCase();
      return `<div class="heading-wrapper"><h2 id="${id}">${text}</h2><a class="anchor-link" href="#${id}"><svg aria-hidden="true" width="16" height="16" viewBox="0 0 24 24"><path fill="currentColor" d="M12 3v18M3 12h18"></path></svg></a></div>`;
    },
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Bench</title><link rel="stylesheet" href="/assets/site.css"><script type="module" src="/assets/site.js"></script></head><body><header><a href="/">Bench</a><div id="search"></div></header>${nav}<main data-pagefind-body><h1 id="_top">${title}</h1>${content}</main><footer><a href="https://example.com/">Made here</a></footer></body></html>\n`;
}
