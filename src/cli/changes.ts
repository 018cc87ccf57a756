import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { problemText, type Problem } from '../../integration/diagnostics.ts';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { comparePages, compareProblems, type ComparedPage, type PageChanges } from '../../integration/output/compare-exports.ts';
import { manifestOf } from '../../integration/output/open-bundle.ts';
import { baseUrlSchema } from '../../integration/option-values.ts';
import { writeFilesOf } from '../source/checkout.ts';
import { withFrame } from '../source/code-frame.ts';
import { count } from './amounts.ts';
import { writeComment } from './pull-request-comment.ts';
import { cacheOption, defineCommand, groupsOption, includeRootOption, option, text, whole, type OptionsOf } from './usage.ts';

const options = {
  base: option(text, 'COMMIT', 'Branch or commit to compare the folder with, such as origin/main'),
  url: option(
    baseUrlSchema('https://preview.example.com').optional(),
    'URL',
    'Where a preview of the folder is served: the list links to its pages',
  ),
  comment: option(
    whole(1).optional(),
    'NUMBER',
    'Also write the list as a comment of this pull request: one, which later runs replace. Reads GITHUB_REPOSITORY and GITHUB_TOKEN',
  ),
  groups: groupsOption,
  'include-root': includeRootOption,
  cache: cacheOption,
};

/** `carrel changes`: its options and how it is used. */
export const command = defineCommand({
  usage: 'changes DIR --base COMMIT',
  summary:
    'List what has changed in a docs folder since another commit, as Markdown: pages added, changed and removed, and problems that are new or solved.',
  options,
  examples: [
    ['changes ./docs --base origin/main', 'Compare with the main branch'],
    ['changes ./docs --base "$BASE" --comment 12', 'Comment on a pull request, in a workflow of GitHub'],
  ],
  async run({ options: given, words: [folder = ''] }) {
    const source = resolve(folder);
    const work = mkdtempSync(join(tmpdir(), 'carrel-changes-'));
    try {
      const earlier = join(work, 'docs');
      const commit = await writeFilesOf(source, given.base, earlier, { environment: process.env });
      const now = await exported(source, join(work, 'now'), given).catch((error: unknown) => {
        throw withFrame(error, source);
      });
      const before = await exported(earlier, join(work, 'before'), given).catch((error: unknown) => {
        if (error instanceof ExportError) return { ...nothing, failed: errorMessage(error) };
        throw error;
      });
      const title = relative(process.cwd(), source).replaceAll('\\', '/') || 'Docs';
      const list = changesText(before, now, { title, commit: commit.slice(0, 12), url: given.url });
      console.log(list.text);
      if (given.comment !== undefined) await writeComment(given.comment, { ...list, about: title }, process.env);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
});

interface Exported extends Pick<Manifest, 'pages' | 'files' | 'redirects'> {
  problems: Problem<string>[];
  /** Why it could not be exported. */
  failed?: string;
}

const nothing: Exported = { pages: [], files: {}, redirects: [], problems: [] };

async function exported(source: string, out: string, given: OptionsOf<typeof options>): Promise<Exported> {
  const { exportDocs } = await import('../export/export-docs.ts');
  const { warnings: problems } = await exportDocs({
    source,
    out,
    only: 'markdown',
    groups: given.groups,
    includeRoots: given['include-root'],
    cache: given.cache,
    deployment: 'client-hosted',
    vendor: false,
    // Those of another folder are no change.
    repository: 'off',
    environment: process.env,
    now: Date.now(),
  });
  return { ...(await manifestOf(out)), problems };
}

interface Shown {
  title: string;
  commit: string;
  url: string | undefined;
}

// A comment of GitHub has at most 65,536 characters.
const mostListed = 40;

/** The list, and whether there is anything in it. */
function changesText(before: Exported, now: Exported, { title, commit, url }: Shown): { text: string; isEmpty: boolean } {
  const pages = comparePages(before, now);
  const { added: found, removed: solved } = compareProblems(before.problems, now.problems);
  const redirected = new Set(now.redirects.map(({ from }) => from.replace(/^\/|\/$/g, '')));
  const isEmpty = [pages.added, pages.changed, pages.removed, found, solved].every(({ length }) => length === 0);
  const lines = [
    `### ${inline(title)}: ${isEmpty ? 'no changes' : counts(pages)}`,
    `Compared with \`${commit}\`.${before.failed ? ` It could not be exported, so everything counts as new: ${inline(before.failed)}` : ''}`,
    ...listed('New problems', found, problemItem),
    ...listed('Solved problems', solved, problemItem),
    ...listed('Pages', rowsOf(pages), ([what, page]) => {
      const name =
        what === 'removed' || url === undefined ? inline(page.title) : `[${inline(page.title)}](${pageUrl(url, page)})`;
      const end = what === 'removed' && !redirected.has(page.path) ? ', without a redirect' : '';
      return `${what}: ${name} \`/${page.path.replaceAll('`', '')}\`${end}`;
    }),
  ];
  return { text: lines.join('\n\n'), isEmpty };
}

function counts({ added, changed, removed }: PageChanges): string {
  return `${count(added.length, 'page')} added, ${changed.length} changed, ${removed.length} removed`;
}

function rowsOf({ added, changed, removed }: PageChanges): [what: string, page: ComparedPage][] {
  return Object.entries({ added, changed, removed }).flatMap(([what, pages]) =>
    pages.map((page): [string, ComparedPage] => [what, page]),
  );
}

function pageUrl(url: string, { path }: ComparedPage): string {
  const folder = path === '' ? '' : `${path.split('/').map(encodeURIComponent).join('/')}/`;
  return `${url.replace(/\/$/, '')}/${folder}`.replaceAll(')', '%29');
}

function listed<Item>(title: string, items: Item[], line: (item: Item) => string): string[] {
  if (items.length === 0) return [];
  const rest = items.length > mostListed ? [`- ${items.length - mostListed} more`] : [];
  return [`**${title}** (${items.length})`, [...items.slice(0, mostListed).map((item) => `- ${line(item)}`), ...rest].join('\n')];
}

function problemItem(problem: Problem<string>): string {
  const { page, line, kind } = problem;
  const place = page === undefined ? '' : `\`${[page.replaceAll('`', ''), line].filter(Boolean).join(':')}\` `;
  return `${place}${inline(problemText(problem))} (${kind})`;
}

/** Text that stays text in a comment: no markup, no mention of a person. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .slice(0, 500)
    .replace(/[\\`*_{}[\]<>|~#&]/g, '\\$&')
    .replaceAll('@', '@\u2060');
}
