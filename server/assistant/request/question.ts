// A question, the same from every endpoint: its fields are checked, and roles and parts without a meaning are removed.

/** An earlier message. Messages with the role `system` are never here: instructions are the server's own. */
export interface Turn {
  role: 'user' | 'assistant';
  text: string;
}

/** What the reader marked on the page. */
interface ContextItem {
  type: 'code' | 'textSelection';
  value: string;
  path?: string;
  elementId?: string;
}

export interface Question {
  /** Text of the last message of the user. */
  text: string;
  /** Before it, oldest first. */
  turns: Turn[];
  context: ContextItem[];
  /** Files by name; `text` only of small text files that the request itself contains. */
  files: { name: string; text?: string }[];
  /** Path of the page being read, without slashes at the ends. */
  currentPath?: string;
  filter: { version?: string; language?: string; groups?: string[] };
  /** Pages of the docs to answer from, 1 to 50. */
  pages: number;
}
