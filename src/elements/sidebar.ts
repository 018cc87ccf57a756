/** Scrolls the sidebar to the current page's entry, in the column and whenever the drawer opens. */
export function showCurrentEntry(): void {
  const sidebar = document.getElementById('sidebar');
  const entry = sidebar?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!sidebar || !entry) return;
  const show = () => {
    const { top, bottom } = entry.getBoundingClientRect();
    const box = sidebar.getBoundingClientRect();
    // Not scrollIntoView: that would scroll the page as well.
    if (top < box.top || bottom > box.bottom) sidebar.scrollTop += top - box.top - box.height / 3;
  };
  show();
  sidebar.addEventListener('toggle', (event) => event.target === sidebar && show());
}
