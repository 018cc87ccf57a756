import { adoptPageStyle } from '../shared/style.ts';
import { besideStyle } from './style.ts';

// A narrower window has no room for the page and a dialog side by side.
const wide = matchMedia('(min-width: 80rem)');

export interface DockedDialogOptions {
  /** Called when the dialog opens, and when it moves. */
  shown: () => void;
  /** Called when the dialog has closed. */
  closed: () => void;
}

/** A dialog beside the page where there is room, else a modal one above it. */
export class DockedDialog {
  readonly #dialog: HTMLDialogElement;
  readonly #options: DockedDialogOptions;
  #returnTo: Element | null = null;

  constructor(dialog: HTMLDialogElement, options: DockedDialogOptions) {
    this.#dialog = dialog;
    this.#options = options;
    adoptPageStyle(besideStyle);
    dialog.addEventListener('keydown', (event) => {
      // A modal dialog does this on its own.
      if (event.key !== 'Escape' || this.isModal || event.isComposing) return;
      event.stopPropagation();
      dialog.close();
    });
    dialog.addEventListener('close', () => this.#onClose());
    wide.addEventListener('change', () => dialog.open && this.#show());
  }

  get hasRoomBeside(): boolean {
    return wide.matches;
  }

  get isModal(): boolean {
    return this.#dialog.matches(':modal');
  }

  open(): void {
    this.#returnTo = document.activeElement;
    this.#show();
  }

  #show(): void {
    const root = this.#dialog.getRootNode();
    const within = root instanceof ShadowRoot ? root.activeElement : null;
    if (this.#dialog.open) {
      this.#releasePage();
      this.#dialog.close();
    }
    if (wide.matches) {
      // `show()` would move the focus.
      this.#dialog.open = true;
      document.documentElement.setAttribute('data-ask-open', '');
    } else {
      this.#dialog.showModal();
      document.documentElement.style.overflow = 'hidden';
    }
    focus(within);
    this.#options.shown();
  }

  #releasePage(): void {
    document.documentElement.removeAttribute('data-ask-open');
    document.documentElement.style.removeProperty('overflow');
  }

  #onClose(): void {
    // The dialog only moved from beside the page to above it, or back.
    if (this.#dialog.open) return;
    this.#releasePage();
    this.#options.closed();
    if (this.#returnTo?.isConnected) focus(this.#returnTo);
  }
}

function focus(target: Element | null): void {
  if (target instanceof HTMLElement) target.focus();
}
