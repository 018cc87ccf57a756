/** A frame from an external origin that loads when the reader clicks its placeholder, which is a link to the page that it shows. */
export class Frame extends HTMLElement {
  connectedCallback() {
    const src = this.getAttribute('src');
    const link = this.querySelector('a');
    if (!src || !link) return;
    const url = new URL(src);
    // YouTube plays only in pages with an address: https://developers.google.com/youtube/terms/required-minimum-functionality
    if (location.protocol === 'file:' && /(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname)) return;
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.replaceChildren(this.frame(url));
      this.querySelector('iframe')?.focus();
    });
  }

  private frame(url: URL): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    // The reader has clicked it: a video need not be started again.
    if (players.test(url.hostname)) url.searchParams.set('autoplay', '1');
    frame.title = this.title;
    frame.allow = ['autoplay', 'fullscreen', this.getAttribute('allow')].filter(Boolean).join('; ');
    frame.referrerPolicy = 'strict-origin-when-cross-origin';
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-presentation allow-forms');
    frame.src = url.href;
    return frame;
  }
}

const players = /(?:^|\.)(?:youtube|youtube-nocookie|vimeo|loom)\.com$/;
