// What the page's own script and the scripts that it loads say to each other: events on `document`, and what a link carries along.

/** Opens the search dialog; `detail` is a `SearchRequest`. */
export const OPEN_SEARCH = 'carrel-search-open';

/** Highlights words of the page; `detail` is the list of their terms. */
export const HIGHLIGHT_TERMS = 'carrel-highlight-terms';

/** Opens the ask panel; `detail` is an `AskRequest`. */
export const OPEN_ASK = 'carrel-ask-open';

/** Opens the playground; `detail` is a `PlaygroundRequest`. */
export const OPEN_PLAYGROUND = 'carrel-playground-open';

/** Draws diagrams; `detail` is a `DiagramRequest`. */
export const DRAW_DIAGRAMS = 'carrel-diagrams-draw';

/** Says what the reader does; `detail` is a `ReaderAction`. */
export const READER_ACTION = 'carrel-reader-action';

/** Query parameter of a result's URL: the terms that were found, separated by spaces. */
export const HIGHLIGHT_PARAMETER = 'highlight';

declare global {
  interface DocumentEventMap {
    [OPEN_SEARCH]: CustomEvent<SearchRequest>;
    [HIGHLIGHT_TERMS]: CustomEvent<string[]>;
    [OPEN_ASK]: CustomEvent<AskRequest>;
    [OPEN_PLAYGROUND]: CustomEvent<PlaygroundRequest>;
    [DRAW_DIAGRAMS]: CustomEvent<DiagramRequest>;
    [READER_ACTION]: CustomEvent<ReaderAction>;
  }
}

export interface SearchRequest {
  /** Opens the ask panel from the dialog; absent where the page does not offer Ask. */
  ask?: OpenAsk;
  /** Replaces what is in the field; empty, the field stays as it is. */
  text: string;
}

/** Opens the ask panel. */
export type OpenAsk = (request: AskRequest) => void;

export interface PlaygroundRequest {
  /** An `Operation`: this folder does not know the playground's types. */
  operation: CustomEvent['detail'];
  /** Called just before the dialog is shown. */
  opened(this: void): void;
  /** Called when a script that the dialog needs cannot be loaded. */
  failed(this: void, error: unknown): void;
}

export interface DiagramRequest {
  figures: HTMLElement[];
  /** Opens Mermaid with what it gets instead of images and style elements. */
  openMermaid(this: void, image: object, styleElement: () => Element): Mermaid;
}

/** The part of Mermaid's interface that is used here (mermaid.js.org/config/usage.html). */
export interface Mermaid {
  initialize(config: object): void;
  /** Throws what is wrong with a source. */
  parse(source: string): Promise<unknown>;
  render(id: string, source: string): Promise<{ svg: string }>;
}

export interface AskRequest {
  /** Fills the field; the reader sends it. */
  text?: string;
  /** What the question is about. */
  about?: AskContext;
  /** The panel was open on the page before: the focus stays where it is. */
  again?: boolean;
  /** Loads what makes the suggestions of an empty panel. */
  questions?: (this: void) => Promise<{ suggestions: (settings: string[], about: string, language: string) => Suggestion[] }>;
}

export interface Suggestion {
  /** A question, or a heading whose grammar does not say how to ask for it. */
  label: string;
  question: string;
}

/** What the reader selected on the page, in the shape that the API takes. */
export interface AskContext {
  type: 'code' | 'textSelection';
  value: string;
  path?: string;
  elementId?: string;
}

/** What the site's own analytics record, where the settings turn them on. */
export type ReaderAction =
  | { type: 'search'; query: string; hits: number }
  /** The reader opens a result of the last search. */
  | { type: 'result'; page: string }
  | { type: 'search-end' }
  | { type: 'question'; query: string; answer: 'model' | 'quotes' | 'none' };

export function say(action: ReaderAction): void {
  document.dispatchEvent(new CustomEvent(READER_ACTION, { detail: action }));
}

/** URL of a section, with the terms that its page highlights. */
export function resultUrl({ id, terms }: { id: string; terms: string[] }, pageUrl: string): string {
  const anchor = id.includes('#') ? '#' + encodeURIComponent(id.slice(id.indexOf('#') + 1)) : '';
  return `${pageUrl}?${HIGHLIGHT_PARAMETER}=${terms.slice(0, 12).map(encodeURIComponent).join('+')}${anchor}`;
}
