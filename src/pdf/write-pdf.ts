// The pages of an export as a PDF: the chapters of a book, which a Chromium prints. It prints some at a time, because its memory grows with the
// pages of one print; the parts are joined then. It cannot say on which page a link ends, so it prints again where a page number is another than thought.
import { hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Problem } from '../../integration/diagnostics.ts';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import type { ExportOptions, FinishedExport } from '../../integration/export/export-input.ts';
import { type NewFiles, pendingFile, type PendingFile, withNewFiles } from '../../integration/output/write-archive.ts';
import { labelsOf } from '../../integration/texts/index.ts';
import { type BookOptions, writeChapters } from '../book/book.ts';
import { contentsList, type Entry } from '../book/contents.ts';
import { cover } from '../book/cover.ts';
import { stylesheet } from '../book/stylesheet.ts';
import { xmlText } from '../book/xml-tree.ts';
import { rootStyle } from '../theme/appearance.ts';
import { printPage } from './browser.ts';
import { type Bookmark, joinPdf, type Part, readPart } from './join-pdf.ts';
import {
  type Heading,
  linkedIds,
  type Paper,
  papers,
  prefixOf,
  printDocument,
  printed,
  printStyle,
  sectionOf,
} from './print-page.ts';

export interface PdfOptions extends BookOptions {
  browser: string;
  paper: Paper;
  environment: NodeJS.ProcessEnv;
  onProgress?: ExportOptions['onProgress'];
}

/** Writes the book beside its path. Throws an ExportError `BrowserFailed`. */
export async function writePdf(
  exported: FinishedExport,
  options: PdfOptions,
): Promise<{ written: PendingFile; problems: Problem[] }> {
  const { file, site, paper } = options;
  return await withNewFiles(file, async (files) => {
    const headings: Heading[][] = [];
    const { book, contents, chapters, images, sheets, color } = await writeChapters(files, exported, options, {
      prefix: prefixOf,
      document(chapter, number) {
        const { text, headings: own } = sectionOf(chapter, number);
        headings[number] = own;
        return text;
      },
    });
    const { sidebarNavigation: label, onPage } = (await labelsOf(book.language)).theme;
    const fonts = fontRules(sheets, exported, files);
    const style =
      stylesheet(sheets, color) + printStyle({ book, paper, color, fonts, sheets: [rootStyle(site.config), ...sheets] });
    const { colors, logo } = site.config;
    const height = Math.round(1200 * papers[paper].ratio);
    files.put('cover.svg', cover(book, { color: colors.primary, logo: images.dataUrl(logo?.light), height }));
    const front = `<div class="c-cover"><img src="cover.svg" alt="${xmlText(book.title)}"></div><nav class="c-contents" id="contents"><h1>${xmlText(label)}</h1>${contentsList(contents)}</nav>`;
    files.put('page-0.xhtml', front);

    const ids = new Set(['contents', ...headings.flat().map(({ id }) => id), ...chapters.map((_, index) => prefixOf(index + 1))]);
    for (const index of chapters.keys()) for (const id of linkedIds(files.read(`page-${index + 1}.xhtml`))) ids.add(id);
    const plan = plannedParts(files, chapters.length, ids, images.pixels);
    const document = (part: PlannedPart, first: number, pageOf: (id: string) => number) => {
      const after = (id: string, words: string) =>
        /\p{L}{2}|\p{Lo}/u.test(words)
          ? `<span class="c-page-ref"> (${onPage.replace('{number}', String(pageOf(id)))})</span>`
          : '';
      const inContents = (id: string) => `<span class="c-page-ref">${pageOf(id)}</span>`;
      const texts = part.numbers.map((number) => printed(files.read(`page-${number}.xhtml`), number === 0 ? inContents : after));
      return printDocument(texts.join('\n'), { book, paper, style, first, ids: part.ids });
    };
    const parts = await printParts(plan, document, files, options);
    const bookmarks = [{ title: label, id: 'contents', children: [] }, ...bookmarksOf(contents, headings)];
    const written = await pendingFile(file, async (fd) => joinPdf((bytes) => writeSync(fd, bytes), parts, { book, bookmarks }));
    return { written, problems: images.problems };
  });
}

/** The rules of the site's fonts, whose files are put beside the pages. */
function fontRules(sheets: string[], exported: FinishedExport, { put }: NewFiles): string {
  const rules = sheets.flatMap((sheet) => sheet.match(/@font-face\s*\{[^}]*\}/g) ?? []);
  return rules
    .map((rule) =>
      rule.replace(/url\(\s*(["']?)([^)"':]+)\1\s*\)/g, (_, _quote, url: string) => {
        const name = posix.join('_carrel', url);
        if (exported.files.has(name)) put(name, exported.readBytes(name));
        return `url("${name}")`;
      }),
    )
    .join('\n');
}

interface PlannedPart {
  /** Of its chapters. */
  numbers: number[];
  ids: string[];
}

/** Characters of the chapters that are printed at a time: about 100 pages, for which Chromium takes 150 MB. It has images as pixels. */
const partLength = 250_000;
const pixelsPerCharacter = 100;

/** The first part is the cover and the contents. */
function plannedParts(
  { read }: NewFiles,
  chapters: number,
  ids: ReadonlySet<string>,
  pixels: ReadonlyMap<string, number>,
): PlannedPart[] {
  const parts: PlannedPart[] = [{ numbers: [0], ids: ['contents'] }];
  const idsOf = Map.groupBy(ids, (id) => Number(/^c(\d+)-/.exec(id)?.[1]));
  let length = partLength;
  for (let number = 1; number <= chapters; number++) {
    const text = read(`page-${number}.xhtml`);
    const shown = [...text.matchAll(/ src="(images\/[^"]*)"/g)].reduce((sum, [, href]) => sum + (pixels.get(href!) ?? 0), 0);
    const own = text.length + shown / pixelsPerCharacter;
    if (length + own > partLength) {
      parts.push({ numbers: [], ids: [] });
      length = 0;
    }
    length += own;
    parts.at(-1)!.numbers.push(number);
    parts.at(-1)!.ids.push(...(idsOf.get(number) ?? []));
  }
  return parts;
}

/** Page numbers can move others, so what is printed is printed again until they are right; three rounds are enough for all but constructed cases. */
const mostRounds = 6;

async function printParts(
  plan: PlannedPart[],
  document: (part: PlannedPart, first: number, pageOf: (id: string) => number) => string,
  { folder, put }: NewFiles,
  { browser, environment, signal, onProgress }: PdfOptions,
): Promise<Part[]> {
  const parts: Part[] = [];
  const digests: string[] = [];
  let pageOf = (_id: string): number => 100;
  for (let round = 0, isChanged = true; isChanged && round < mostRounds; round++) {
    isChanged = false;
    let first = 1;
    const pages = new Map<string, number>();
    for (const [index, planned] of plan.entries()) {
      const html = document(planned, first, pageOf);
      const digest = hash('sha1', html);
      if (digest !== digests[index]) {
        // Most parts are printed twice: at first, the numbers of pages are not known.
        const done = Math.floor((index + (round === 0 ? 0 : plan.length)) / 2);
        onProgress?.({ stage: 'print', done, total: plan.length });
        isChanged = true;
        digests[index] = digest;
        put('print.html', html);
        const file = join(folder, `part-${index}.pdf`);
        const what = `part ${index + 1} of ${plan.length} of the PDF`;
        await printPage(join(folder, 'print.html'), file, {
          browser,
          environment,
          signal,
          what,
          profile: join(folder, 'profile'),
        });
        parts[index] = partOf(file, browser);
      }
      const part = parts[index]!;
      for (const [id, { index: page }] of part.places) pages.set(id, first + page);
      first += part.pages;
    }
    pageOf = (id) => pages.get(id) ?? 1;
  }
  onProgress?.({ stage: 'print', done: plan.length, total: plan.length });
  return parts;
}

function partOf(file: string, browser: string): Part {
  const hint = 'Name another browser: --browser PATH.';
  let part: Part;
  try {
    part = readPart(file);
  } catch (error) {
    throw new ExportError('BrowserFailed', `What "${browser}" printed cannot be read: ${errorMessage(error)}`, hint);
  }
  const version = Number(/\bm(\d+)/.exec(part.producer)?.[1] ?? 131);
  if (version >= 131) return part;
  throw new ExportError('BrowserFailed', `"${browser}" is Chromium ${version}; --pdf needs version 131 or newer.`, hint);
}

/** A bookmark for each entry of the contents and for each heading. */
function bookmarksOf(entries: Entry[], headings: Heading[][]): Bookmark[] {
  return entries.map(({ title, href, children }) => {
    const inside = bookmarksOf(children, headings);
    const number = Number(/\d+/.exec(href ?? '')?.[0]);
    if (!href) return { title, id: inside[0]!.id, children: inside };
    const own = headings[number]!;
    const rest = own[0]?.depth === 1 ? own.slice(1) : own;
    const name = own[0]?.depth === 1 ? own[0].title : title;
    return { title: name, id: prefixOf(number), children: [...nested(rest), ...inside] };
  });
}

function nested(headings: Heading[]): Bookmark[] {
  const top: Bookmark[] = [];
  const open: { depth: number; children: Bookmark[] }[] = [{ depth: 0, children: top }];
  for (const { depth, title, id } of headings) {
    while (open.at(-1)!.depth >= depth) open.pop();
    const bookmark: Bookmark = { title, id, children: [] };
    open.at(-1)!.children.push(bookmark);
    open.push({ depth, children: bookmark.children });
  }
  return top;
}
