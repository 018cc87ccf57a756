import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { close as closePagefind, createIndex } from 'pagefind';
import type { Section } from '../../integration/search/index-options.ts';
import { groupByPage } from '../../integration/search/index.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import { serveFolder } from '../support/serve-folder.ts';
import type { OpenEngine } from './engine.ts';

/** What is used of Pagefind's script. */
interface PagefindScript {
  search(query: string): Promise<{ results: { data(): Promise<{ sub_results: { url: string; locations: number[] }[] }> }[] }>;
}

/** Pagefind over pages of HTML with the sections as headings and text, asked in Chromium, where alone it runs. */
export const openPagefind: OpenEngine = async ({ sections, language, scratch }) => {
  const folder = await mkdtemp(path.join(scratch, 'pagefind-'));
  const { index, errors } = await createIndex({ forceLanguage: language });
  if (!index) throw new Error(`Pagefind did not start: ${errors.join('; ')}`);
  const byUrl = new Map<string, Section>();
  for (const [page, { results }] of groupByPage(sections).entries()) {
    const url = `/${page}/`;
    byUrl.set(url, results[0]!);
    results.forEach((section, number) => byUrl.set(`${url}#s${number}`, section));
    const added = await index.addHTMLFile({ url, content: html(language, results) });
    if (added.errors.length > 0) throw new Error(`Pagefind did not index ${results[0]!.page}: ${added.errors.join('; ')}`);
  }
  const written = await index.writeFiles({ outputPath: path.join(folder, 'pagefind') });
  await closePagefind();
  if (written.errors.length > 0) throw new Error(`Pagefind wrote no index: ${written.errors.join('; ')}`);
  await writeFile(path.join(folder, 'index.html'), `<!doctype html><html lang="${language}"><title>Search</title></html>`);
  const served = await serveFolder(folder);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const tab = await browser.newPage();
  await tab.goto(served.address);
  return {
    async search(question) {
      const urls = await tab.evaluate(async (query) => {
        const { search } = (await import(`${location.origin}/pagefind/pagefind.js`)) as PagefindScript;
        const { results } = await search(query);
        const pages = await Promise.all(results.slice(0, 10).map((result) => result.data()));
        // Of a page, its own interface shows the three sections with the most matches.
        return pages.flatMap(({ sub_results: found }) =>
          [...found]
            .sort((a, b) => b.locations.length - a.locations.length)
            .slice(0, 3)
            .map(({ url }) => url),
        );
      }, question);
      return urls.flatMap((url) => byUrl.get(url) ?? []);
    },
    async close() {
      await browser.close();
      await served.close();
    },
  };
};

function html(language: string, sections: Section[]): string {
  const parts = sections.map(({ title, headings, text, code }, number) => {
    const level = Math.min(6, headings.length + 1);
    // Pagefind lists no section whose heading is empty, as that of a question is.
    const name = (headings.at(-1) ?? title) || '§';
    const heading = `<h${level} id="s${number}">${escapeHtml(name)}</h${level}>`;
    return `${heading}\n<p>${escapeHtml(text)}</p>\n${code === '' ? '' : `<pre><code>${escapeHtml(code)}</code></pre>`}`;
  });
  const title = escapeHtml(sections[0]?.title ?? '');
  return `<!doctype html><html lang="${language}"><head><title>${title}</title></head><body><main>${parts.join('\n')}</main></body></html>`;
}
