/** Options that the export told which page they stand for (`page-choices.ts`) lead there, in place of what a script of the site would do. */
export function installPageChoice(): void {
  addEventListener(
    'change',
    (event) => {
      const select = event.composedPath()[0];
      const address = select instanceof HTMLSelectElement ? select.selectedOptions[0]?.dataset['carrelPage'] : undefined;
      if (address === undefined) return;
      event.stopImmediatePropagation();
      location.assign(address);
    },
    // On the way down, so before any listener of the page.
    true,
  );
}
