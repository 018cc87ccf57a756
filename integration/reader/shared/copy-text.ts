/** Puts a text on the clipboard; `place` is an element that the reader can reach, where an open dialog shuts off the rest. */
export async function copyText(text: string, place: Node = document.body): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Plain http:// on a local network has no clipboard interface; the old command still works there.
  const field = document.createElement('textarea');
  field.value = text;
  place.appendChild(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
