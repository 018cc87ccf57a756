/** Opens images of the content that are shown smaller than they are in a dialog of the window's size. */
export function zoomImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('.prose img')) {
    if (image.closest('a, button, summary, [aria-hidden="true"], .no-zoom, .c-card')) continue;
    if (image.complete) offerZoom(image);
    else image.addEventListener('load', () => offerZoom(image), { once: true });
  }
}

function offerZoom(image: HTMLImageElement): void {
  const isDrawing = /\.svg(?:[?#]|$)|^data:image\/svg/i.test(image.currentSrc);
  const shown = image.clientWidth;
  // Icons and emoji in text stay as they are.
  if (shown < 100 || (!isDrawing && image.naturalWidth < shown * 1.1)) return;
  image.classList.add('c-zoomable');
  image.tabIndex = 0;
  image.setAttribute('role', 'button');
  image.setAttribute('aria-haspopup', 'dialog');
  if (!image.alt) image.setAttribute('aria-label', document.documentElement.dataset['expand'] ?? 'Expand');
  image.addEventListener('click', () => openZoom(image));
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    openZoom(image);
  });
}

function openZoom(image: HTMLImageElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'c-zoom';
  dialog.setAttribute('aria-label', image.alt || (image.getAttribute('aria-label') ?? ''));
  const large = document.createElement('img');
  large.src = image.currentSrc;
  large.alt = image.alt;
  dialog.append(large);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    image.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}
