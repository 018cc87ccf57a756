/** Copies a text to the clipboard; rejects where the browser refuses. While a modal dialog is open, `parent` must be an element within it. */
export async function copyText(text: string, parent: Node = document.body): Promise<void> {
  const isCopied = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (await isCopied) return;
  // On plain http:// there is no clipboard interface, and some browsers refuse it to files; the old command still works.
  const field = document.createElement('textarea');
  field.value = text;
  parent.appendChild(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('The browser does not let the page copy.');
}
