// The pages of an export as a book: EPUB 3, made without a browser.
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
import { createLinks } from './links.ts';
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
  const archive = await archiveNewFiles(file, { environment, signal, first: 'mimetype' }, async ({ put, read }) => {
    problems = await writeFiles({ put, read }, exported, options);
  });
  return { archive, problems };
}

async function writeFiles({ put, read }: NewFiles, exported: FinishedExport, { site, siteUrl, signal, ...options }: EpubOptions) {
  const contents = contentsOf(site);
  const entries = flat(contents).filter(({ page }) => page !== undefined);
  const book = bookOf({ site, siteUrl, ...options }, entries);
  const sheets = [...exported.files.keys()].filter((name) => /^_carrel\/[\w.-]+\.css$/.test(name));
  const texts = sheets.sort(chosenFirst).map((name) => exported.read(name));
  const color = lightColors([rootStyle(site.config), ...texts]);
  const images = createImages(exported, (name, bytes) => put(`EPUB/${name}`, bytes));
  const links = createLinks(siteUrl);

  const files = new Map<Entry, string>();
  const chapters: ManifestItem[] = [];
  for (const entry of entries) {
    // Lets a signal take effect.
    if (files.size % 20 === 19) await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    const page = entry.page!;
    const file = exported.pageFile(page.path);
    const absolute = urlJoiner(`/${file}`);
    const { body, anchors, properties } = chapterOf(exported.read(file), {
      color,
      link: (url) => (isElsewhere(url) ? links.external(url) : links.pending(absolute(url))),
      image: (url) =>
        isElsewhere(url)
          ? images.external(url, page.source.file)
          : images.add(decode(splitUrl(absolute(url)).path).slice(1), page.source.file),
    });
    const href = `page-${files.size + 1}.xhtml`;
    files.set(entry, href);
    links.add(file, { href, anchors });
    chapters.push({ href, type: 'application/xhtml+xml', properties, isRead: true });
    put(`EPUB/${href}`, xhtml({ title: page.title || book.title, language: page.language, dir: direction(page.language), body }));
  }
  for (const { href } of chapters) put(`EPUB/${href}`, links.resolved(read(`EPUB/${href}`), href));

  const label = (await labelsOf(book.language)).theme.sidebarNavigation;
  const { colors, logo } = site.config;
  const image = `<section epub:type="cover" class="c-cover"><img src="cover.svg" alt="${xmlText(book.title)}"/></section>`;
  const spine = { type: 'application/xhtml+xml', isRead: true };
  const parts: (ManifestItem & { text: string })[] = [
    { href: 'cover.xhtml', ...spine, text: xhtml({ ...book, body: image }) },
    { href: 'nav.xhtml', ...spine, properties: ['nav'], text: navigationDocument(book, contents, label, files) },
    { href: 'toc.ncx', type: 'application/x-dtbncx+xml', text: ncx(book, contents, files) },
    { href: 'book.css', type: 'text/css', text: stylesheet(texts, color) },
    {
      href: 'cover.svg',
      type: 'image/svg+xml',
      properties: ['cover-image'],
      text: cover(book, { color: colors.primary, logo: images.dataUrl(logo?.light) }),
    },
  ];
  for (const { href, text } of parts) put(`EPUB/${href}`, text);
  put('EPUB/package.opf', packageDocument(book, [...parts, ...chapters, ...images.items]));
  put('META-INF/container.xml', container);
  put('mimetype', 'application/epub+zip');
  return images.problems;
}

/** The colors of code that a site chooses are in a stylesheet of their own. */
function chosenFirst(one: string, other: string): number {
  const isChosen = (name: string) => Number(`/${name}` === codeSheet);
  return isChosen(other) - isChosen(one) || (one < other ? -1 : 1);
}

function bookOf({ site, siteUrl, generator, environment }: Omit<EpubOptions, 'file'>, entries: Entry[]): Book {
  const language = site.defaultLanguage;
  const dates = entries.flatMap(({ page }) => page?.lastUpdated ?? []).sort();
  const epoch = environment.SOURCE_DATE_EPOCH;
  const time = epoch !== undefined && /^\d{1,11}$/.test(epoch) ? Number(epoch) * 1000 : Date.parse(dates.at(-1) ?? '');
  return {
    title: site.name.trim() || (entries[0]?.title ?? ''),
    version: site.defaultDocsVersion,
    description: site.config.description,
    language,
    dir: direction(language),
    siteUrl,
    generator,
    modified: new Date(Number.isNaN(time) ? Date.UTC(2020, 0, 1) : time).toISOString().replace(/\.\d+/, ''),
  };
}
