import { problemText, type Problem } from '../diagnostics.ts';
import type { Manifest } from '../manifest.ts';
import { count } from '../text/amounts.ts';
import { beginning } from '../text/beginning.ts';
import { shown } from '../text/escape.ts';
import { encodePath } from '../urls/relative-url.ts';
import { comparePages, compareProblems, type ComparedPage, type PageChanges } from './compare-exports.ts';

export interface Exported extends Pick<Manifest, 'pages' | 'files' | 'redirects'> {
  /** Undefined where the report is missing: then problems are not compared. */
  problems: Problem<string>[] | undefined;
  /** Why it could not be exported. */
  failed?: string;
}

interface Shown {
  title: string;
  /** Of the earlier export. */
  commit: string;
  /** Where the later export is served. */
  url: string | undefined;
}

export interface ChangesText {
  /** Markdown. */
  text: string;
  /** Whether nothing has changed. */
  isEmpty: boolean;
}

const mostListed = 40;
// A comment of GitHub has at most 65,536 characters.
const longest = 65_000;

/** What has changed from one export to another, as a Markdown list that fits into a comment. */
export function changesText(before: Exported, now: Exported, { title, commit, url }: Shown): ChangesText {
  const pages = comparePages(before, now);
  const { added: found, removed: solved } =
    before.problems && now.problems ? compareProblems(before.problems, now.problems) : { added: [], removed: [] };
  const redirected = new Set(now.redirects.map(({ from }) => from.replace(/^\/|\/$/g, '')));
  const isEmpty = [pages.added, pages.changed, pages.removed, found, solved].every(({ length }) => length === 0);
  const files = new Map(now.pages.map(({ path, file }) => [path, file]));
  const pageItem = ([what, page]: [string, ComparedPage]) => {
    const name =
      what === 'removed' || url === undefined
        ? inline(page.title)
        : `[${inline(page.title)}](${pageUrl(url, page.path, files.get(page.path))})`;
    const end = what === 'removed' && !redirected.has(page.path) ? ', without a redirect' : '';
    return `${what}: ${name} ${code(`/${page.path}`)}${end}`;
  };
  for (let most = mostListed; ; most = Math.floor(most / 2)) {
    const lines = [
      `### ${inline(title)}: ${isEmpty ? 'no changes' : counts(pages)}`,
      `Compared with ${code(commit)}.${before.failed ? ` It could not be exported, so everything counts as new: ${inline(before.failed)}` : ''}`,
      ...listed('New problems', found, { most, line: problemItem }),
      ...listed('Solved problems', solved, { most, line: problemItem }),
      ...listed('Pages', rowsOf(pages), { most, line: pageItem }),
    ];
    const text = lines.join('\n\n');
    if (text.length <= longest) return { text, isEmpty };
  }
}

function counts({ added, changed, removed }: PageChanges): string {
  return `${count(added.length, 'page')} added, ${changed.length} changed, ${removed.length} removed`;
}

function rowsOf({ added, changed, removed }: PageChanges): [what: string, page: ComparedPage][] {
  return Object.entries({ added, changed, removed }).flatMap(([what, pages]) =>
    pages.map((page): [string, ComparedPage] => [what, page]),
  );
}

/** An export of Markdown alone has other files than the preview. */
function pageUrl(url: string, path: string, file = ''): string {
  const served = file.endsWith('.html') ? file.replace(/(^|\/)index\.html$/, '$1') : `${path}/`;
  const encoded = encodePath(served.replace(/^\//, '')).replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
  return `${url.replace(/\/$/, '')}/${encoded}`;
}

function listed<Item>(title: string, items: Item[], { most, line }: { most: number; line: (item: Item) => string }): string[] {
  if (items.length === 0) return [];
  const rest = items.length > most ? [`- ${items.length - most} more`] : [];
  return [`**${title}** (${items.length})`, [...items.slice(0, most).map((item) => `- ${line(item)}`), ...rest].join('\n')];
}

function problemItem(problem: Problem<string>): string {
  const { page, line, kind } = problem;
  const place = page === undefined ? '' : `${code([page, line].filter(Boolean).join(':'))} `;
  return `${place}${inline(problemText(problem))} (${inline(kind)})`;
}

function code(text: string): string {
  return `\`${shown(text).replace(/[`\s]+/g, ' ')}\``;
}

// Of what GitHub and GitLab make links without markup: URLs, `www.`, mentions and email addresses, issues such as GH-12, and hashes of commits.
const linked = /:(?=\/\/)|\bwww(?=\.)|@|\bGH(?=-\d)/gi;

/** Text that stays text in a comment: no markup, no link, no mention of a person, an issue or a merge request. */
function inline(text: string): string {
  return beginning(shown(text.replace(/\s+/g, ' ')), 500)
    .replace(/[\\`*_{}[\]<>|~#&!$%]/g, '\\$&')
    .replace(linked, '$&\u2060')
    .replace(/\b[\da-f]{7,}\b/gi, (hash) => hash.replace(/.{6}(?=.)/g, '$&\u2060'));
}
