// Makes texts from archives, manifests, repositories and servers safe for the terminal.

/** A text of many lines without control characters and characters that change the writing direction. */
export function shown(text: string): string {
  return text.replace(unseen, '');
}

/** A name on one line: each such character, including line ends and tabs, becomes a visible escape: `\u{1b}`. */
export function shownName(name: string): string {
  return name.replace(unseenInName, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

// eslint-disable-next-line no-control-regex
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
// eslint-disable-next-line no-control-regex
const unseenInName = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
