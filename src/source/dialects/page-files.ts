// The other files of the docs folder that a page of another generator names: includes, settings of the site and its sections, terms of a glossary.
import { objectOf } from '../../../integration/text/json.ts';
import { readFrontmatter } from '../frontmatter.ts';
import { termFiles } from './glossary.ts';
import { withLinksOf } from './included-links.ts';
import { partOf } from './includes.ts';
import { joined, type Line } from './lines.ts';
import { valueAt } from './tag-meanings.ts';

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

/** Lines of a file, and the files that include it, with its own name last. */
export interface Included {
  lines: Line[];
  chain: readonly string[];
}

export type PageFiles = ReturnType<typeof createPageFiles>;

const deepestInclude = 8;
/** Characters that files add to a page: files that include others multiply. */
const mostIncluded = 2_000_000;
/** Characters of the files that parts are taken from: a page can show many parts of one file. */
const mostSearched = 50_000_000;

export function createPageFiles(page: DialectPage, report: (kind: DialectIssue['kind'], what: string, line: number) => void) {
  const included = new Map<string, string>();
  const settings = new Map<string, Record<string, unknown>>();
  const terms = new Map<string, string | undefined>();
  let left = mostIncluded;
  let searched = 0;

  function settingsOf(path: string): Record<string, unknown> {
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
  }

  return {
    /** The included files, each with its text. */
    included,
    /** The settings in a file of the folder, such as Jekyll's `_config.yml`. */
    settingsOf,
    /** A part of a file; undefined if it cannot be included, which is reported. */
    include(
      { path, part, ownLinks = false }: { path: string; part?: string; ownLinks?: boolean },
      line: number,
      chain: readonly string[],
      isCode = false,
    ): Included | undefined {
      const found = page.read(path, chain.at(-1) ?? page.file);
      if ('refused' in found) {
        // A line of code that does not name a file of the folder is code.
        if (!isCode) report(found.refused === 'outside' ? 'snippet-outside-folder' : 'snippet-missing', path, line);
        return undefined;
      }
      const refuse = (): undefined => {
        report('snippet-too-deep', path, line);
      };
      searched += found.body.length;
      if (chain.includes(found.file) || chain.length > deepestInclude || searched > mostSearched) return refuse();
      const all = found.body
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ text, number: line }));
      const lines = partOf(all, part);
      left -= joined(lines).length;
      if (left < 0) return refuse();
      included.set(found.file, found.body);
      const hasOwnLinks = ownLinks || /(?:^|\/)\.gitbook\//.test(found.file);
      return { lines: hasOwnLinks ? withLinksOf(found.file, page.file, lines) : lines, chain: [...chain, found.file] };
    },
    /** The file of a term of the glossary. */
    fileOfTerm(term: string): string | undefined {
      if (!terms.has(term)) {
        const file = termFiles(term).find((path) => !('refused' in page.read(`/${path}`, page.file)));
        terms.set(term, file);
      }
      return terms.get(term);
    },
    /** A parameter that Hugo's sections pass on to their pages. */
    sectionParameter(name: string): unknown {
      const folders = page.file.split('/').slice(0, -1);
      for (let depth = folders.length; depth >= 0; depth--) {
        const cascade = objectOf(settingsOf([...folders.slice(0, depth), '_index.md'].join('/')).cascade);
        const value = valueAt(cascade.params, name) ?? valueAt(cascade, name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}
