import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGitRef } from '../../server/sites/git-source.ts';
import { openFolderTarget } from './folder-target.ts';
import { openGitTarget } from './git-target.ts';
import { openS3Target } from './s3-target.ts';
import type { Target } from './target.ts';

/** A target as given on the command line, parsed. */
export type Address =
  | { kind: 's3'; bucket: string; prefix: string }
  | { kind: 'file'; path: string }
  | { kind: 'git'; url: string; branch: string };

/** Returns the target, or in a sentence without its password why it is not one. */
export function parseTarget(text: string): Address | string {
  if (text.startsWith('s3:')) return bucketOf(text);
  if (text.startsWith('file:')) return folderOf(text);
  if (text.startsWith('git+')) return branchOf(text.slice('git+'.length));
  return 'The target must begin with s3://, file: or git+, such as s3://bucket/docs, file:/srv/docs or git+https://github.com/OWNER/REPOSITORY#gh-pages';
}

export interface OpenTargetOptions {
  endpoint?: string;
  /** Title of a commit. */
  title: string;
  environment: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

export function openTarget(address: Address, { endpoint, ...git }: OpenTargetOptions): Promise<Target> {
  if (address.kind === 's3') return openS3Target({ ...address, endpoint });
  if (address.kind === 'file') return openFolderTarget(address.path);
  return openGitTarget({ ...address, ...git });
}

function bucketOf(text: string): Address | string {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(text) ?? [];
  if (bucket === undefined) return `"${text}" does not name a bucket. Write s3://BUCKET/PREFIX`;
  const prefix = path.replace(/^\/+|\/+$/g, '');
  const parts = prefix === '' ? [] : prefix.split('/');
  // Services and proxies disagree about such keys, and an empty part is often a variable that is not set.
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return `The prefix "${prefix}" has a part that is empty, "." or ".."`;
  return { kind: 's3', bucket, prefix };
}

function folderOf(text: string): Address | string {
  const path = text.slice('file:'.length);
  if (!path.startsWith('//'))
    return path === '' ? 'The target names no folder. Write file:PATH' : { kind: 'file', path: resolve(path) };
  if (!URL.canParse(text) || new URL(text).host !== '') return `"${text}" is not the URL of a folder. Write file:PATH`;
  return { kind: 'file', path: fileURLToPath(text) };
}

function branchOf(text: string): Address | string {
  const hash = text.lastIndexOf('#');
  const [url, branch] = hash === -1 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)];
  if (branch === '')
    return 'The target names no branch. Write git+URL#BRANCH, such as git+https://github.com/OWNER/REPOSITORY#gh-pages';
  if (!isGitRef(branch)) return `"${branch}" cannot be the name of a branch`;
  if (url === '' || url.startsWith('-')) return 'The target names no repository. Write git+URL#BRANCH';
  // A path, which git would look for in another folder.
  const isPath = !url.includes('://') && !/^[^/]+:/.test(url);
  return { kind: 'git', url: isPath ? resolve(url) : url, branch };
}
