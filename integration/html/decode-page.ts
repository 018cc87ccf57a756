// Decodes the bytes of a page. An export is written in UTF-8, so the page then declares UTF-8.
import { isUtf8 } from 'node:buffer';
import { applyEdits, type Edit } from '../text/edit.ts';
import { attribute, readHtml, type Attribute, type Tag } from './read-html.ts';

/**
 * The text of a page, its own declarations of another encoding changed to `utf-8`; undefined for bytes that are not text, or not in the
 * declared encoding. The byte order mark wins, then valid UTF-8 (hosts declare it in a header, which wins over the declaration of an
 * old page), then the page's `<meta>` or XML declaration. A byte order mark stays: a page without a declaration needs it.
 * https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function pageText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) return undefined;
  const text = encoding === 'utf-8' ? bufferOf(bytes).toString() : decoded(bytes, encoding);
  return text === undefined ? undefined : declaredUtf8(text);
}

/** Whether bytes are text, as `pageText` reads it. */
export function isPageText(bytes: Uint8Array): boolean {
  const encoding = encodingOf(bytes);
  return encoding === 'utf-8' || (encoding !== undefined && decoded(bytes, encoding) !== undefined);
}

/** Bytes in which the standard looks for a declaration, and in which a NUL shows that a file is not text. */
const prescanned = 1024;
const searched = 8192;

/** `utf-8` for bytes in UTF-8; the declared encoding of other bytes, which may be wrong; undefined if they are not text. */
function encodingOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.subarray(0, searched).includes(0)) return undefined;
  // ISO-2022-JP uses only ASCII bytes; escape sequences distinguish it.
  if (isUtf8(bytes) && !(bytes.includes(escape) && isEscaped(bytes))) return 'utf-8';
  const label = declarations(startOf(bytes))[0]?.label;
  // A readable declaration cannot be true if it says UTF-16: it means UTF-8, which these bytes are not.
  if (label === undefined || /^(?:utf-?(?:8|16)|unicode|x-unicode|ucs-2|iso-10646-ucs-2|csunicode)/i.test(label))
    return undefined;
  return label.toLowerCase() === 'x-user-defined' ? 'windows-1252' : label;
}

const escape = 0x1b;

function isEscaped(bytes: Uint8Array): boolean {
  return /^(?:cs)?iso-?2022-?jp$/i.test(declarations(startOf(bytes))[0]?.label ?? '');
}

/** The start of a page with one character per byte. */
function startOf(bytes: Uint8Array): string {
  return bufferOf(bytes.subarray(0, prescanned)).toString('latin1');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Undefined for an unknown encoding, and for bytes that are not valid in it. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function declaredUtf8(text: string): string {
  const start = text.slice(0, prescanned);
  const edits = declarations(start)
    .filter(({ label }) => !/^utf-?8$/i.test(label))
    .map(({ edit }) => edit);
  return edits.length === 0 ? text : applyEdits(text, edits);
}

interface Declaration {
  label: string;
  /** Replaces it by `utf-8`. */
  edit: Edit;
}

/** The declarations of an encoding at the start of a page, the one that applies first; empty if it only declares UTF-8. */
function declarations(start: string): Declaration[] {
  // Most pages need no second pass.
  if (!otherEncoding.test(start)) return [];
  const found: Declaration[] = [];
  readHtml(start, {
    open(tag) {
      const declaration = tag.name === 'meta' ? ofMeta(tag, start) : undefined;
      if (declaration) found.push(declaration);
    },
    close() {},
    text() {},
  });
  const xml = /^\ufeff?(<\?xml[^>]*?\sencoding\s*=\s*["'])([\w.:-]+)/.exec(start);
  if (xml) {
    const end = xml[0].length;
    found.push({ label: xml[2]!, edit: { start: end - xml[2]!.length, end, text: 'utf-8' } });
  }
  return found;
}

const otherEncoding = /(?:charset|encoding)\s*=\s*["']?\s*(?!utf-?8["'\s/>;?])[^\s"'>;]/i;

function ofMeta(tag: Tag, html: string): Declaration | undefined {
  const given = tag.attributes.find(({ name }) => name === 'charset');
  if (given) return { label: given.value.trim(), edit: replaced(given, 'utf-8') };
  if (attribute(tag, 'http-equiv')?.trim().toLowerCase() !== 'content-type') return undefined;
  const content = tag.attributes.find(({ name }) => name === 'content');
  const label = content && charset.exec(content.value)?.[2];
  if (!label) return undefined;
  const written = html.slice(content.valueStart, content.valueEnd);
  return { label, edit: replaced(content, written.replace(charset, '$1utf-8')) };
}

const charset = /(charset\s*=\s*["']?\s*)([^\s"';]+)/i;

function replaced({ valueStart: start, valueEnd: end }: Attribute, text: string): Edit {
  return { start, end, text };
}
