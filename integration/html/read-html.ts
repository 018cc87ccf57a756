import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Elements without content, which have no end tag. */
export const voidNames = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** An opening tag. All positions are in the text. */
export interface Tag {
  /** Lower case. */
  name: string;
  start: number;
  /** After its `>`. */
  end: number;
  attributes: Attribute[];
}

export interface Attribute {
  /** Lower case. */
  name: string;
  /** With character references decoded. */
  value: string;
  start: number;
  /** After its closing quote. */
  end: number;
  valueStart: number;
  valueEnd: number;
  quote: '"' | "'" | '';
  /** The role of the attribute, set by `roleOf`; null if its value is not a URL. */
  role?: Role | null;
}

/** The purpose of a URL; determines how it is resolved and written. */
export type ReferenceKind = 'link' | 'markdown' | 'file' | 'srcset' | 'css' | 'refresh' | 'meta' | 'root';

/** What the browser does with an external URL without the reader clicking. */
export type RoleLoad = 'media' | 'frame' | 'code' | 'hint';

export interface Role {
  kind: ReferenceKind;
  load?: RoleLoad;
}

export interface HtmlReader {
  open(tag: Tag): void;
  /** `end` is after the `>`. Void elements and unclosed ones are never closed. */
  close(name: string, start: number, end: number): void;
  /** Text with character references decoded, in any number of pieces, including the contents of `script` and `style`; never comments. */
  text(text: string, start: number): void;
  /** A processing instruction of XML; `text` is between its `<?` and `>`. */
  instruction?(text: string, start: number): void;
}

/** Tokenizes HTML like browsers in one pass, without building a tree. */
export function readHtml(html: string, reader: HtmlReader): void {
  htmlPass(html, reader)(html.length);
}

/** The same in parts: each call reads on up to a position, the last one to the end of the page. */
export function htmlPass(html: string, reader: HtmlReader): (end: number) => void {
  const tokenizer = new Tokenizer({ decodeEntities: true }, tokenCallbacks(html, reader));
  let at = 0;
  let isDone = false;
  return (end) => {
    if (isDone) return;
    tokenizer.write(html.slice(at, end));
    at = end;
    isDone = at === html.length;
    if (isDone) tokenizer.end();
  };
}

export function attribute(tag: Tag, name: string): string | undefined {
  for (const candidate of tag.attributes) if (candidate.name === name) return candidate.value;
  return undefined;
}

const quotes: Record<QuoteType, Attribute['quote']> = {
  [QuoteType.NoValue]: '',
  [QuoteType.Unquoted]: '',
  [QuoteType.Single]: "'",
  [QuoteType.Double]: '"',
};

function tokenCallbacks(html: string, reader: HtmlReader): TokenizerCallbacks {
  let tag: Tag = { name: '', start: 0, end: 0, attributes: [] };
  let name = '';
  let nameStart = 0;
  let nameEnd = 0;
  let value = '';
  let valueStart = -1;
  // In SVG and MathML, a title or a style contains tags, not raw text.
  let foreign = 0;

  const openTag = (end: number) => {
    tag.end = end + 1;
    if (tag.name === 'svg' || tag.name === 'math') foreign++;
    reader.open(tag);
  };
  return {
    onopentagname(start, end) {
      tag = { name: html.slice(start, end).toLowerCase(), start: start - 1, end, attributes: [] };
    },
    onattribname(start, end) {
      name = html.slice(start, end);
      nameStart = start;
      nameEnd = end;
      value = '';
      valueStart = -1;
    },
    onattribdata(start, end) {
      if (valueStart < 0) valueStart = start;
      value = value === '' ? html.slice(start, end) : value + html.slice(start, end);
    },
    onattribentity(codepoint) {
      if (valueStart < 0) valueStart = html.indexOf('&', nameEnd);
      value += String.fromCodePoint(codepoint);
    },
    onattribend(quote, end) {
      const quoted = quote === QuoteType.Double || quote === QuoteType.Single;
      const valueEnd = quoted ? end - 1 : end;
      tag.attributes.push({
        name: name.toLowerCase(),
        value,
        start: nameStart,
        end: quote === QuoteType.NoValue ? nameEnd : end,
        valueStart: valueStart < 0 ? valueEnd : valueStart,
        valueEnd,
        quote: quotes[quote],
        role: undefined,
      });
    },
    onopentagend: openTag,
    onselfclosingtag(end) {
      openTag(end);
      if (foreign === 0) return;
      if (tag.name === 'svg' || tag.name === 'math') foreign--;
      reader.close(tag.name, end, end + 1);
    },
    onclosetag(start, end) {
      const closed = html.slice(start, end).toLowerCase();
      if (foreign > 0 && (closed === 'svg' || closed === 'math')) foreign--;
      const bracket = html.indexOf('>', end);
      reader.close(closed, start - 2, bracket < 0 ? html.length : bracket + 1);
    },
    ontext: (start, end) => reader.text(html.slice(start, end), start),
    ontextentity: (codepoint, end) => reader.text(String.fromCodePoint(codepoint), end),
    oncdata(start, end) {
      if (foreign > 0) reader.text(html.slice(start, end - 2), start);
    },
    isInForeignContext: () => foreign > 0,
    // HTML treats an instruction as a comment that begins with its question mark.
    oncomment(start, end) {
      if (html[start] === '?' && html[start - 1] === '<') reader.instruction?.(html.slice(start + 1, end), start - 1);
    },
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  };
}
