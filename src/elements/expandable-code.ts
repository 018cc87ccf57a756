/** Collapses expandable code blocks and adds a button to each that expands it. */
export function foldCode(): void {
  for (const figure of document.querySelectorAll('.c-code-expandable')) {
    const pre = figure.querySelector('pre');
    if (!pre || pre.scrollHeight < 420) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'c-code-more';
    const show = (open: boolean) => {
      figure.classList.toggle('closed', !open);
      button.setAttribute('aria-expanded', String(open));
    };
    const title = figure.querySelector('.c-code-title')?.textContent?.trim() ?? '';
    button.setAttribute('aria-label', `${document.documentElement.dataset['expand'] ?? 'Expand'} ${title}`.trim());
    button.addEventListener('click', () => show(figure.classList.contains('closed')));
    figure.append(button);
    show(false);
  }
}
