// satteri recurses: some thousand nested levels of anything crash the process, even from a worker thread.
// The limits are far above what authors write and far below what crashes; a page that exceeds them only takes longer.

/** Largest page that is parsed as Markdown, in characters. */
export const largestPage = 2_000_000;
/** Empty cells that a page gets for the rows of its tables that are shorter than their head: there can be as many as its length squared. */
export const mostEmptyCells = 20_000;
const deepestBrackets = 500;
const deepestTags = 300;
/** Unclosed JSX-like tags in one expression: each doubles the time, because TypeScript's `<T>x` is possible. */
const deepestCasts = 14;
/** Operators chain without brackets. The numbers that crash: `!` 60,000, `**` 60,000, `a|b` and `a<b` 200,000. */
const mostUnary = 10_000;
const mostBinary = 25_000;
const mostLoose = 80_000;
const mostKeywords = 4_000;
const mostEntities = 4_000;
const longestLabelChain = 1_000;
const deepestContainers = 100;

/** Whether a source is too large to be parsed as Markdown. Images in `data:` URLs, which notebooks contain, do not count: they have no markup. */
export function isTooLarge(source: string): boolean {
  if (source.length <= largestPage) return false;
  return source.replace(/data:[\w/+.-]{1,100};base64,[\w+/=-]+/g, '').length > largestPage;
}

/** Whether the fast parser can parse a source without a crash. */
export function isSafeForFastParser(source: string, kind: 'mdx' | 'md'): boolean {
  if (isTooLarge(source) || !hasSaneContainers(source) || !hasSaneEntities(source, kind)) return false;
  if (kind === 'md') return true;
  // A string has no operators. Anything else that looks like a `data:` URL can be code.
  const text = source.includes(';base64,') ? source.replace(/(["'])data:[\w/+.-]{1,100};base64,[\w+/=-]+\1/g, '$1$1') : source;
  const code = possibleCode(text);
  return countOf(text.slice(...code), keywords, mostKeywords) < mostKeywords && hasSaneNesting(text, code);
}

/** From the first to the last place that can be JavaScript. Operators and keywords elsewhere are prose. */
function possibleCode(source: string): [start: number, end: number] {
  const statement = source.search(/^(?:import|export)\b/m);
  const brace = source.indexOf('{');
  if (statement === -1) return brace === -1 ? [0, 0] : [brace, source.lastIndexOf('}') + 1];
  return [brace === -1 ? statement : Math.min(statement, brace), source.length];
}

/** Whether every text has few enough character references; joining the parts of one with very many takes gigabytes. */
function hasSaneEntities(source: string, kind: 'mdx' | 'md'): boolean {
  const isSane = (text: string) => countOf(text, /&#?\w{1,40};/g, mostEntities) < mostEntities;
  return isSane(source) || source.split(/\n[ \t]*\n/).every((block) => isSane(block) || textsOf(block, kind).every(isSane));
}

/** Parts of a block that are certainly not one text: items of a list, rows of a table, and in MDX the texts between tags. HTML is not parsed. */
function textsOf(block: string, kind: 'mdx' | 'md'): string[] {
  if (kind === 'mdx' && block.includes('<')) return block.split(/(?<!\\)<\/?(?=[a-z])/i);
  if (kind === 'md' && /^\n* {0,3}<\/?(?:table|thead|tbody|tr|td|th|div|ul|ol|dl|section|details)[\s>]/i.test(block)) return [];
  const [head = '', delimiter = ''] = block.replace(/^\n+/, '').split('\n', 2);
  const cells = /^ {0,3}\|[^\\]*\|[ \t]*$/.test(head) && /^ {0,3}(?:\|[ \t]*:?-+:?[ \t]*)+\|[ \t]*$/.test(delimiter);
  if (cells && head.split('|').length === delimiter.split('|').length) return block.split(/\n(?= {0,3}\|)/);
  return block.split(/\n(?= {0,3}[-*+] {1,4}\S)/);
}

/** Whether remark parses a source in a second or two. It throws where satteri crashes, but its time is quadratic. */
export function isSafeForRemark(source: string): boolean {
  if (source.length > 200_000) return false;
  const closing = countOf(source, /[}>]/g, 100_000);
  return closing * source.length < 50_000_000 && countOf(source, /[*_]/g, 5_000) < 5_000;
}

/**
 * Whether every HTML tag is also one in CommonMark: no unquoted value has `=` or a quote.
 * satteri makes an element of `<img src=x onerror=a=b>`, which CommonMark reads as text.
 */
export function hasCommonTags(source: string): boolean {
  const unquoted = source.replace(/"[^"\n]*"|'[^'\n]*'/g, '""');
  return !/<[a-z][^<>\n]*=\s*[^\s"'=<>`]+[=`"']/i.test(unquoted);
}

/** Whether block quotes and lists nest no deeper than authors write. Deeper ones take quadratic time in any parser. */
export function hasSaneContainers(source: string): boolean {
  let start = 0;
  while (start < source.length) {
    let markers = 0;
    let i = start;
    for (; i < source.length; i++) {
      const code = source.charCodeAt(i);
      if (code === greaterThan || code === dash || code === plus || code === asterisk) {
        // `-----` and `*****` are thematic breaks, not lists.
        if (code === greaterThan || source.charCodeAt(i + 1) !== code) markers++;
      } else if (code !== space && code !== tab && !(code >= 48 && code <= 57) && code !== dot) break;
    }
    if (markers > deepestContainers) return false;
    const end = source.indexOf('\n', i);
    if (end === -1) return true;
    start = end + 1;
  }
  return true;
}

const keywords =
  /\b(?:if|else|for|while|do|with|new|typeof|void|delete|await|yield|in|instanceof|keyof|readonly|unique|infer|throw)\b|=>/g;
const [space, tab, dot, dash, plus, asterisk, lessThan, greaterThan] = [32, 9, 46, 45, 43, 42, 60, 62];

function hasSaneNesting(source: string, [start, end]: [number, number]): boolean {
  let brackets = 0;
  let braces = 0;
  let unary = 0;
  let binary = 0;
  let loose = 0;
  let divided = 0;
  let labels = 0;
  let casts = 0;
  let inFence = '';
  const openTags: string[] = [];
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === 10) {
      // Angle brackets in a code fence are not tags. They cannot crash the parser, so a wrongly detected fence does no harm.
      const fence = braces === 0 || inFence ? fenceAt(source, i + 1) : undefined;
      if (fence) inFence = inFence ? (fence.startsWith(inFence) ? '' : inFence) : fence;
      continue;
    }
    if (code === space || code === tab || code > 127 || isWord(code)) continue;
    if (code === 58) {
      if (++labels > longestLabelChain) return false;
      continue;
    }
    labels = 0;
    if (code === 40 || code === 91 || code === 123) {
      if (++loose > mostLoose) return false;
      if (++brackets > deepestBrackets) return false;
      if (code === 123) braces++;
    } else if (code === 41 || code === 93 || code === 125) {
      if (brackets > 0) brackets--;
      if (code === 125 && braces > 0 && --braces === 0) casts = 0;
    } else if (code === lessThan) {
      if (++loose > mostLoose) return false;
      if (inFence) continue;
      const closes = source.charCodeAt(i + 1) === 47;
      const name = nameAt(source, closes ? i + 2 : i + 1);
      const at = closes ? openTags.lastIndexOf(name) : -1;
      if (at !== -1) openTags.length = at;
      if (closes) casts = Math.max(0, casts - 1);
      else if (isWord(source.charCodeAt(i + 1)) || source.charCodeAt(i + 1) === greaterThan) {
        if (braces > 0 && ++casts > deepestCasts) return false;
        if (!voidTags.has(name) && openTags.push(name) > deepestTags) return false;
      }
    } else if (code === 47 && source.charCodeAt(i + 1) === greaterThan) {
      if (openTags.length > 0) openTags.pop();
      casts = Math.max(0, casts - 1);
    } else if (i < start || i >= end) continue;
    else if (isUnary(code) && ++unary > mostUnary) return false;
    else if (isBinary(source, i) && ++binary > mostBinary) return false;
    else if ((code === 47 || code === dash) && ++divided > mostLoose) return false;
    else if (isLoose(code) && ++loose > mostLoose) return false;
  }
  return true;
}

const voidTags = new Set(['br', 'hr', 'img', 'input', 'source', 'track', 'wbr', 'col', 'meta', 'link']);

/** The backticks or tildes that open or close a fence on the line at `start`. */
function fenceAt(source: string, start: number): string | undefined {
  const line = source.slice(start, start + 80);
  return /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
}

function nameAt(source: string, start: number): string {
  let end = start;
  while (end < source.length && end - start < 60 && (isWord(source.charCodeAt(end)) || source.charCodeAt(end) === dot)) end++;
  return source.slice(start, end);
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36;
}

// ! ? + % ^ ~
function isUnary(code: number): boolean {
  return code === 33 || code === 63 || code === plus || code === 37 || code === 94 || code === 126;
}

// `=` not before a string or expression, `-` not after a word, and `*`: attributes and hyphens are not operators.
function isBinary(source: string, i: number): boolean {
  const code = source.charCodeAt(i);
  if (code === 61) return ![34, 39, 123].includes(source.charCodeAt(i + 1));
  return code === asterisk || (code === dash && !isWord(source.charCodeAt(i - 1)));
}

// | > `
function isLoose(code: number): boolean {
  return code === 124 || code === greaterThan || code === 96;
}

function countOf(source: string, pattern: RegExp, enough: number): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (count < enough && pattern.test(source)) count++;
  return count;
}
