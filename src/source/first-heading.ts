// The heading of a page that can serve as its title.
import { decodeEntities } from './entities.ts';
import { withoutFences } from './snippets.ts';

/** The first level-1 heading of a page: plain JSON. */
export interface FirstHeading {
  text: string;
  /** The id set by the author. */
  id?: string;
  isMarkdown: boolean;
  /** Whether it comes first on the page. */
  isFirst: boolean;
  /** Images in the heading, which the title cannot show. */
  kept: string;
  start: number;
  end: number;
  lines: number;
  /** Of a heading in HTML, the next level-1 heading: the title where pages share the first. */
  next?: FirstHeading;
}

const markdownHeading = / {0,3}#[ \t]+(\S.*)$| {0,3}([^\s#>|<`-].*)\n {0,3}=+[ \t]*$/;
const htmlHeading = / {0,3}<h1((?:\s(?:"[^"]*"|'[^']*'|[^>"'])*)?)>([\s\S]*?)<\/h1>/;
const anyHeading = new RegExp(`^(?:${markdownHeading.source}|${htmlHeading.source})`, 'gim');

/** The first level-1 heading of a body with text in it. */
export function firstHeading(body: string): FirstHeading | undefined {
  if (!/^ {0,3}(?:#[ \t]|=+[ \t]*$|<h1[\s>])/im.test(body)) return undefined;
  const text = withoutFences(body).replace(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g, (comment) => comment.replace(/[^\n]/g, ' '));
  const found: FirstHeading[] = [];
  for (const match of text.matchAll(anyHeading)) {
    const [whole, hashed, underlined, attributes = '', html] = match;
    const markdown = hashed ?? underlined;
    const words = markdown === undefined ? plainHtml(html!) : plainInline(markdown);
    // A first heading that contains only an image cannot be a title; after an HTML one, the next heading is used.
    if (!words && markdown !== undefined) break;
    if (!words) continue;
    const id =
      markdown === undefined
        ? /\sid\s*=\s*["']?([^\s"'>]+)/i.exec(attributes)?.[1]
        : /\{#([^}\s]+)\}\s*#*\s*$/.exec(markdown)?.[1];
    const pictures = html?.match(/<img\b[^>]*>/gi)?.join('') ?? '';
    const kept = pictures && `<p${attributes.replace(/\sid\s*=\s*(?:"[^"]*"|'[^']*'|\S+)/i, '')}>${pictures}</p>`;
    const lines = whole.split('\n').length - 1;
    found.push({
      text: words,
      ...(id && { id }),
      isMarkdown: markdown !== undefined,
      isFirst: text.slice(0, match.index).trim() === '',
      kept,
      start: match.index,
      end: match.index + whole.length,
      lines,
    });
    if (markdown !== undefined || found.length === 2) break;
  }
  const [first, next] = found;
  return first && { ...first, ...(next && { next }) };
}

/** The plain text of an HTML heading. */
function plainHtml(html: string): string {
  return decodeEntities(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** The plain text of a Markdown heading, without markup, link targets and `{#id}`. */
function plainInline(markdown: string): string {
  // Code and escaped signs are not markup.
  const literals: string[] = [];
  const text = markdown
    .replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])/g, (_, _ticks, code: string | undefined, sign: string) => {
      literals.push(code?.trim() ?? sign);
      return `\0${literals.length - 1}\0`;
    })
    .replace(/\s+#+\s*$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^>]*>/g, '')
    .replace(/(\*\*|__|\*|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2');
  return decodeEntities(text)
    .replace(/\0(\d+)\0/g, (_, index: string) => literals[Number(index)] ?? '')
    .trim();
}
