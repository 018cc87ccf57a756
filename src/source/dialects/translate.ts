// Markdown of other generators (Hugo, Docusaurus, MkDocs, Jekyll, GitBook, VitePress, Sphinx) as the Markdown that the renderer knows:
// callouts, tabs and the like become containers (`:::note` … `:::`), included files are inserted, and other tags show their content.
// Code stays as it is, so that a page can document the syntax.
import { hasClosingFence, translateClosingFences } from './closing-fences.ts';
import { hasDefinitions, translateDefinitions } from './definitions.ts';
import { hasDocfx, translateDocfx } from './docfx.ts';
import { hasGlossaryLinks, translateGlossaryLinks } from './glossary.ts';
import { hasIncludes, insertIncludes } from './includes.ts';
import { hasInline, translateInline } from './inline.ts';
import { hasTablesWithoutTitles, translateTables } from './kramdown.ts';
import { joined, type Line } from './lines.ts';
import { hasMkdocs, translateMkdocs } from './mkdocs.ts';
import { hasMkdocstrings, translateMkdocstrings } from './mkdocstrings.ts';
import { hasMyst, translateMyst } from './myst.ts';
import { createPageFiles, type DialectIssue, type DialectPage, type Included, type PageFiles } from './page-files.ts';
import { meaningOf } from './tag-meanings.ts';
import { hasTags, translateTags } from './tags.ts';
import { vitepressHome } from './vitepress-home.ts';

export interface TranslatedPage {
  body: string;
  /** The line of the original body for each line of `body`; undefined if the lines are the same. */
  lines?: number[];
  issues: DialectIssue[];
  /** The included files, sorted, each with its text. */
  included: Map<string, string>;
}

/** What a translation can use. */
interface DialectContext {
  page: DialectPage;
  files: PageFiles;
  unknown(what: string, line: number): void;
  /** The translated text of an included file; undefined if it cannot be read, which is reported. */
  include(path: string, line: number): string | undefined;
}

/** A translation of lines that have its signs; most pages have none of them. */
interface Dialect {
  signs: RegExp;
  /** Only of files that are not MDX. */
  isMarkdown?: true;
  translate(lines: Line[], context: DialectContext): Line[];
}

/** In the order in which they are applied: what one writes, the next ones read. */
const dialects: Dialect[] = [
  {
    signs: hasMyst,
    translate: (lines, { include, unknown }) =>
      translateMyst(lines, {
        include: (path, line) => include(path, line)?.split('\n'),
        unknown: (name, line) => unknown(`{${name}}`, line),
      }),
  },
  {
    signs: hasMkdocstrings,
    translate: (lines, { unknown }) => translateMkdocstrings(lines, (name, line) => unknown(`::: ${name}`, line)),
  },
  { signs: hasMkdocs, translate: (lines) => translateMkdocs(lines) },
  {
    signs: hasTags,
    translate: (lines, { page: { frontmatter }, files, include, unknown }) =>
      translateTags(lines, (tag) =>
        meaningOf(tag, {
          frontmatter,
          include,
          siteSetting: (name) => files.settingsOf('_config.yml')[name],
          sectionParameter: files.sectionParameter,
          fileOfTerm: files.fileOfTerm,
          unknown: ({ name, syntax, line }) => unknown(syntax === 'hugo' ? `{{< ${name} >}}` : `{% ${name} %}`, line),
        }),
      ),
  },
  {
    signs: hasGlossaryLinks,
    isMarkdown: true,
    translate: (lines, { files }) => translateGlossaryLinks(lines, files.fileOfTerm),
  },
  { signs: hasDocfx, isMarkdown: true, translate: translateDocfx },
  { signs: hasDefinitions, isMarkdown: true, translate: translateDefinitions },
  {
    signs: hasTablesWithoutTitles,
    translate: (lines, { files }) => (Object.keys(files.settingsOf('_config.yml')).length > 0 ? translateTables(lines) : lines),
  },
  { signs: hasInline, translate: (lines, { page: { kind } }) => translateInline(lines, kind) },
  { signs: hasClosingFence, translate: translateClosingFences },
];

/** The body in the renderer's Markdown. */
export function translateDialects(body: string, page: DialectPage): TranslatedPage {
  const issues = new Map<string, DialectIssue>();
  const report = (kind: DialectIssue['kind'], what: string, line: number): void => {
    const key = `${kind} ${what}`;
    if (!issues.has(key)) issues.set(key, { kind, what, line });
  };
  const files = createPageFiles(page, report);

  const insert = ({ lines, chain }: Included): Line[] =>
    hasIncludes.test(joined(lines))
      ? insertIncludes(lines, (wanted, line, isCode) => {
          const found = files.include(wanted, line, chain, isCode);
          return found && insert(found);
        })
      : lines;

  const translate = (start: Included): Line[] => {
    const context: DialectContext = {
      page,
      files,
      unknown: (what, line) => report('unknown-syntax', what, line),
      include(path, line) {
        const found = files.include({ path }, line, start.chain);
        return found && joined(translate(found));
      },
    };
    const fitting = dialects.filter(({ isMarkdown }) => !isMarkdown || page.kind === 'md');
    return fitting.reduce(
      (lines, dialect) => (dialect.signs.test(joined(lines)) ? dialect.translate(lines, context) : lines),
      insert(start),
    );
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
  return { body: joined(lines), ...(!isSame && { lines: numbers }), issues: [...issues.values()], included: files.included };
}

/** Pages of Jekyll write ```` ```js{% raw %} ```` and ```` {% endraw %}``` ````, because its tags also apply to code. */
function withoutRaw(text: string): string {
  if (!text.includes('raw %}') || !text.includes('```')) return text;
  return text
    .replace(/^([ \t]*`{3,}[\w+#-]*)[ \t]*\{%-? raw -?%\}[ \t]*$/, '$1')
    .replace(/^([ \t]*)\{%-? endraw -?%\}(`{3,})[ \t]*$/, '$1$2');
}
