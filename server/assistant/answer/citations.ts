// Models cite in many forms. Readers get citations of the form `[1][2]`, of sources that exist.

/**
 * Lets Markdown through piece by piece. `[1]`, `[1, 2]`, `[1-3]`, `[^1]` and `【1】` become `[1][2]…` of the numbers that `numberOf`
 * returns for them, each once in a row, or nothing when it returns none; they are never cut in two. It is called when a citation is sent.
 * Code and links such as `[1](…)` stay unchanged.
 */
export function createCitationFilter(numberOf: (number: number) => number | undefined) {
  let held = '';
  /** Numbers that were cited in a row, without text between them: before this step, and in it. */
  let row: number[] = [];
  let cited: number[] = [];
  /** The mark of the code block that is open. */
  let fence: string | undefined;
  let lineStart = true;

  return {
    /** The text that can be sent after one more piece of the answer. */
    push: (piece: string): string => run(piece, false) /** The rest. */,
    end: (): string => run('', true),
  };

  function run(piece: string, final: boolean): string {
    held += piece;
    let out = '';
    while (held !== '') {
      const step = next(final);
      if (step === undefined) break;
      const [text, length] = step;
      row = cited;
      cited = [];
      lineStart = held[length - 1] === '\n';
      held = held.slice(length);
      out += text;
    }
    return out;
  }

  /** The text for the first characters of what is held, and their number; undefined when more text is needed. */
  function next(final: boolean): [text: string, length: number] | undefined {
    const asIs = (length: number): [string, number] => [held.slice(0, length), length];
    if (lineStart) {
      const line = held.search('\n');
      const isWhole = line !== -1 || final;
      // A line that could still become a fence is held back.
      if (!isWhole && /^[ \t>]*(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n]*)$/.test(held)) return undefined;
      const [whole = '', mark] = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n?/.exec(held) ?? [];
      if (fence !== undefined) {
        const closes = mark?.startsWith(fence) && whole.trim().replace(/^[ \t>]*/, '') === mark;
        if (closes) fence = undefined;
        return asIs(whole.length || lineLength(held));
      }
      if (mark !== undefined && !(mark.startsWith('`') && whole.replace(/^[ \t>]*`+/, '').includes('`'))) {
        fence = mark;
        return asIs(whole.length);
      }
    }
    if (fence !== undefined) return asIs(lineLength(held));
    if (held[0] === '`') return codeSpan(final);
    if (held[0] === '\\') return held.length > 1 || final ? asIs(Math.min(2, held.length)) : undefined;
    if (citationStart.test(held)) return citation(final);
    const plain = /^(?:[^`\\[【 \n]+|\n| +(?![[【 ]|$)[^`\\[【 \n]*)/.exec(held)?.[0];
    if (plain) return asIs(plain.length);
    // Spaces at the end belong to a citation that could follow.
    return final || held.length > longest ? asIs(held.length) : /^ +$/.test(held) ? undefined : asIs(1);
  }

  /** Code up to the same number of ticks; ticks without a match in the same paragraph are text. */
  function codeSpan(final: boolean): [string, number] | undefined {
    const [ticks = ''] = /^`+/.exec(held) ?? [];
    if (ticks.length === held.length && !final) return undefined;
    const close = new RegExp(`[^\`]${ticks}(?!\`)`).exec(held.slice(ticks.length));
    const paragraph = held.search(/\n[ \t]*\n/);
    const end = close ? ticks.length + close.index + 1 + ticks.length : undefined;
    if (end !== undefined && (paragraph === -1 || end < paragraph)) {
      // One more tick could still follow and make the run longer.
      if (end === held.length && !final) return undefined;
      return [held.slice(0, end), end];
    }
    return final || paragraph !== -1 || held.length > longestSpan ? [ticks, ticks.length] : undefined;
  }

  function citation(final: boolean): [string, number] | undefined {
    const found = whole.exec(held);
    if (!found) {
      if (!final && held.length <= longest && begun.test(held)) return undefined;
      const [open = held] = /^ *./su.exec(held) ?? [];
      return [open, open.length];
    }
    const [text, blanks = '', bracketed, fullWidth] = found;
    const after = held[text.length];
    if (after === undefined && !final) return undefined;
    // A link, or the definition of one.
    if (after === '(' || (after === ':' && lineStart && blanks === '')) return [text, text.length];
    const numbers = numbersIn(bracketed ?? fullWidth ?? '').flatMap((number) => numberOf(number) ?? []);
    const fresh = [...new Set(numbers)].filter((number) => !row.includes(number));
    cited = [...row, ...fresh];
    if (fresh.length > 0) return [blanks + fresh.map((number) => `[${number}]`).join(''), text.length];
    if (numbers.length > 0) return ['', text.length];
    return [after !== undefined && /[\p{L}\p{N}]/u.test(after) ? blanks : '', text.length];
  }
}

// With the spaces before it, which are removed with it.
const citationStart = /^ *[[【]/;
const begun = /^ *(?:\[\^?[\d\s,;–-]*|【\d*(?:†[^】\n]*)?)$/;
const whole = /^( *)(?:\[\^?(\s*\d+(?:\s*[,;–-]\s*\d+)*\s*)\]|【(\d+)(?:†[^】\n]*)?】)/;
const longest = 80;
const longestSpan = 400;

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
