// Markdown of other generators (Hugo, Docusaurus, MkDocs, Jekyll, GitBook, VitePress, Sphinx) as the Markdown that the renderer knows:
// callouts, tabs and the like become containers (`:::note` … `:::`), included files are inserted, and other tags show their content.
// Code stays as it is, so that a page can document the syntax.
import { objectOf } from '../../../integration/text/json.ts';
import { readFrontmatter } from '../frontmatter.ts';
import { hasClosingFence, translateClosingFences } from './closing-fences.ts';
import { hasDefinitions, translateDefinitions } from './definitions.ts';
import { hasDocfx, translateDocfx } from './docfx.ts';
import { withLinksOf } from './included-links.ts';
import { hasGlossaryLinks, termFiles, translateGlossaryLinks } from './glossary.ts';
import { hasIncludes, insertIncludes, partOf } from './includes.ts';
import { hasInline, translateInline } from './inline.ts';
import { hasTablesWithoutTitles, translateTables } from './kramdown.ts';
import type { Line } from './lines.ts';
import { hasMkdocs, translateMkdocs } from './mkdocs.ts';
import { hasMkdocstrings, translateMkdocstrings } from './mkdocstrings.ts';
import { hasMyst, translateMyst } from './myst.ts';
import { meaningOf, valueAt } from './tag-meanings.ts';
import { hasTags, translateTags } from './tags.ts';
import { vitepressHome } from './vitepress-home.ts';

export interface DialectPage {
  file: string;
  kind: 'mdx' | 'md';
  frontmatter: Record<string, unknown>;
  /** The body of a file in the docs folder that `from` includes, or why there is none. */
  read(
    path: string,
    from: string,
  ): { file: string; body: string; frontmatter?: Record<string, unknown> } | { refused: 'outside' | 'missing' };
}

/** An issue with the syntax of a page, on a 1-based line of its body. */
export interface DialectIssue {
  kind: 'unknown-syntax' | 'snippet-missing' | 'snippet-outside-folder' | 'snippet-too-deep';
  line: number;
  what: string;
}

export interface TranslatedPage {
  body: string;
  /** The line of the original body for each line of `body`; undefined if the lines are the same. */
  lines?: number[];
  issues: DialectIssue[];
  /** The included files, sorted, each with its text. */
  included: Map<string, string>;
}

const deepestInclude = 8;
/** Characters that files add to a page: files that include others multiply. */
const mostIncluded = 2_000_000;
/** Characters of the files that parts are taken from: a page can show many parts of one file. */
const mostSearched = 50_000_000;

/** The body in the renderer's Markdown. */
export function translateDialects(body: string, page: DialectPage): TranslatedPage {
  const issues = new Map<string, DialectIssue>();
  const included = new Map<string, string>();
  let left = mostIncluded;
  let searched = 0;
  const report = (kind: DialectIssue['kind'], what: string, line: number) => {
    const key = `${kind} ${what}`;
    if (!issues.has(key)) issues.set(key, { kind, what, line });
  };

  const include = (
    { path, part, ownLinks = false }: { path: string; part?: string; ownLinks?: boolean },
    line: number,
    chain: readonly string[],
    isCode = false,
  ): Included | undefined => {
    const found = page.read(path, chain.at(-1) ?? page.file);
    if ('refused' in found) {
      // A line of code that does not name a file of the folder is code.
      if (!isCode) report(found.refused === 'outside' ? 'snippet-outside-folder' : 'snippet-missing', path, line);
      return undefined;
    }
    const refuse = (): undefined => {
      report('snippet-too-deep', path, line);
      return undefined;
    };
    searched += found.body.length;
    if (chain.includes(found.file) || chain.length > deepestInclude || searched > mostSearched) return refuse();
    const all = found.body
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ text, number: line }));
    const lines = partOf(all, part);
    left -= textOf(lines).length;
    if (left < 0) return refuse();
    included.set(found.file, found.body);
    const hasOwnLinks = ownLinks || /(?:^|\/)\.gitbook\//.test(found.file);
    return { lines: hasOwnLinks ? withLinksOf(found.file, page.file, lines) : lines, chain: [...chain, found.file] };
  };

  const settings = new Map<string, Record<string, unknown>>();
  const settingsOf = (path: string): Record<string, unknown> => {
    let known = settings.get(path);
    if (known) return known;
    const found = page.read(`/${path}`, page.file);
    if ('refused' in found) known = {};
    else {
      // A list of settings has no frontmatter: it is one.
      known = path.endsWith('.yml') ? readFrontmatter(`---\n${found.body}\n---\n`, path).frontmatter : (found.frontmatter ?? {});
      included.set(found.file, JSON.stringify(known));
    }
    settings.set(path, known);
    return known;
  };

  const terms = new Map<string, string | undefined>();
  const fileOfTerm = (term: string): string | undefined => {
    if (!terms.has(term))
      terms.set(
        term,
        termFiles(term).find((path) => !('refused' in page.read(`/${path}`, page.file))),
      );
    return terms.get(term);
  };

  const sectionParameter = (name: string): unknown => {
    const folders = page.file.split('/').slice(0, -1);
    for (let depth = folders.length; depth >= 0; depth--) {
      const cascade = objectOf(settingsOf([...folders.slice(0, depth), '_index.md'].join('/')).cascade);
      const value = valueAt(cascade.params, name) ?? valueAt(cascade, name);
      if (value !== undefined) return value;
    }
    return undefined;
  };

  const insert = ({ lines, chain }: Included): Line[] =>
    hasIncludes.test(textOf(lines))
      ? insertIncludes(lines, (wanted, line, isCode) => {
          const found = include(wanted, line, chain, isCode);
          return found && insert(found);
        })
      : lines;

  const translate = (start: Included): Line[] => {
    const includeText = (path: string, line: number): string | undefined => {
      const found = include({ path }, line, start.chain);
      return found && textOf(translate(found));
    };
    let lines = insert(start);
    if (hasMyst.test(textOf(lines)))
      lines = translateMyst(lines, {
        include: (path, line) => includeText(path, line)?.split('\n'),
        unknown: (name, line) => report('unknown-syntax', `{${name}}`, line),
      });
    if (hasMkdocstrings.test(textOf(lines)))
      lines = translateMkdocstrings(lines, (name, line) => report('unknown-syntax', `::: ${name}`, line));
    if (hasMkdocs.test(textOf(lines))) lines = translateMkdocs(lines);
    if (hasTags.test(textOf(lines)))
      lines = translateTags(lines, (tag) =>
        meaningOf(tag, {
          frontmatter: page.frontmatter,
          include: includeText,
          siteSetting: (name) => settingsOf('_config.yml')[name],
          sectionParameter,
          fileOfTerm,
          unknown: ({ name, syntax, line }) =>
            report('unknown-syntax', syntax === 'hugo' ? `{{< ${name} >}}` : `{% ${name} %}`, line),
        }),
      );
    if (page.kind === 'md' && hasGlossaryLinks.test(textOf(lines))) lines = translateGlossaryLinks(lines, fileOfTerm);
    if (page.kind === 'md' && hasDocfx.test(textOf(lines))) lines = translateDocfx(lines);
    if (page.kind === 'md' && hasDefinitions.test(textOf(lines))) lines = translateDefinitions(lines);
    if (hasTablesWithoutTitles.test(textOf(lines)) && Object.keys(settingsOf('_config.yml')).length > 0)
      lines = translateTables(lines);
    if (hasInline.test(textOf(lines))) lines = translateInline(lines, page.kind);
    if (hasClosingFence.test(textOf(lines))) lines = translateClosingFences(lines);
    return lines;
  };

  const lines = translate({
    lines: [
      ...vitepressHome(page.frontmatter).map((text) => ({ text, number: 1 })),
      ...body.split('\n').map((text, i) => ({ text: withoutRaw(text), number: i + 1 })),
    ],
    chain: [page.file],
  });
  const numbers = lines.map(({ number }) => number);
  const isSame = numbers.every((number, i) => number === i + 1);
  return { body: textOf(lines), ...(!isSame && { lines: numbers }), issues: [...issues.values()], included };
}

/** Lines of a file, and the files that include it, with its own name last. */
interface Included {
  lines: Line[];
  chain: readonly string[];
}

/** Pages of Jekyll write ```` ```js{% raw %} ```` and ```` {% endraw %}``` ````, because its tags also apply to code. */
function withoutRaw(text: string): string {
  if (!text.includes('raw %}') || !text.includes('```')) return text;
  return text
    .replace(/^([ \t]*`{3,}[\w+#-]*)[ \t]*\{%-? raw -?%\}[ \t]*$/, '$1')
    .replace(/^([ \t]*)\{%-? endraw -?%\}(`{3,})[ \t]*$/, '$1$2');
}

// Each translation first looks for its signs in the text, and most leave the lines as they are.
const texts = new WeakMap<readonly Line[], string>();

function textOf(lines: readonly Line[]): string {
  let text = texts.get(lines);
  if (text === undefined) texts.set(lines, (text = lines.map((line) => line.text).join('\n')));
  return text;
}
