import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import { changesText, type Exported } from '../../integration/output/changes-text.ts';
import { manifestOf } from '../../integration/output/open-bundle.ts';
import { baseUrlSchema } from '../../integration/option-values.ts';
import { writeFilesOf } from '../source/checkout.ts';
import { withFrame } from '../source/code-frame.ts';
import { commentOn } from './pull-request-comment.ts';
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
    'Also write the list as a comment of this pull request: one, which later runs replace. Reads GITHUB_REPOSITORY and GITHUB_TOKEN; in a job of GitLab, GITLAB_TOKEN',
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
      if (given.comment !== undefined) await commentOn(given.comment, { ...list, about: title }, process.env);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
});

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
