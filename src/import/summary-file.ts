// SUMMARY.md of mdBook (https://rust-lang.github.io/mdBook/format/summary.html) and GitBook
// (https://gitbook.com/docs/getting-started/git-sync/content-configuration): a list of links, with headings as titles of parts.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import type { List, ListItem, PhrasingContent } from 'mdast';
import remarkParse from 'remark-parse';
import { parse as parseToml } from 'smol-toml';
import { unified } from 'unified';
import { parse as parseYaml } from 'yaml';
import { listOf, objectOf } from '../../integration/text/json.ts';
import {
  defined,
  field,
  isExternal,
  pagePath,
  repositoryNavbar,
  type Entry,
  type Imported,
  type ImportNote,
  type Json,
} from './imported.ts';

export function importMdbook(root: string, file: string): Imported {
  const given = objectOf(parseToml(readFileSync(join(root, file), 'utf8')));
  const book = objectOf(given.book);
  const pagesFolder = resolve(root, file, '..', field(book.src) ?? 'src');
  const { entries, notes } = readSummary(join(pagesFolder, 'SUMMARY.md'));
  const html = objectOf(objectOf(given.output).html);
  for (const name of Object.keys(objectOf(given.preprocessor)))
    notes.push({ file, message: `The preprocessor "${name}" has no counterpart: what it adds to pages is missing.` });
  return {
    generator: 'mdBook',
    files: [file, 'SUMMARY.md'],
    pagesFolder,
    notes,
    config: defined({
      name: field(book.title),
      description: field(book.description),
      navigation: { pages: entries },
      navbar: repositoryNavbar(field(html['git-repository-url'])),
      redirects: Object.entries(objectOf(html.redirect)).flatMap(([source, destination]) =>
        typeof destination === 'string'
          ? [
              {
                source: source.replace(/\.html$/, ''),
                destination: isExternal(destination)
                  ? destination
                  : posix.resolve(posix.dirname(source), destination).replace(/\.html(?=#|$)/, ''),
              },
            ]
          : [],
      ),
    }),
  };
}

export function importGitbook(root: string, summary: string): Imported {
  const settings = gitbookSettings(root);
  const pagesFolder = resolve(root, summary, '..');
  const { entries, notes } = readSummary(join(root, summary));
  return {
    generator: 'GitBook',
    files: [summary],
    pagesFolder,
    notes,
    config: defined({
      navigation: { pages: entries },
      redirects: Object.entries(objectOf(settings.redirects)).flatMap(([source, page]) =>
        typeof page === 'string' ? [{ source: `/${source.replace(/^\//, '')}`, destination: `/${pagePath(page)}` }] : [],
      ),
    }),
  };
}

/** Where GitBook's settings say that SUMMARY.md is. */
export function gitbookSummary(root: string): string | undefined {
  const settings = gitbookSettings(root);
  const folder = field(settings.root) ?? '.';
  const summary = posix.join(folder, field(objectOf(settings.structure).summary) ?? 'SUMMARY.md');
  return !summary.startsWith('..') && existsSync(join(root, summary)) ? summary : undefined;
}

function gitbookSettings(root: string): Json {
  const file = join(root, '.gitbook.yaml');
  return existsSync(file) ? objectOf(parseYaml(readFileSync(file, 'utf8'), { logLevel: 'silent' })) : {};
}

function readSummary(file: string): { entries: Entry[]; notes: ImportNote[] } {
  const notes: ImportNote[] = [];
  if (!existsSync(file))
    return { entries: [], notes: [{ file: 'SUMMARY.md', message: 'There is no SUMMARY.md, so the navigation is empty.' }] };
  const tree = unified().use(remarkParse).parse(readFileSync(file, 'utf8'));
  const entries: Entry[] = [];
  let part: Entry[] = entries;
  let isTitle = true;
  for (const node of tree.children) {
    if (node.type === 'heading') {
      const title = plain(node.children);
      // The first heading is the title of the file.
      if (!isTitle || node.depth > 1) {
        const pages: Entry[] = [];
        entries.push({ group: title, pages });
        part = pages;
      }
      isTitle = false;
    } else if (node.type === 'list') part.push(...listEntries(node));
    else if (node.type === 'paragraph') part.push(...linksIn(node.children));
    else if (node.type === 'thematicBreak') part = entries;
  }

  function listEntries(list: List): Entry[] {
    return list.children.flatMap((item) => itemEntries(item));
  }
  function itemEntries({ children, position }: ListItem): Entry[] {
    const paragraph = children.find((child) => child.type === 'paragraph');
    const inner = children.flatMap((child) => (child.type === 'list' ? listEntries(child) : []));
    const title = plain(paragraph?.children ?? []);
    const [page] = paragraph ? linksIn(paragraph.children) : [];
    if (page === undefined && title !== '' && inner.length === 0)
      notes.push({
        file: 'SUMMARY.md',
        line: position?.start.line,
        message: `"${title}" has no page of these docs. It is not imported.`,
      });
    if (inner.length === 0) return page === undefined ? [] : [page];
    return [{ group: title === '' ? 'Pages' : title, ...(typeof page === 'string' ? { root: page } : {}), pages: inner }];
  }
  function linksIn(children: PhrasingContent[]): Entry[] {
    return children.flatMap((child) => {
      if (child.type !== 'link' || child.url === '' || isExternal(child.url)) return [];
      return [pagePath(decodeURI(child.url.split('#')[0]!))];
    });
  }
  return {
    entries: listOf(entries).filter(
      (entry) => typeof entry === 'string' || (objectOf(entry).pages !== undefined && listOf(objectOf(entry).pages).length > 0),
    ) as Entry[],
    notes,
  };
}

function plain(children: PhrasingContent[]): string {
  return children
    .map((child) => ('value' in child ? child.value : 'children' in child ? plain(child.children) : ''))
    .join('')
    .trim();
}
