// Makes texts safe where they are shown: in HTML, and (from archives, manifests, repositories and servers) in the terminal.
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

/** A text of many lines without control characters and characters that change the writing direction. */
export function shown(text: string): string {
  return text.replace(unseen, '');
}

/** A name on one line: each such character, including line ends and tabs, becomes a visible escape: `\u{1b}`. */
export function shownName(name: string): string {
  return name.replace(unseenInName, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

const unseen = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const unseenInName = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
