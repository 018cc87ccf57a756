/** Keeps tooltips inside the window, and closes them at Escape. They open without script. */
export function placeTooltips(): void {
  for (const tooltip of document.querySelectorAll<HTMLElement>('.c-tooltip')) {
    const tip = tooltip.querySelector<HTMLElement>('.c-tooltip-tip');
    if (!tip) continue;
    const open = () => {
      tooltip.classList.remove('closed');
      tip.style.setProperty('--shift', '0px');
      const { left, right } = tip.getBoundingClientRect();
      const edge = document.documentElement.clientWidth - 8;
      const shift = left < 8 ? 8 - left : right > edge ? edge - right : 0;
      tip.style.setProperty('--shift', `${shift}px`);
    };
    tooltip.addEventListener('pointerenter', open);
    tooltip.addEventListener('focusin', open);
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tooltip.classList.add('closed');
    });
  }
}
