// What a model writes, as readers get it. Models cite in many forms; readers get citations of the form `[1][2]`, of sources that exist. HTML
// and images of a model could run or load something in a client that shows them, so readers get them as text and as links. Links lead only
// where `mayLink` allows, as clients see them: also as definitions, in angle brackets, and of a URL alone.
import { unlinked, urlBeginning, urlStart, type LinkCheck } from './answer-links.ts';

type NumberOf = (number: number) => number | undefined;

/**
 * Lets Markdown through piece by piece.
 *
 * - `[1]`, `[1, 2]`, `[1-3]`, `[^1]` and `【1】` become `[1][2]…` of the numbers that `numberOf` returns for them, each once in a row, or
 *   nothing when it returns none; they are never cut in two. It is called when a citation is sent.
 * - `<` becomes `&lt;` except in `<br>`, `<https://…>` becomes `https://…`, and `![alt](url)` becomes `[alt](url)`.
 *
 * - A link that `mayLink` refuses becomes its text: `[text](url)` becomes `[text]`, and a URL cannot be recognized as one.
 *
 * Code stays unchanged; where a client could take it for text, it gets no HTML, images and links either.
 */
export class AnswerFilter {
  readonly #numberOf: NumberOf;
  readonly #mayLink: LinkCheck;
  #held = '';
  /** A carriage return at the end of a piece, which a line feed may follow. */
  #carried = '';
  /** Numbers that were cited in a row, without text between them: before this step, and in it. */
  #row: number[] = [];
  #cited: number[] = [];
  /** The code block that is open: its mark, and the column where it begins. */
  #fence: { mark: string; indent: number } | undefined;
  /** Whether every client sees the same code blocks so far. In lists and quotes, clients disagree about where they end. */
  #isCertain = true;
  /** Whether every client sees the same code spans in this paragraph so far. */
  #hasCertainSpans = true;
  #lineStart = true;
  /** What was let through since the last blank, at most its end. */
  #word = '';
  /** Whether something was removed right after it. */
  #wasRemoved = false;
  #lineHasWords = false;
  /** The beginning of the line that was let through. */
  #line = '';

  constructor(numberOf: NumberOf, mayLink: LinkCheck) {
    this.#numberOf = numberOf;
    this.#mayLink = mayLink;
  }

  /** The text that can be sent after one more piece of the answer. */
  push(piece: string): string {
    return this.#run(piece, false);
  }

  /** The rest. */
  end(): string {
    return this.#run('', true);
  }

  #run(piece: string, final: boolean): string {
    const text = this.#carried + piece;
    this.#carried = text.endsWith('\r') && !final ? '\r' : '';
    this.#held += text.slice(0, text.length - this.#carried.length).replace(/\r\n?/g, '\n');
    let out = '';
    while (this.#held !== '') {
      const step = this.#next(final);
      if (step === undefined) break;
      const [text, length] = step;
      this.#row = this.#cited;
      this.#cited = [];
      if (this.#lineStart && /^[ \t]*\n/.test(this.#held)) this.#hasCertainSpans = true;
      this.#lineStart = this.#held[length - 1] === '\n';
      this.#held = this.#held.slice(length);
      // Marks that what was removed kept apart must not become other marks.
      const joins = this.#word.endsWith('!') ? text.startsWith('[') : this.#wasRemoved && wouldJoin(this.#word, text);
      out += !this.#fence && joins ? ` ${text}` : text;
      this.#wasRemoved = text === '';
      if (this.#wasRemoved && !this.#lineHasWords) this.#isCertain = false;
      if (this.#wasRemoved && this.#held.startsWith('`')) this.#hasCertainSpans = false;
      this.#line = this.#lineStart ? '' : (this.#line + text).slice(0, 40);
      this.#lineHasWords = !this.#lineStart && (this.#lineHasWords || text.trim() !== '');
      this.#word = text === '' ? this.#word : (/\s/.test(text) ? text : this.#word + text).replace(/^[^]*\s/, '').slice(-100);
    }
    return out;
  }

  /** The text for the first characters of what is held, and their number; undefined when more text is needed. */
  #next(final: boolean): [text: string, length: number] | undefined {
    const asIs = (length: number): [string, number] => [this.#held.slice(0, length), length];
    if (this.#lineStart) {
      const isWhole = this.#held.includes('\n') || final;
      // A line that could still become a fence is held back.
      if (!isWhole && fenceBegun.test(this.#held)) {
        if (this.#held.length < longestLine) return undefined;
        this.#isCertain = false;
      }
      if (this.#fence !== undefined) {
        if (this.#endsBlock(this.#fence)) {
          this.#fence = undefined;
          return asIs(lineLength(this.#held));
        }
        return this.#codeLine(final);
      }
      const [whole = '', prefix = '', mark, info = ''] = fenceLine.exec(this.#held) ?? [];
      if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) {
        this.#isCertain &&= /^ {0,3}$/.test(prefix);
        this.#fence = { mark, indent: prefix.length };
        return [this.#isCertain ? whole : inert(whole, this.#mayLink), whole.length];
      }
    }
    if (this.#fence !== undefined) return this.#codeLine(final);
    if (this.#held[0] === '`') return this.#codeSpan(final);
    if (this.#held[0] === '\\') return this.#escape(final);
    if (this.#held[0] === '<') return this.#angle(final);
    if (this.#held[0] === '!') return this.#exclamation(final);
    if (this.#held[0] === '&') return this.#entity(final);
    if (this.#held[0] === ']') return this.#target(final);
    if (citationStart.test(this.#held)) return this.#citation(final);
    if (this.#isUrl()) return this.#bareUrl(final);
    const plain = this.#plainText(final);
    if (plain === '') return undefined;
    // A formula may contain a tick.
    if (plain?.includes('$')) this.#hasCertainSpans = false;
    if (plain) return asIs(plain.length);
    // Spaces at the end belong to a citation that could follow.
    return final || this.#held.length > longest ? asIs(this.#held.length) : /^ +$/.test(this.#held) ? undefined : asIs(1);
  }

  /** Whether the held line is the end of a code block. */
  #endsBlock({ mark, indent }: { mark: string; indent: number }): boolean {
    const line = this.#held.slice(0, lineLength(this.#held));
    const column = /^[ \t]*/.exec(line)![0].replaceAll('\t', '    ').length;
    if (column < indent && line.trim() !== '') this.#isCertain = false;
    const [, closing] = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/m.exec(line) ?? [];
    if (!closing?.startsWith(mark)) return false;
    if (this.#isCertain && (/^ *>/.test(line) || (column > 3 && indent === 0))) return false;
    this.#isCertain &&= column <= 3;
    return true;
  }

  /** Code up to the same number of ticks; ticks without a match in the same paragraph are text. */
  #codeSpan(final: boolean): [string, number] | undefined {
    const [ticks = ''] = /^`+/.exec(this.#held) ?? [];
    if (ticks.length === this.#held.length && !final) return undefined;
    // Code that is longer is text, so that nothing has to be read twice.
    const near = this.#held.slice(0, longestSpan + 2);
    const close = ticks.length < longestSpan ? new RegExp(`[^\`]${ticks}(?!\`)`).exec(near.slice(ticks.length)) : null;
    const paragraph = near.search(/\n[ \t]*\n/);
    const end = close ? ticks.length + close.index + 1 + ticks.length : undefined;
    if (end !== undefined && (paragraph === -1 || end < paragraph)) {
      // One more tick could still follow and make the run longer.
      if (end === this.#held.length && !final) return undefined;
      const span = this.#held.slice(0, end);
      // A line that begins a block ends the code for some clients, and so do the cell of a table and a URL that takes the tick.
      if (/[\n|]/.test(span) || urlBegun.test(this.#word)) this.#hasCertainSpans = false;
      return [this.#hasCertainSpans ? span : inert(span, this.#mayLink), end];
    }
    if (!final && paragraph === -1 && this.#held.length <= longestSpan) return undefined;
    this.#hasCertainSpans &&= this.#held.length <= longestSpan;
    return [ticks, ticks.length];
  }

  /** A line of a code block, or a part of it where it stays unchanged. */
  #codeLine(final: boolean): [string, number] | undefined {
    const length = lineLength(this.#held);
    if (this.#isCertain) return [this.#held.slice(0, length), length];
    if (this.#held[length - 1] !== '\n' && !final && this.#held.length < longestLine) return undefined;
    return [inert(this.#held.slice(0, length), this.#mayLink), length];
  }

  /** Whether what is held goes on with a word, in which no client looks for a URL. */
  #isInWord(): boolean {
    return !this.#wasRemoved && /[a-z]$/i.test(this.#word);
  }

  /** Whether a URL that clients recognize begins here. */
  #isUrl(): boolean {
    return !this.#isInWord() && urlStart.exec(this.#held.slice(0, 10))?.index === 0;
  }

  /** Text without any marks, up to a URL; empty when a URL could begin at its end. */
  #plainText(final: boolean): string | undefined {
    const plain = /^(?:[^`\\[\]【 \n<!&]+|\n| +(?![[【 ]|$)[^`\\[\]【 \n<!&]*)/.exec(this.#held)?.[0];
    if (plain === undefined) return undefined;
    const url = [...plain.matchAll(urlStarts)].find(({ index }) => index > 0);
    if (url) return plain.slice(0, url.index);
    const begun = plain.length === this.#held.length && !final ? urlBeginning.exec(plain) : null;
    return begun && !(begun.index === 0 && this.#isInWord()) ? plain.slice(0, begun.index) : plain;
  }

  /** A URL without marks around it. */
  #bareUrl(final: boolean): [string, number] | undefined {
    const [token = ''] = /^[^\s<>`|[\]【]+/.exec(this.#held) ?? [];
    return this.#linkText(token, token.length, final);
  }

  /** A URL as the answer has it, with a blank where a client would take what follows it for a part of it. */
  #linkText(token: string, length: number, final: boolean): [string, number] | undefined {
    const end = this.#endOfUrl(this.#held.slice(length), final);
    if (end === undefined) return undefined;
    // Characters at its end may belong to the sentence.
    return [this.#mayLink(token.replace(/[?!.,:;*_~'")]+$/, '')) ? token + end : unlinked(token), length];
  }

  /** What must stand between a URL and what follows it; undefined when more text is needed. */
  #endOfUrl(next: string, final: boolean): string | undefined {
    if (!final && this.#held.length <= longestUrl && /^[?!.,:;*_~'")]*\]?$/.test(next)) return undefined;
    return /^(?:\](?=[([\s]|$)|[?!.,:;*_~'")]*(?:\s|$))/.test(next) ? '' : ' ';
  }

  /** The bracket at the end of a link's text or of a definition's name, `at` characters from here, with the URL behind it. */
  #target(final: boolean, at = 0): [string, number] | undefined {
    const before = this.#held.slice(0, at);
    const rest = this.#held.slice(at);
    const mark = rest[1];
    if (mark === undefined && !final) return undefined;
    if (mark !== '(' && mark !== ':') return [`${before}]`, at + 1];
    const isLink = mark === '(';
    const [text, angled, bare] = (isLink ? linkTarget : definitionTarget).exec(rest) ?? [];
    const url = angled ?? bare;
    const [whole] = isLink ? (wholeTarget.exec(rest) ?? []) : [];
    const isAllowed = text !== undefined && url !== undefined && !/\s/.test(url) && this.#mayLink(url);
    // Without the angle brackets, which could be those of HTML.
    if (isAllowed && !isLink) return [`${before}]: ${url}`, at + text.length];
    if (isAllowed && whole !== undefined) {
      const end = urlStart.test(url) ? this.#endOfUrl(rest.slice(whole.length), final) : '';
      return end === undefined ? undefined : [`${before}](${url}${whole.slice(text.length)}${end}`, at + whole.length];
    }
    if (whole !== undefined) {
      const next = rest[whole.length];
      if (next === undefined && !final) return undefined;
      return [`${before}]${next === '(' || next === ':' ? ' ' : ''}`, at + whole.length];
    }
    if (!final && rest.length <= longestUrl && openTarget.test(rest)) return undefined;
    return [`${before}]${isLink ? ' ' : '\\'}`, at + 1];
  }

  /** Marks such as `&colon;` could write a URL. */
  #entity(final: boolean): [string, number] | undefined {
    const [written = ''] = /^&#?\w{0,30};?/.exec(this.#held) ?? [];
    if (written === this.#held && !written.endsWith(';') && !final) return undefined;
    return [written.endsWith(';') && !harmlessEntity.test(written) ? '&amp;' : '&', 1];
  }

  #escape(final: boolean): [string, number] | undefined {
    if (this.#held.length === 1 && !final) return undefined;
    // The client would read the URL without the backslash.
    if (/[.:/]/.test(this.#held[1] ?? '') && urlBeginning.test(this.#word)) return ['\\\\', 1];
    // Before a letter it escapes nothing, and a URL may follow.
    if (/[\p{L}\p{N}]/u.test(this.#held[1] ?? '')) return ['\\', 1];
    // A URL takes the backslash, so it may escape nothing.
    if (urlBegun.test(this.#word)) this.#hasCertainSpans = false;
    return this.#held[1] === '<' ? ['&lt;', 2] : [this.#held.slice(0, 2), Math.min(2, this.#held.length)];
  }

  #angle(final: boolean): [string, number] | undefined {
    const [lineBreak] = /^<br ?\/?>/i.exec(this.#held) ?? [];
    if (lineBreak !== undefined) return [lineBreak, lineBreak.length];
    const [link, url] = /^<((?:https?:\/\/|mailto:)[^\s<>]*)>/i.exec(this.#held) ?? [];
    if (link !== undefined && url !== undefined) return this.#linkText(url, link.length, final);
    const near = this.#held.slice(0, 10).toLowerCase();
    const isBegun =
      /^<(?:https?:\/\/|mailto:)[^\s<>]*$/i.test(this.#held) ||
      ['<https://', '<http://', '<mailto:', '<br />', '<br/>'].some((start) => start.startsWith(near));
    return isBegun && !final && this.#held.length <= longestUrl ? undefined : ['&lt;', 1];
  }

  /** Exclamation marks, without those that make a link an image. */
  #exclamation(final: boolean): [string, number] | undefined {
    const [marks = ''] = /^!+/.exec(this.#held) ?? [];
    const after = this.#held.slice(marks.length);
    if (!final && (after === '' || (begun.test(after) && after.length <= longest))) return undefined;
    const [number = ''] = whole.exec(after) ?? [];
    if (number !== '' && after[number.length] === undefined && !final) return undefined;
    const isImage = after.startsWith('[') && (number === '' || after[number.length] === '(');
    return [isImage ? '' : marks, marks.length];
  }

  #citation(final: boolean): [string, number] | undefined {
    const found = whole.exec(this.#held);
    if (!found) {
      if (!final && this.#held.length <= longest && begun.test(this.#held)) return undefined;
      const [open = this.#held] = /^ *./su.exec(this.#held) ?? [];
      return [open, open.length];
    }
    const [text, blanks = '', bracketed, fullWidth] = found;
    const after = this.#held[text.length];
    if (after === undefined && !final) return undefined;
    // A link, or the definition of one.
    if (bracketed !== undefined && (after === '(' || (after === ':' && /^[\s>*+.)\d-]*$/.test(this.#line))))
      return this.#target(final, text.length - 1);
    const numbers = numbersIn(bracketed ?? fullWidth ?? '').flatMap((number) => this.#numberOf(number) ?? []);
    const fresh = [...new Set(numbers)].filter((number) => !this.#row.includes(number));
    this.#cited = [...this.#row, ...fresh];
    if (fresh.length > 0) return [blanks + fresh.map((number) => `[${number}]`).join(''), text.length];
    if (numbers.length > 0) return ['', text.length];
    return [after !== undefined && /[\p{L}\p{N}]/u.test(after) ? blanks : '', text.length];
  }
}

// With the spaces before it, which are removed with it.
const citationStart = /^ *[[【]/;
const begun = /^ *(?:\[\^?[\d\s,;–-]*|【\d*(?:†[^】\n]*)?)$/;
const whole = /^( *)(?:\[\^?(\s*\d+(?:\s*[,;–-]\s*\d+)*\s*)\]|【(\d+)(?:†[^】\n]*)?】)/;
/** Up to the end of the URL, which a title may follow. */
const linkTarget = /^\]\(\s*(?:<([^<>\n]*)>|((?:[^\s()<>[\]!`\\]|!(?!\[)|\([^\s()<>[\]!`\\]*\))*))(?=[\s)])/;
const wholeTarget = /^\]\(\s*(?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;
const urlStarts = new RegExp(urlStart, 'gi');
/** One of which the end may follow. */
const openTarget = /^\](?:\((?:[^()\n]|\([^()\n]*\))*(?:\([^()\n]*)?|:[ \t]*\n?[ \t]*\S*)$/;
const definitionTarget = /^\]:[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|([^\s<>[\]!`\\]+))(?=\s)/;
const harmlessEntity = /^&(?:amp|lt|gt|quot|apos|nbsp|ndash|mdash|hellip|copy|reg|times|middot|[lr]arr|[lr]squo|[lr]dquo);$/;
const longest = 80;
const longestSpan = 400;
const longestUrl = 2000;
/** After blanks, and the marks of quotes and lists. */
const fenceLine = /^((?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*)(`{3,}|~{3,})([^\n]*)\n?/;
const fenceBegun = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n]*|[-*+]|\d{1,9}[.)]?)$/;
const urlBegun = /\/\/|www\.|mailto:|xmpp:/i;
const longestLine = 4000;

function numbersIn(text: string): number[] {
  return text.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number);
    return to < from || to - from > 20 ? [] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

function lineLength(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end + 1;
}

/** Code that a client could take for text. */
function inert(code: string, mayLink: LinkCheck): string {
  return code
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/!(?=\[)/g, '! ')
    .replace(/&#?\w+;/g, (entity) => (harmlessEntity.test(entity) ? entity : `&amp;${entity.slice(1)}`))
    .replace(/\](?=[(:])/g, '] ')
    .replace(/(?:(?:https?|ftp):\/\/|www\.|mailto:|xmpp:)[^\s<>`|]*/gi, (url) => (mayLink(url) ? url : unlinked(url)));
}

/** Whether what stands on both sides of something that is removed would become a mark or a URL. */
function wouldJoin(before: string, after: string): boolean {
  if (before.endsWith('`')) return after.startsWith('`');
  if (before.endsWith(']')) return /^[(:]/.test(after);
  return urlBegun.test(before) ? !/^\s/.test(after) : urlBeginning.test(before) && /^[a-z:/.]/i.test(after);
}
