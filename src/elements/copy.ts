import { copyText } from '../../integration/reader/shared/copy-text.ts';

/** Enables the copy button of a code block. */
export class Copy extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector('button');
    if (!button) return;
    const { copy = 'Copy', copied = 'Copied' } = document.documentElement.dataset;
    button.disabled = false;
    button.setAttribute('aria-label', copy);
    const copyCode = async () => {
      await copyText(this.text());
      this.classList.add('copied');
      button.setAttribute('aria-label', copied);
      setTimeout(() => {
        this.classList.remove('copied');
        button.setAttribute('aria-label', copy);
      }, 2000);
    };
    button.addEventListener('click', () => void copyCode());
  }

  private text(): string {
    return (this.closest('figure')?.querySelector('pre code')?.textContent ?? '').replace(/\n$/, '');
  }
}
