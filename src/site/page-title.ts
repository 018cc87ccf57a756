import type { SourcePage } from '../source/source.ts';
import { withoutFences } from '../source/snippets.ts';
import { textField } from './frontmatter-fields.ts';

/**
 * A page's title: its frontmatter's, else its first heading of the first level, else its file name in words.
 * The heading that says the title is blanked in `body`, since the theme shows the title itself; lines keep their numbers.
 */
export function pageTitle(page: SourcePage): { title: string; body: string } {
  const own = textField(page.frontmatter.title);
  const heading = firstHeading(page.body);
  if (heading && (own === undefined || sameWords(own, heading.text))) {
    return {
      title: own ?? heading.text,
      body: page.body.slice(0, heading.start) + '\n'.repeat(heading.lines) + page.body.slice(heading.end),
    };
  }
  return { title: own ?? humanise(page.path.slice(page.path.lastIndexOf('/') + 1)) ?? 'Home', body: page.body };
}

/** '01-getting-started' → 'Getting started' */
export function humanise(name: string): string {
  const words = withoutNumber(name).replace(/[-_]+/g, ' ').trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Home';
}

/** '01-intro' → 'intro'; a number alone stays. */
function withoutNumber(name: string): string {
  return name.replace(/^\d{1,4}[-_. ]+(?=.)/, '');
}

interface FoundHeading {
  text: string;
  start: number;
  end: number;
  lines: number;
}

function firstHeading(body: string): FoundHeading | undefined {
  if (!/^ {0,3}#[ \t]|^ {0,3}=+[ \t]*$/m.test(body)) return undefined;
  const text = withoutFences(body).replace(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g, (comment) => comment.replace(/[^\n]/g, ' '));
  const match = /^ {0,3}#[ \t]+(\S.*)$|^ {0,3}([^\s#>|<`-].*)\n {0,3}=+[ \t]*$/m.exec(text);
  if (!match) return undefined;
  const inline = plainInline(match[1] ?? match[2]!);
  if (!inline) return undefined;
  return { text: inline, start: match.index, end: match.index + match[0].length, lines: match[0].split('\n').length - 1 };
}

/** The words of a heading's Markdown, without marks, link addresses and `{#id}`. */
function plainInline(markdown: string): string {
  return markdown
    .replace(/\s+#+\s*$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^>]*>/g, '')
    .replace(/(\*\*|__|\*|`|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/\\([\\`*_{}[\]()#+.!-])/g, '$1')
    .trim();
}

function sameWords(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
