const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Escapes a text for HTML, between tags and in double quotes. */
export function escapeHtml(text: string): string {
  // Most texts do not need it, and code blocks are escaped token by token.
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities.get(character) ?? character) : text;
}
