// The text of an answer with its emphasis, code, links and citations. HTML is text; an image becomes a link.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'em' | 'del'; content: Inline[] }
  | { kind: 'link'; url: string; content: Inline[] }
  | { kind: 'image'; url: string; alt: string }
  | { kind: 'citation'; number: number };

const deepest = 6;
const special = /[\\`*_~[!<&\n]|https?:\/\//g;

/** The parts of a text. Marks that are not closed are text, and so is everything beyond six levels. */
export function readInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = [];
  // Marks whose end was not found are not looked for again: otherwise `*a *a *a …` takes quadratic time.
  const unclosed = new Set<string>();
  let plain = '';
  const push = (part: Inline) => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
    parts.push(part);
  };
  let at = 0;
  while (at < text.length) {
    special.lastIndex = at;
    const next = special.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at === text.length) break;
    const found = readSpecial(text, at, depth, unclosed);
    if (found.part) push(found.part);
    else plain += found.text ?? text.slice(at, found.next);
    at = found.next;
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain });
  return parts;
}

interface Read {
  part?: Inline;
  text?: string;
  next: number;
}

function readSpecial(text: string, at: number, depth: number, unclosed: Set<string>): Read {
  const character = text[at];
  const asText = { next: at + 1 };
  const nests = depth < deepest;
  switch (character) {
    case '\\':
      if (text[at + 1] === '\n') return { part: { kind: 'break' }, next: at + 2 };
      return /[!-/:-@[-`{-~]/.test(text.charAt(at + 1)) ? { text: text.charAt(at + 1), next: at + 2 } : asText;
    case '\n':
      return /(?: {2}|\t)$/.test(text.slice(Math.max(0, at - 2), at)) ? { part: { kind: 'break' }, next: at + 1 } : asText;
    case '`':
      return readCode(text, at, unclosed);
    case '<':
      return readAngle(text, at);
    case '&':
      return text.startsWith('&lt;', at) ? { text: '<', next: at + 4 } : asText;
    case '!':
      return text[at + 1] === '[' ? (readLink(text, at + 1, depth, true) ?? asText) : asText;
    case '[':
      return (nests ? readLink(text, at, depth, false) : undefined) ?? asText;
    case 'h':
      return readUrl(text, at);
    default:
      return (nests ? readEmphasis(text, at, depth, unclosed) : undefined) ?? { next: at + runOf(text, at) };
  }
}

function runOf(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end++;
  return end - at;
}

function readCode(text: string, at: number, unclosed: Set<string>): Read {
  const run = runOf(text, at);
  const ticks = '`'.repeat(run);
  for (let end = unclosed.has(ticks) ? -1 : text.indexOf(ticks, at + run); end !== -1; end = text.indexOf(ticks, end)) {
    const closing = runOf(text, end);
    if (closing === run) {
      const inner = text.slice(at + run, end).replaceAll('\n', ' ');
      const bare = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '' ? inner.slice(1, -1) : inner;
      return { part: { kind: 'code', text: bare }, next: end + run };
    }
    end += closing;
  }
  unclosed.add(ticks);
  return { next: at + run };
}

function readAngle(text: string, at: number): Read {
  const near = text.slice(at, at + 2000);
  const lineBreak = /^<br\s*\/?>/i.exec(near);
  if (lineBreak) return { part: { kind: 'break' }, next: at + lineBreak[0].length };
  const [found, url = ''] = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/i.exec(near) ?? [];
  if (found === undefined) return { next: at + 1 };
  const content: Inline[] = [{ kind: 'text', text: url.replace(/^mailto:/i, '') }];
  return { part: { kind: 'link', url, content }, next: at + found.length };
}

/** A bare URL, without the period or bracket after it. */
function readUrl(text: string, at: number): Read {
  const [url = ''] = /^https?:\/\/[^\s<>"'`*|\]]*/.exec(text.slice(at, at + 2000)) ?? [];
  const bare = url.replace(/[.,;:!?)]+$/, '');
  if (/\w/.test(text[at - 1] ?? '') || !/\/\/\w/.test(bare)) return { next: at + 1 };
  return { part: { kind: 'link', url: bare, content: [{ kind: 'text', text: bare }] }, next: at + bare.length };
}

const linkTarget = /^\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/;

/** `[text](url)`, `![alt](url)`, `[3]`; `at` is the bracket. */
function readLink(text: string, at: number, depth: number, isImage: boolean): Read | undefined {
  const close = closingBracket(text, at);
  if (close === undefined) return undefined;
  const label = text.slice(at + 1, close);
  const target = text[close + 1] === '(' ? linkTarget.exec(text.slice(close + 1, close + 2500)) : null;
  if (target) {
    const url = (target[1] ?? target[2] ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
    const next = close + 1 + target[0].length;
    if (isImage) return { part: { kind: 'image', url, alt: label }, next };
    return { part: { kind: 'link', url, content: readInline(label, depth + 1) }, next };
  }
  return !isImage && /^\d{1,3}$/.test(label) ? { part: { kind: 'citation', number: Number(label) }, next: close + 1 } : undefined;
}

function closingBracket(text: string, at: number): number | undefined {
  let open = 0;
  // Labels are short; the bound keeps `[[[[…` cheap.
  for (let i = at; i < text.length && i < at + 500; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '[') open++;
    else if (text[i] === ']' && --open === 0) return i;
  }
  return undefined;
}

const emphases: Record<string, 'strong' | 'em' | 'del'> = { '**': 'strong', __: 'strong', '*': 'em', _: 'em', '~~': 'del' };

function readEmphasis(text: string, at: number, depth: number, unclosed: Set<string>): Read | undefined {
  const run = runOf(text, at);
  const mark = text.slice(at, at + Math.min(run, 2));
  const kind = emphases[mark];
  const isWithinWord = mark[0] === '_' && /[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
  if (!kind || run > 3 || unclosed.has(mark) || isWithinWord || /^\s?$/.test(text[at + run] ?? '')) return undefined;
  // `***both***` is strong around emphasis.
  const from = at + mark.length;
  for (let end = text.indexOf(mark, at + run); end !== -1; end = text.indexOf(mark, end)) {
    const closing = runOf(text, end);
    const fits = closing >= mark.length && (mark.length === 2 || closing !== 2);
    const follows = text[end + closing] ?? '';
    if (
      fits &&
      !/\s/.test(text.charAt(end - 1)) &&
      text[end - 1] !== '\\' &&
      !(mark[0] === '_' && /[\p{L}\p{N}]/u.test(follows))
    ) {
      const last = end + closing - mark.length;
      return { part: { kind, content: readInline(text.slice(from, last), depth + 1) }, next: last + mark.length };
    }
    end += closing;
  }
  unclosed.add(mark);
  return undefined;
}
