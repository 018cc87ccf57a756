/** Shows only the updates with all pressed tags. Without scripts it stays hidden. */
export class UpdateTags extends HTMLElement {
  connectedCallback() {
    const updates = [...document.querySelectorAll<HTMLElement>('.c-update')];
    const buttons = [...this.querySelectorAll('button')];
    if (updates.length < 2) return;
    const filter = () => {
      const pressed = buttons.filter((button) => button.ariaPressed === 'true').map((button) => button.textContent?.trim());
      for (const update of updates) {
        const tags = new Set([...update.querySelectorAll('.c-update-tags li')].map((tag) => tag.textContent?.trim()));
        update.hidden = !pressed.every((tag) => tags.has(tag));
      }
    };
    for (const button of buttons) {
      button.addEventListener('click', () => {
        button.ariaPressed = String(button.ariaPressed !== 'true');
        filter();
      });
    }
    // A link leads to an update that the tags hide.
    for (const update of updates) {
      update.addEventListener('carrel-reveal', () => {
        for (const button of buttons) button.ariaPressed = 'false';
        filter();
      });
    }
    this.hidden = false;
  }
}
