// Pages as Markdown for a model. In an export, their links lead to other files; here, to where readers find the pages.
import { replaceUrls } from '../../../integration/page/markdown-version.ts';
import { decode, isElsewhere, splitUrl, urlJoiner } from '../../../integration/urls/parts.ts';
import type { SiteDocs } from '../../active-exports/site-docs.ts';
import { urlOf } from './sources.ts';

/** Undefined if there is no such page. */
export async function pageMarkdown(docs: SiteDocs, path: string, siteUrl: string | undefined): Promise<string | undefined> {
  const markdown = await docs.markdown(path);
  const file = docs.markdownFile(path);
  if (markdown === undefined || file === undefined) return undefined;
  const join = urlJoiner(`/${file}`);
  return replaceUrls(markdown, (url) => {
    if (isElsewhere(url)) return url;
    const { path: target, hash } = splitUrl(join(url));
    const name = decode(target.slice(1));
    return urlOf(`${docs.pageOfMarkdown(name) ?? name}${decode(hash)}`, siteUrl);
  });
}
