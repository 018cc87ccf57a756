// The names of all files of a source, without their contents.
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '../platform/errors.ts';
import type { SiteSource } from '../sites/sites.ts';
import { withGit, type SourceContext } from './fetch-git.ts';
import { checkedFolder } from './fetch-source.ts';
import { fetchFailure } from './git-failure.ts';
import { checkRef, type GitSource } from './git-url.ts';

export interface Unfollowed {
  path: string;
  kind: 'submodule' | 'link';
}

export interface ListedSource {
  /** Paths with slashes, from the top of the repository or of the folder. */
  files: string[];
  /** What a job does not follow in a repository. */
  unfollowed: Unfollowed[];
  /** Of a git source. */
  commit?: string;
}

const mostFiles = 100_000;
const mostCharacters = 200 * mostFiles;

const unfollowedModes: Record<string, Unfollowed['kind']> = { 160000: 'submodule', 120000: 'link' };

/** Leaves only what is in the folder of the context. Rejects with a `JobError` that gives the reason. */
export function listSource(source: SiteSource, context: SourceContext): Promise<ListedSource> {
  return source.type === 'git' ? listRepository(source, context) : listFolder(source.path, context.signal);
}

function listRepository(source: GitSource, context: SourceContext): Promise<ListedSource> {
  const { folder, limits, log } = context;
  const ref = source.ref === undefined ? 'HEAD' : checkRef(source.ref);
  const mirror = join(folder, 'git');
  // A few KB of trees that contain each other can name more files than fit into any memory, so git is ended.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  return withGit(source, { ...context, mirror, signal }, async (git, { url }) => {
    const listed = 'refs/carrel/listed';
    const watch = { path: mirror, what: 'The repository', mb: limits.outputMb };
    await git(['init', '--bare', '--quiet', '--template=']);
    // Hosts that do not support the filter send the contents, too.
    const fetch = ['fetch', '--depth=1', '--filter=blob:none', '--no-tags', '--no-recurse-submodules', '--quiet', '--', url];
    const ended = await git([...fetch, `+${ref}:${listed}`], watch);
    if (ended.code !== 0) throw fetchFailure(source, ended, log);
    const commit = (await git(['rev-parse', '--verify', `${listed}^{commit}`])).tail.trim();
    const files: string[] = [];
    const unfollowed: Unfollowed[] = [];
    let rest = '';
    let length = 0;
    const onOutput = (text: string): void => {
      if (stop.signal.aborted) return;
      const entries = (rest + text).split('\0');
      rest = entries.pop()!;
      for (const entry of entries) {
        const path = entry.slice(entry.indexOf('\t') + 1);
        const kind = unfollowedModes[entry.slice(0, entry.indexOf(' '))];
        if (kind === undefined) files.push(path);
        else unfollowed.push({ path, kind });
      }
      length += text.length;
      if (files.length + unfollowed.length > mostFiles || length > mostCharacters) stop.abort(tooManyFiles(source.url));
    };
    const list = await git(['ls-tree', '-r', '-z', commit], undefined, onOutput);
    if (list.code !== 0) throw fetchFailure(source, list, log);
    return { files, unfollowed, commit };
  });
}

async function listFolder(path: string, signal: AbortSignal): Promise<ListedSource> {
  const files: string[] = [];
  const visit = async (folder: string, prefix: string): Promise<void> => {
    const entries = await opendir(folder).catch(() => undefined);
    if (!entries) return;
    for await (const entry of entries) {
      signal.throwIfAborted();
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) await visit(join(folder, entry.name), `${prefix}${entry.name}/`);
      else if (entry.isFile()) files.push(`${prefix}${entry.name}`);
      if (files.length > mostFiles) throw tooManyFiles(path);
    }
  };
  await visit(await checkedFolder(path), '');
  return { files, unfollowed: [] };
}

function tooManyFiles(where: string): JobError {
  return new JobError(
    'SizeLimit',
    `${where} has more than ${mostFiles.toLocaleString('en')} files, or very long names, too many to look for docs in. Choose the content and the folder yourself.`,
  );
}
