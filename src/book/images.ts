// The images of a book: files of the export in formats that all readers show.
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { FinishedExport } from '../../integration/export/export-input.ts';
import { imageFactsOf } from '../../integration/export/image-sizes.ts';
import { drawingFile } from './drawing.ts';

/** A reader takes four bytes for each, some of them several times. */
const mostPixels = 50_000_000;

const types: Record<string, string> = { png: 'png', jpg: 'jpeg', gif: 'gif', svg: 'svg+xml', webp: 'webp' };

export function createImages(exported: FinishedExport, put: (name: string, contents: string | Uint8Array) => void) {
  const known = new Map<string, string | undefined>();
  const items: { href: string; type: string }[] = [];
  const pixels = new Map<string, number>();
  const problems: Problem[] = [];

  const imageOf = (file: string) => {
    const bytes = exported.readBytes(file);
    const facts = imageFactsOf(bytes);
    const ending = facts?.type ?? (/\.svg$/i.test(file) ? 'svg' : '');
    const contents = ending === 'svg' ? drawingFile(Buffer.from(bytes).toString()) : bytes;
    const size = ending === 'svg' ? 0 : (facts?.pixels ?? 0);
    return types[ending] && contents ? { ending, type: `image/${types[ending]}`, contents, size } : undefined;
  };
  const report = (what: string, page: string, reason: string, hint: string): undefined => {
    const message = `The book has the text of "${what}" instead of the image: ${reason}.`;
    problems.push(createProblem({ kind: 'image-not-in-book', page, message, hint }));
  };
  const added = (file: string, page: string): string | undefined => {
    // The export has reported it.
    if (!exported.files.has(file)) return undefined;
    const image = imageOf(file);
    if (!image)
      return report(file, page, 'it is damaged, or has a format that books cannot show', 'Save it as PNG, JPEG or SVG.');
    if (image.size > mostPixels) return report(file, page, 'it has more than 50 million pixels', 'Save it smaller.');
    const href = `images/${items.length + 1}.${image.ending}`;
    put(href, image.contents);
    pixels.set(href, image.size);
    items.push({ href, type: image.type });
    return href;
  };
  const once = (add: typeof added) => (url: string, page: string) => {
    if (!known.has(url)) known.set(url, add(url, page));
    return known.get(url);
  };

  return {
    items,
    /** How many each of them has. */
    pixels,
    problems,
    /** URL in the book of a file that a page shows; undefined for one that is missing or that books cannot show. */
    add: once(added),
    /** The same of a URL that leaves the site: only a `data:` URL is in the book. */
    external: once((url, page) =>
      /^data:image\//i.test(url)
        ? url.replace(/[\s<>"{}|\\^`]/g, encodeURIComponent)
        : report(url, page, 'it is not a file of the export', 'Export with --vendor, which downloads it.'),
    ),
    /** A `data:` URL of a file of the site, if it is an image. */
    dataUrl(url: string | undefined): string | undefined {
      const file = url?.replace(/^\//, '') ?? '';
      const image = exported.files.has(file) ? imageOf(file) : undefined;
      return image && `data:${image.type};base64,${Buffer.from(image.contents).toString('base64')}`;
    },
  };
}
