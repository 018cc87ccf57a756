// The pages of an export as a book: EPUB 3, made without a browser.
import type { Problem } from '../../integration/diagnostics.ts';
import type { FinishedExport } from '../../integration/export/export-input.ts';
import { archiveNewFiles, type NewFiles, type PendingFile } from '../../integration/output/write-archive.ts';
import { labelsOf } from '../../integration/texts/index.ts';
import { type BookOptions, writeChapters } from '../book/book.ts';
import { cover } from '../book/cover.ts';
import { stylesheet } from '../book/stylesheet.ts';
import { xmlText } from '../book/xml-tree.ts';
import { container, type ManifestItem, navigationDocument, ncx, packageDocument, xhtml } from './package.ts';

/** Writes the book beside its path. The same export gives the same bytes. */
export async function writeEpub(
  exported: FinishedExport,
  options: BookOptions,
): Promise<{ written: PendingFile; problems: Problem[] }> {
  const { environment, signal, file } = options;
  let problems: Problem[] = [];
  const written = await archiveNewFiles(file, { environment, signal, first: 'mimetype' }, async (files) => {
    problems = await writeFiles(files, exported, options);
  });
  return { written, problems };
}

async function writeFiles(files: NewFiles, exported: FinishedExport, options: BookOptions): Promise<Problem[]> {
  const put = (name: string, contents: string | Uint8Array) => files.put(`EPUB/${name}`, contents);
  const read = (name: string) => files.read(`EPUB/${name}`);
  const { book, contents, chapters, images, sheets, color } = await writeChapters({ ...files, put, read }, exported, options, {
    document: xhtml,
  });
  const document = { type: 'application/xhtml+xml', isRead: true };
  const label = (await labelsOf(book.language)).theme.sidebarNavigation;
  const { colors, logo } = options.site.config;
  const body = `<section epub:type="cover" class="c-cover"><img src="cover.svg" alt="${xmlText(book.title)}"/></section>`;
  const parts: [ManifestItem, text: string][] = [
    [{ href: 'cover.xhtml', ...document }, xhtml({ ...book, body })],
    [{ href: 'nav.xhtml', ...document, properties: ['nav'] }, navigationDocument(book, contents, label)],
    [{ href: 'toc.ncx', type: 'application/x-dtbncx+xml' }, ncx(book, contents)],
    [{ href: 'book.css', type: 'text/css' }, stylesheet(sheets, color)],
    [
      { href: 'cover.svg', type: 'image/svg+xml', properties: ['cover-image'] },
      cover(book, { color: colors.primary, logo: images.dataUrl(logo?.light) }),
    ],
  ];
  for (const [{ href }, text] of parts) put(href, text);
  const items = [...parts.map(([item]) => item), ...chapters.map((one) => ({ ...one, ...document })), ...images.items];
  put('package.opf', packageDocument(book, items));
  files.put('META-INF/container.xml', container);
  files.put('mimetype', 'application/epub+zip');
  return images.problems;
}
