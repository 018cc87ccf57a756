import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { labelTabPanels } from './label-tab-panels.ts';
import { attribute, readHtml } from '../html/read-html.ts';

const converter = unified()
  .use(rehypeParse, { fragment: true })
  .use(() => labelTabPanels)
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-' });

/**
 * Markdown of the main content of a built page (`[data-carrel-content]`, else `main`, else `article`, else `body`), URLs unchanged,
 * without the first heading, which is the page's title; undefined without main content.
 */
export function markdownOfHtml(html: string): string | undefined {
  const content = contentPart(html);
  return content === undefined ? undefined : markdownOf(content);
}

/** Like `markdownOfHtml`, for content that was already extracted. */
export function markdownOf(content: string): string | undefined {
  const markdown = String(converter.processSync(content.replace(codeBlock, plainCode)))
    .trim()
    .replace(/^# .*\n*/, '')
    // Self-links at the end of headings: a sign or invisible text.
    .replace(/^(#{1,6} .*?)\s*\[[\u200b#¶§\s]*\]\(#[^)\n]*\)$/gm, '$1');
  return markdown === '' ? undefined : markdown;
}

const codeBlock = /<pre\b([^>]*)>([\s\S]*?)<\/pre\s*>/gi;

// Most elements on a page are syntax-highlighting spans, which Markdown does not need.
function plainCode(block: string, attributes: string, inside: string): string {
  const hasOthers = /<(?!\/?(?:span|code|br)\b|div class="(?:ec-line|code)|\/div>)/i.test(inside);
  if (hasOthers || (inside.includes('<div') && !inside.includes('"ec-line'))) return block;
  const language = /(?:\bdata-language="|\blang(?:uage)?-)([\w+#.-]+)/.exec(attributes + inside.slice(0, 200))?.[1];
  // In code with an element per line, an empty line contains its own line break.
  const bare = inside.includes('"ec-line') ? inside.replaceAll('\n', '') : inside;
  const lines = bare.replace(/<div class="ec-line|<br\s*\/?>/gi, '\n$&').replace(/<[^>]*>/g, '');
  return `<pre><code${language ? ` class="language-${language}"` : ''}>${lines.replace(/^\n/, '')}</code></pre>`;
}

/** Best part first. */
const parts: ((name: string, isMarked: boolean) => boolean)[] = [
  (_, isMarked) => isMarked,
  (name) => name === 'main',
  (name) => name === 'article',
  (name) => name === 'body',
];

function contentPart(html: string): string | undefined {
  const found: ({ start: number; end: number } | undefined)[] = [];
  const open: { name: string; part: number; start: number }[] = [];
  readHtml(html, {
    open(tag) {
      const part = parts.findIndex((is) => is(tag.name, attribute(tag, 'data-carrel-content') !== undefined));
      if (part >= 0 && !found[part]) open.push({ name: tag.name, part, start: tag.end });
      else if (open.some(({ name }) => name === tag.name)) open.push({ name: tag.name, part: -1, start: tag.end });
    },
    close(name, start) {
      const at = open.findLastIndex((one) => one.name === name);
      if (at < 0) return;
      const [closed] = open.splice(at);
      if (closed!.part >= 0) found[closed!.part] ??= { start: closed!.start, end: start };
    },
    text() {},
  });
  const best = found.find(Boolean);
  return best && html.slice(best.start, best.end);
}
