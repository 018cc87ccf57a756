// What is asked, whichever endpoint it came through: fields checked, roles and parts that mean nothing left out.

/** An earlier message. What others sent as `system` is none of ours, and never here. */
export interface Turn {
  role: 'user' | 'assistant';
  text: string;
}

/** What the reader marked on the page. */
export interface ContextItem {
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
  /** Files by name; `text` only of small text files that came with the request itself. */
  files: { name: string; text?: string }[];
  /** Path of the page being read, without slashes at the ends. */
  currentPath?: string;
  filter: { version?: string; language?: string; groups?: string[] };
  /** Pages of the docs to answer from, 1 to 50. */
  pages: number;
}
