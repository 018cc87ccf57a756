import { markdownOfHtml } from '../page/markdown-of-html.ts';
import { pageOf, readHead, type FinishedPage } from '../page/read-page.ts';

/**
 * A finished page as the export takes it. A page says of itself what HTML has no word for in `<meta>` elements:
 * `carrel:title` (without the site's name), `carrel:site-description`, `carrel:docs-version`, `carrel:boost`, and `carrel:searchable`,
 * `carrel:sitemap`, `carrel:llms` with the content `false`.
 */
export function readPage(path: string, html: string, options: { defaultLanguage: string; markdown?: string }): FinishedPage {
  const head = readHead(html);
  const docsVersion = head.metas.get('carrel:docs-version');
  const language = head.language ?? options.defaultLanguage;
  return { ...pageOf(path, html, head), language, docsVersion, markdown: options.markdown ?? markdownOfHtml(html) };
}
