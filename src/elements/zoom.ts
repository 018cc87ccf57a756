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
    if (shown > 0 && drawing.viewBox.baseVal.width > shown * 1.1) addZoomButton(drawing);
  }
}

function offerZoom(image: HTMLImageElement): void {
  const isDrawing = /\.svg(?:[?#]|$)|^data:image\/svg/i.test(image.currentSrc);
  const shown = image.clientWidth;
  // Icons and emoji in text stay as they are.
  if (shown < 100 || (!isDrawing && image.naturalWidth < shown * 1.1)) return;
  // Without a text it would be decoration, which is no button.
  image.alt ||= document.documentElement.dataset['carrelExpand'] ?? 'Expand';
  addZoom(image);
}

/** A button of its own: the name of a button must have all of the text in it, and a diagram has a lot of text. */
function addZoomButton(drawing: SVGSVGElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'c-zoom-button';
  button.textContent = '⤢';
  button.setAttribute('aria-label', document.documentElement.dataset['carrelExpand'] ?? 'Expand');
  button.setAttribute('aria-haspopup', 'dialog');
  drawing.parentElement?.after(button);
  drawing.classList.add('c-zoomable');
  for (const opener of [button, drawing]) opener.addEventListener('click', () => openZoom(drawing, button));
}

function addZoom(image: HTMLImageElement): void {
  image.classList.add('c-zoomable');
  image.setAttribute('tabindex', '0');
  image.setAttribute('role', 'button');
  image.setAttribute('aria-haspopup', 'dialog');
  image.addEventListener('click', () => openZoom(image, image));
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    openZoom(image, image);
  });
}

/** `opener` gets the focus back. */
function openZoom(image: HTMLImageElement | SVGSVGElement, opener: HTMLElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'c-zoom';
  dialog.setAttribute('aria-label', image.getAttribute('alt') || (image.getAttribute('aria-label') ?? ''));
  dialog.append(largeCopy(image));
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}

function largeCopy(image: HTMLImageElement | SVGSVGElement): Element {
  if (image instanceof HTMLImageElement) return Object.assign(new Image(), { src: image.currentSrc, alt: image.alt });
  const copy = image.cloneNode(true) as SVGSVGElement;
  for (const name of ['style', 'class']) copy.removeAttribute(name);
  return copy;
}
