import { copyText } from '../../integration/reader/shared/copy-text.ts';

/** Enables the copy button of a code block. */
export class Copy extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector('button');
    if (!button) return;
    const { carrelCopy: copy = 'Copy', carrelCopied: copied = 'Copied' } = document.documentElement.dataset;
    button.disabled = false;
    button.setAttribute('aria-label', copy);
    const copyCode = async () => {
      await copyText(this.text());
      this.classList.add('c-copied');
      button.setAttribute('aria-label', copied);
      setTimeout(() => {
        this.classList.remove('c-copied');
        button.setAttribute('aria-label', copy);
      }, 2000);
    };
    button.addEventListener('click', () => void copyCode());
  }

  private text(): string {
    return (this.closest('figure')?.querySelector('pre code')?.textContent ?? '').replace(/\n$/, '');
  }
}

/** Collapses expandable code blocks and adds a button to each that expands it. */
export function foldCode(): void {
  for (const figure of document.querySelectorAll('.c-code-expandable')) {
    const pre = figure.querySelector('pre');
    if (!pre || pre.scrollHeight < 420) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'c-code-more';
    const show = (open: boolean) => {
      figure.classList.toggle('c-closed', !open);
      button.setAttribute('aria-expanded', String(open));
    };
    const title = figure.querySelector('.c-code-title')?.textContent?.trim() ?? '';
    button.setAttribute('aria-label', `${document.documentElement.dataset['carrelExpand'] ?? 'Expand'} ${title}`.trim());
    button.addEventListener('click', () => show(figure.classList.contains('c-closed')));
    figure.append(button);
    show(false);
  }
}

/** Keeps tooltips inside the window, and closes them at Escape. They open without script. */
export function placeTooltips(): void {
  for (const tooltip of document.querySelectorAll<HTMLElement>('.c-tooltip')) {
    const tip = tooltip.querySelector<HTMLElement>('.c-tooltip-tip');
    if (!tip) continue;
    const open = () => {
      tooltip.classList.remove('c-closed');
      tip.style.setProperty('--shift', '0px');
      const { left, right } = tip.getBoundingClientRect();
      const edge = document.documentElement.clientWidth - 8;
      const shift = left < 8 ? 8 - left : right > edge ? edge - right : 0;
      tip.style.setProperty('--shift', `${shift}px`);
    };
    tooltip.addEventListener('pointerenter', open);
    tooltip.addEventListener('focusin', open);
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tooltip.classList.add('c-closed');
    });
  }
}
