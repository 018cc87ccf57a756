import { placeholderHtml } from '../../integration/html/placeholder-html.ts';

/** Puts a placeholder in place of each image, video and sound from an external origin that cannot be loaded. */
export function replaceMissingMedia(): void {
  for (const failed of document.querySelectorAll('[data-carrel-failed]')) replaceMissing(failed);
  addEventListener('error', ({ target }) => target instanceof HTMLElement && replaceMissing(target), true);
}

function replaceMissing(failed: Element): void {
  const media = failed.closest<HTMLElement>('video, audio, picture') ?? failed;
  if (!media.matches('video, audio, picture, img')) return;
  // The browser tries the sources in their order.
  if (failed.matches('source') && failed !== media.querySelector(':scope > source:last-of-type')) return;
  const url = URL.parse(failed.getAttribute('src') ?? '', document.baseURI);
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === location.origin) return;
  if (failed.closest('[aria-hidden="true"]')) return media.remove();
  const words = failed.getAttribute('alt') || media.getAttribute('title') || media.getAttribute('aria-label') || '';
  if (!media.closest('.prose')) {
    // Its classes can show it in one color scheme only.
    const text = document.createElement('span');
    text.className = media.className;
    text.textContent = words;
    return media.replaceWith(text);
  }
  media.outerHTML = placeholderHtml({
    name: media.localName,
    words,
    url: url.href,
    inLink: media.closest('a') !== null,
    className: media.className,
  });
}
