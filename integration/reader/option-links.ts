/** Opens the page of a selected option that the export has given one, in place of what a script of the site would do. */
export function installOptionLinks(): void {
  addEventListener(
    'change',
    (event) => {
      const select = event.composedPath()[0];
      const url = select instanceof HTMLSelectElement ? select.selectedOptions[0]?.dataset['carrelPage'] : undefined;
      if (url === undefined) return;
      event.stopImmediatePropagation();
      location.assign(url);
    },
    // In the capture phase, so before any listener of the page.
    true,
  );
}
