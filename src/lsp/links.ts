import { posix } from 'node:path';
import { decode } from '../../integration/urls/parts.ts';
import { encodePath } from '../../integration/urls/relative-url.ts';
import { linkTarget } from '../markdown/links.ts';
import { withoutCode } from '../markdown/parse.ts';
import type { Page } from '../site/model.ts';
import type { ReadDocs } from './follow-folder.ts';

/** A URL in a text, verbatim. */
interface WrittenLink {
  url: string;
  start: number;
}

const urls =
  /\]\(<([^<>\n]+)>|\]\(([^\s()<>]+(?:\([^\s()]*\))?)|\b(?:href|src|img)=\{?["']([^"'\s]+)|^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s<>]+)|^import\s[^'"\n]*["']([^'"\n]+)/dgm;

/** The links, images and imports in a page, outside of its code. */
export function linksIn(text: string): WrittenLink[] {
  return [...withoutCode(text).matchAll(urls)].flatMap(({ indices }) => {
    const [start, end] = indices?.slice(1).find((range) => range !== undefined) ?? [0, 0];
    return end > start ? [{ url: text.slice(start, end), start }] : [];
  });
}

/** The page that a URL opens, written in a file of the folder. */
export function pageOfLink(
  url: string,
  { site, links, file }: Pick<ReadDocs, 'site' | 'links'> & { file: string },
): Page | undefined {
  if (url.startsWith('#')) return site.pages.find((page) => page.source.file === file);
  const [target = ''] = linkTarget(url, file, links).split(/[?#]/, 1);
  const path = decode(target.slice(1));
  return target.startsWith('/') ? site.pages.find((page) => page.path === path) : undefined;
}

/** URL of a file, relative to another. */
export function relativePath(from: string, to: string, isDotted: boolean): string {
  const path = encodePath(posix.relative(posix.dirname(from), to));
  return isDotted && !path.startsWith('.') ? `./${path}` : path;
}
