/** Copies a text to the clipboard. While a modal dialog is open, `parent` must be an element within it. */
export async function copyText(text: string, parent: Node = document.body): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // On plain http:// there is no clipboard interface; the old command still works.
  const field = document.createElement('textarea');
  field.value = text;
  parent.appendChild(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
