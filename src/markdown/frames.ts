// Frames load when the reader clicks them: one that fails fires no event, so the browser's error page would stay in the page.
import type { Element } from 'hast';
import { placeholderHtml } from '../../integration/html/placeholder-html.ts';
import { posterMark } from '../../integration/html/export-marks.ts';
import { frameOnClick } from '../../integration/html/references.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { oembedUrl } from '../../integration/urls/oembed.ts';
import { readerUrl } from '../../integration/urls/reader-url.ts';
import { element, raw } from './tree.ts';

type Attributes = Record<string, string | number | boolean>;

/** A frame with the safe attributes of an `<iframe>`, and as its placeholder a link to the page that it shows; undefined without a URL. */
export function frameElement({ src, title, width, height, style, class: className, allow }: Attributes): Element | undefined {
  const url = URL.parse(String(src).replace(/^\/\//, 'https://'));
  if (!url) return undefined;
  const page = readerUrl(url);
  const image = posterOf(page);
  const name = String(title ?? url.hostname);
  return element(
    frameOnClick,
    {
      class: className,
      allow,
      style: [boxOf(width, height), style].filter(Boolean).join(';') || undefined,
      src: url.href,
      title: name,
    },
    [raw(placeholderHtml({ name: 'iframe', words: title === undefined ? undefined : name, url: page, image }))],
  );
}

/** The box of an author's width and height; without them, the stylesheet's. */
function boxOf(width: unknown, height: unknown): string | undefined {
  const [across, down] = [width, height].map((size) => (/^\d+(?:px)?$/.test(String(size)) ? Number.parseInt(String(size)) : 0));
  if (!down) return undefined;
  return across ? `--frame-ratio:${across}/${down}` : `--frame-ratio:auto;--frame-height:${down}px`;
}

/**
 * The image of a video. YouTube has it at a fixed URL; other hosts tell theirs on request, which only an export with `--vendor` makes.
 */
function posterOf(page: string): string | undefined {
  const id = /^https:\/\/www\.youtube\.com\/watch\?v=([\w-]+)$/.exec(page)?.[1];
  const description = oembedUrl(page);
  const source = id
    ? `src="https://i.ytimg.com/vi/${id}/hqdefault.jpg"`
    : description && `${posterMark}="${escapeHtml(description)}"`;
  return source && `<img data-carrel-poster class="c-frame-poster" ${source} alt="" aria-hidden="true" loading="lazy">`;
}
