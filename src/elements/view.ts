/** One of several alternatives of a page (`<carrel-view data-title>`). The first one adds the buttons that choose among them. */
export class View extends HTMLElement {
  connectedCallback() {
    const views = [...document.querySelectorAll<View>('carrel-view')];
    const titles = [...new Set(views.map((view) => view.dataset['title'] ?? ''))];
    if (views[0] !== this || titles.length < 2) return;
    const list = document.createElement('div');
    list.className = 'tab-list view-list';
    list.setAttribute('role', 'group');
    const show = (title: string) => {
      for (const view of views) {
        view.classList.add('view-ready');
        view.hidden = view.dataset['title'] !== title;
      }
      for (const button of list.children) button.setAttribute('aria-pressed', String(button.textContent === title));
    };
    for (const title of titles) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = title;
      button.addEventListener('click', () => show(title));
      list.append(button);
    }
    for (const view of views) view.addEventListener('carrel-reveal', () => show(view.dataset['title'] ?? ''));
    this.before(list);
    if (titles[0] !== undefined) show(titles[0]);
  }
}
