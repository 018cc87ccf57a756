// The pages of an export as the chapters of a book, whatever its format.
import { hash } from 'node:crypto';
import type { FinishedExport } from '../../integration/export/export-input.ts';
import type { NewFiles } from '../../integration/output/write-archive.ts';
import { decode, isElsewhere, splitUrl, urlJoiner } from '../../integration/urls/parts.ts';
import { direction } from '../site/languages.ts';
import type { Site } from '../site/model.ts';
import { codeSheet } from '../site/site-config.ts';
import { rootStyle } from '../theme/appearance.ts';
import { chapterOf, type Chapter } from './chapter.ts';
import { contentsOf, type Entry, flat } from './contents.ts';
import { createImages } from './images.ts';
import { externalUrl, linked, type LinkedChapter, pendingLink } from './links.ts';
import { lightColors } from './stylesheet.ts';

export interface BookOptions {
  file: string;
  site: Site;
  siteUrl?: string;
  generator: string;
  /** For `SOURCE_DATE_EPOCH`. */
  environment: Record<string, string | undefined>;
  signal?: AbortSignal;
}

export interface Book {
  /** The same for each edition. */
  identifier: string;
  title: string;
  description?: string;
  language: string;
  dir: 'ltr' | 'rtl';
  /** Public URL of the site. */
  siteUrl?: string;
  version?: string;
  generator: string;
  /** ISO date without milliseconds. */
  modified: string;
}

/** What a document with one chapter says. */
export type ChapterText = Pick<Book, 'title' | 'language' | 'dir'> & Pick<Chapter, 'body'>;

interface Format {
  /** How the IDs of a chapter begin, by its number. */
  prefix?(number: number): string;
  document(chapter: ChapterText, number: number): string;
}

interface WrittenChapters {
  book: Book;
  contents: Entry[];
  chapters: { href: string; properties: string[] }[];
  images: ReturnType<typeof createImages>;
  /** The stylesheets of the site. */
  sheets: string[];
  /** The light value of a variable in them. */
  color: (variable: string) => string;
}

/** Writes the chapters, `page-1.xhtml` and so on, with links between them, and their images. */
export async function writeChapters(
  { put, read }: NewFiles,
  exported: FinishedExport,
  options: BookOptions,
  format: Format,
): Promise<WrittenChapters> {
  const { site, siteUrl, signal } = options;
  const contents = contentsOf(site);
  const entries = flat(contents).filter(({ page }) => page !== undefined);
  const book = bookOf(options, entries);
  // The colors of code that a site chooses are in a stylesheet of their own, and count.
  const names = new Set([codeSheet.slice(1), ...[...exported.files.keys()].sort()]);
  const files = [...names].filter((name) => /^_carrel\/[\w.-]+\.css$/.test(name) && exported.files.has(name));
  const sheets = files.map((name) => exported.read(name));
  const color = lightColors([rootStyle(site.config), ...sheets]);
  const images = createImages(exported, put);
  const chapters = new Map<string, LinkedChapter>();
  const written: WrittenChapters['chapters'] = [];
  for (const entry of entries) {
    // Lets a signal take effect.
    if (written.length % 20 === 19) await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    const { path, title, language, source } = entry.page!;
    const file = exported.pageFile(path);
    const absolute = urlJoiner(`/${file}`);
    const number = written.length + 1;
    const { body, anchors, properties } = chapterOf(exported.read(file), {
      color,
      prefix: format.prefix?.(number),
      link: (url) => (isElsewhere(url) ? externalUrl(url) : pendingLink(absolute(url))),
      image: (url) =>
        isElsewhere(url)
          ? images.external(url, source.file)
          : images.add(decode(splitUrl(absolute(url)).path).slice(1), source.file),
    });
    const href = `page-${number}.xhtml`;
    entry.href = href;
    chapters.set(file, [href, anchors]);
    written.push({ href, properties });
    put(href, format.document({ title: title || book.title, language, dir: direction(language), body }, number));
  }
  for (const { href } of written) put(href, linked(read(href), href, chapters, siteUrl));
  return { book, contents, chapters: written, images, sheets, color };
}

function bookOf({ site, siteUrl, generator, environment }: BookOptions, entries: Entry[]): Book {
  const { defaultLanguage: language, defaultDocsVersion: version, config } = site;
  const title = site.name.trim() || (entries[0]?.title ?? '');
  const epoch = environment.SOURCE_DATE_EPOCH ?? '';
  const changed = entries.flatMap(({ page }) => page?.lastUpdated ?? []).sort();
  const time = /^\d{1,11}$/.test(epoch) ? Number(epoch) * 1000 : Date.parse(changed.at(-1) ?? '');
  const modified = new Date(Number.isNaN(time) ? Date.UTC(2020, 0, 1) : time).toISOString().replace(/\.\d+/, '');
  const digest = hash('sha256', JSON.stringify([siteUrl ?? title, language, version ?? '']));
  const identifier = `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-a$4-$5')}`;
  const { description } = config;
  return { identifier, title, version, description, language, dir: direction(language), siteUrl, generator, modified };
}
