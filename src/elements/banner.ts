import { stores } from './theme-choice.ts';

/** A banner that can be dismissed, and stays so until its text changes. */
export class Banner extends HTMLElement {
  connectedCallback() {
    this.querySelector('.banner-dismiss')?.addEventListener('click', () => {
      stores(() => localStorage.setItem('carrel-banner', document.documentElement.dataset['banner'] ?? ''));
      document.documentElement.classList.add('banner-dismissed');
    });
  }
}
