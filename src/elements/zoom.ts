/** Opens images and diagrams of the content that are shown smaller than they are in a dialog of the window's size. */
export function zoomImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('.prose img')) {
    if (image.closest('a, button, summary, [aria-hidden="true"], .no-zoom, .c-card')) continue;
    if (image.complete) offerZoom(image);
    else image.addEventListener('load', () => offerZoom(image), { once: true });
  }
  for (const drawing of document.querySelectorAll<SVGSVGElement>('.c-diagram-drawing > svg')) {
    const shown = drawing.parentElement?.clientWidth ?? 0;
    // In a tab that is not open, it has no size yet.
    if (shown > 0 && drawing.viewBox.baseVal.width > shown * 1.1) addZoom(drawing);
  }
}

function offerZoom(image: HTMLImageElement): void {
  const isDrawing = /\.svg(?:[?#]|$)|^data:image\/svg/i.test(image.currentSrc);
  const shown = image.clientWidth;
  // Icons and emoji in text stay as they are.
  if (shown < 100 || (!isDrawing && image.naturalWidth < shown * 1.1)) return;
  if (!image.alt) image.setAttribute('aria-label', document.documentElement.dataset['expand'] ?? 'Expand');
  addZoom(image);
}

function addZoom(image: HTMLImageElement | SVGSVGElement): void {
  image.classList.add('c-zoomable');
  image.setAttribute('tabindex', '0');
  image.setAttribute('role', 'button');
  image.setAttribute('aria-haspopup', 'dialog');
  image.addEventListener('click', () => openZoom(image));
  image.addEventListener('keydown', (event: Event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    openZoom(image);
  });
}

function openZoom(image: HTMLImageElement | SVGSVGElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'c-zoom';
  dialog.setAttribute('aria-label', image.getAttribute('alt') || (image.getAttribute('aria-label') ?? ''));
  dialog.append(largeCopy(image));
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    image.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}

function largeCopy(image: HTMLImageElement | SVGSVGElement): Element {
  if (image instanceof HTMLImageElement) return Object.assign(new Image(), { src: image.currentSrc, alt: image.alt });
  const copy = image.cloneNode(true) as SVGSVGElement;
  for (const name of ['style', 'class', 'tabindex', 'aria-haspopup']) copy.removeAttribute(name);
  copy.setAttribute('role', 'img');
  return copy;
}
