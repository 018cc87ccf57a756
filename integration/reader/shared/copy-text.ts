/** Copies a text to the clipboard. While a modal dialog is open, `place` must be an element within it. */
export async function copyText(text: string, place: Node = document.body): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // On plain http:// there is no clipboard interface; the old command still works.
  const field = document.createElement('textarea');
  field.value = text;
  place.appendChild(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
