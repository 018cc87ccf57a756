// The images of a book: files of the export that e-readers show.
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { FinishedExport } from '../../integration/export/export-input.ts';
import { imageTypeOf } from '../../integration/export/image-sizes.ts';
import { drawingFile } from './drawing.ts';
import type { ManifestItem } from './package.ts';

const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

// What readers show that know nothing newer than EPUB 3.2, which has no WebP.
const fallback = 'images/not-shown.svg';
const fallbackText =
  '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"><rect x="1" y="1" width="158" height="88" fill="none" stroke="#777777"/></svg>\n';

export function createImages(exported: FinishedExport, write: (name: string, contents: string | Uint8Array) => void) {
  const known = new Map<string, string | undefined>();
  const items: ManifestItem[] = [];
  const problems: Problem[] = [];

  const contentsOf = (file: string): { type: string; contents: string | Uint8Array } | undefined => {
    const bytes = exported.readBytes(file);
    const type = imageTypeOf(bytes) ?? /\.(svg)$/i.exec(file)?.[1]!.toLowerCase();
    if (type === undefined || types[type] === undefined) return undefined;
    const contents = type === 'svg' ? drawingFile(Buffer.from(bytes).toString()) : bytes;
    return contents === undefined ? undefined : { type, contents };
  };

  const report = (page: string, what: string, reason: string, hint: string): undefined => {
    const message = `The EPUB has the text of "${what}" instead of the image: ${reason}.`;
    problems.push(createProblem({ kind: 'image-not-in-book', page, message, hint }));
  };

  const added = (file: string, page: string): string | undefined => {
    // The export has reported it.
    if (!exported.files.has(file)) return undefined;
    const image = contentsOf(file);
    if (image === undefined)
      return report(page, file, 'it is damaged, or has a format that e-readers do not show', 'Save it as PNG, JPEG or SVG.');
    const { type, contents } = image;
    const href = `images/${items.length + 1}.${type}`;
    write(href, contents);
    if (type === 'webp' && !items.some((item) => item.href === fallback)) {
      write(fallback, fallbackText);
      items.push({ href: fallback, type: types.svg! });
    }
    items.push({ href, type: types[type]!, ...(type === 'webp' && { fallback }) });
    return href;
  };

  return {
    items,
    problems,
    /** URL in the book of an image that a page has; undefined for one that is missing or that e-readers do not show. */
    add(file: string, page: string): string | undefined {
      if (!known.has(file)) known.set(file, added(file, page));
      return known.get(file);
    },
    /** The same of a URL that leaves the site: only a `data:` URL is in the book. */
    external(url: string, page: string): string | undefined {
      if (/^data:image\//i.test(url)) return url.replace(/[\s<>"{}|\\^`]/g, encodeURIComponent);
      if (!known.has(url)) report(page, url, 'it is not a file of the export', 'Export with --vendor, which downloads it.');
      known.set(url, undefined);
      return undefined;
    },
    /** A `data:` URL of a file of the site, if it is an image. */
    dataUrl(url: string | undefined): string | undefined {
      const file = url?.replace(/^\//, '');
      const image = file !== undefined && exported.files.has(file) ? contentsOf(file) : undefined;
      return image && `data:${types[image.type]};base64,${Buffer.from(image.contents).toString('base64')}`;
    },
  };
}
