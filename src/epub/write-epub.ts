// The pages of an export as a book: EPUB 3, made without a browser.
import { hash } from 'node:crypto';
import type { Problem } from '../../integration/diagnostics.ts';
import type { FinishedExport } from '../../integration/export/export-input.ts';
import { archiveNewFiles, type NewFiles, type PendingArchive } from '../../integration/output/write-archive.ts';
import { labelsOf } from '../../integration/texts/index.ts';
import { decode, isElsewhere, splitUrl, urlJoiner } from '../../integration/urls/parts.ts';
import { direction } from '../site/languages.ts';
import type { Site } from '../site/model.ts';
import { codeSheet } from '../site/site-config.ts';
import { rootStyle } from '../theme/appearance.ts';
import { chapterOf } from './chapter.ts';
import { contentsOf, type Entry, flat } from './contents.ts';
import { createImages } from './images.ts';
import { externalUrl, linked, type LinkedChapter, pendingLink } from './links.ts';
import { type Book, container, cover, type ManifestItem, navigationDocument, ncx, packageDocument, xhtml } from './package.ts';
import { lightColors, stylesheet } from './stylesheet.ts';
import { xmlText } from './xml-tree.ts';

interface EpubOptions {
  file: string;
  site: Site;
  siteUrl?: string;
  generator: string;
  /** For `SOURCE_DATE_EPOCH`. */
  environment: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** Writes the book beside its path. The same export gives the same bytes. */
export async function writeEpub(
  exported: FinishedExport,
  options: EpubOptions,
): Promise<{ archive: PendingArchive; problems: Problem[] }> {
  const { environment, signal, file } = options;
  let problems: Problem[] = [];
  const archive = await archiveNewFiles(file, { environment, signal, first: 'mimetype' }, async (files) => {
    problems = await writeFiles(files, exported, options);
  });
  return { archive, problems };
}

async function writeFiles({ put, read }: NewFiles, exported: FinishedExport, options: EpubOptions): Promise<Problem[]> {
  const { site, siteUrl, signal } = options;
  const contents = contentsOf(site);
  const entries = flat(contents).filter(({ page }) => page !== undefined);
  const book = bookOf(options, entries);
  // The colors of code that a site chooses are in a stylesheet of their own, and count.
  const names = new Set([codeSheet.slice(1), ...[...exported.files.keys()].sort()]);
  const sheets = [...names].filter((name) => /^_carrel\/[\w.-]+\.css$/.test(name) && exported.files.has(name));
  const texts = sheets.map((name) => exported.read(name));
  const color = lightColors([rootStyle(site.config), ...texts]);
  const images = createImages(exported, (name, bytes) => put(`EPUB/${name}`, bytes));
  const document = { type: 'application/xhtml+xml', isRead: true };
  const chapters = new Map<string, LinkedChapter>();
  const items: ManifestItem[] = [];
  for (const entry of entries) {
    // Lets a signal take effect.
    if (items.length % 20 === 19) await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    const { path, title, language, source } = entry.page!;
    const file = exported.pageFile(path);
    const absolute = urlJoiner(`/${file}`);
    const { body, anchors, properties } = chapterOf(exported.read(file), {
      color,
      link: (url) => (isElsewhere(url) ? externalUrl(url) : pendingLink(absolute(url))),
      image: (url) =>
        isElsewhere(url)
          ? images.external(url, source.file)
          : images.add(decode(splitUrl(absolute(url)).path).slice(1), source.file),
    });
    const href = `page-${items.length + 1}.xhtml`;
    entry.href = href;
    chapters.set(file, [href, anchors]);
    items.push({ href, properties, ...document });
    put(`EPUB/${href}`, xhtml({ title: title || book.title, language, dir: direction(language), body }));
  }
  for (const { href } of items) put(`EPUB/${href}`, linked(read(`EPUB/${href}`), href, chapters, siteUrl));

  const label = (await labelsOf(book.language)).theme.sidebarNavigation;
  const { colors, logo } = site.config;
  const body = `<section epub:type="cover" class="c-cover"><img src="cover.svg" alt="${xmlText(book.title)}"/></section>`;
  const parts: [ManifestItem, text: string][] = [
    [{ href: 'cover.xhtml', ...document }, xhtml({ ...book, body })],
    [{ href: 'nav.xhtml', ...document, properties: ['nav'] }, navigationDocument(book, contents, label)],
    [{ href: 'toc.ncx', type: 'application/x-dtbncx+xml' }, ncx(book, contents)],
    [{ href: 'book.css', type: 'text/css' }, stylesheet(texts, color)],
    [
      { href: 'cover.svg', type: 'image/svg+xml', properties: ['cover-image'] },
      cover(book, colors.primary, images.dataUrl(logo?.light)),
    ],
  ];
  for (const [{ href }, text] of parts) put(`EPUB/${href}`, text);
  put('EPUB/package.opf', packageDocument(book, [...parts.map(([item]) => item), ...items, ...images.items]));
  put('META-INF/container.xml', container);
  put('mimetype', 'application/epub+zip');
  return images.problems;
}

function bookOf({ site, siteUrl, generator, environment }: EpubOptions, entries: Entry[]): Book {
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
