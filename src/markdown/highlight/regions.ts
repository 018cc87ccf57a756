// Code in code: expressions in a template, scripts of another language, frontmatter.
import type { Token, Tokenizer } from './token-kinds.ts';

/** A part of a code that is in another language. */
export interface Region {
  from: number;
  to: number;
  tokenize: Tokenizer;
}

/** Reads a code as the host sees it with other characters for its regions, and each region by itself. Regions are in order and do not overlap. */
export function withRegions(host: Tokenizer, regionsOf: (code: string) => Region[], filler = ' '): Tokenizer {
  return (code) => {
    const regions = regionsOf(code);
    let masked = '';
    let at = 0;
    for (const { from, to } of regions) {
      masked += code.slice(at, from) + code.slice(from, to).replace(/[^\n]/g, filler);
      at = to;
    }
    const outside = host(masked + code.slice(at));
    const inside = regions.flatMap(({ from, to, tokenize }) =>
      tokenize(code.slice(from, to)).map((token) => ({ ...token, from: token.from + from, to: token.to + from })),
    );
    return [...without(outside, regions), ...inside].sort((one, other) => one.from - other.from);
  };
}

/** The parts of tokens that are in no region. */
function without(tokens: Token[], regions: Region[]): Token[] {
  const parts: Token[] = [];
  let next = 0;
  for (const { from, to, kind } of tokens) {
    while (next < regions.length && regions[next]!.to <= from) next++;
    let at = from;
    for (let i = next; i < regions.length && regions[i]!.from < to; i++) {
      if (regions[i]!.from > at) parts.push({ from: at, to: regions[i]!.from, kind });
      at = regions[i]!.to;
    }
    if (at < to) parts.push({ from: at, to, kind });
  }
  return parts;
}

/** Finds regions in a code, in order. Its time grows with the length of the code alone, whatever is not closed. */
export type FindRegions = (code: string) => Region[];

/** What a pattern with the flag `g` matches, all in one line. */
export function matches(pattern: RegExp, tokenize: Tokenizer): FindRegions {
  return (code) => [...code.matchAll(pattern)].map(({ index, 0: text }) => ({ from: index, to: index + text.length, tokenize }));
}

/** What is between two marks; both patterns have the flag `g`. With `whole`, the marks belong to the region. */
export function between(open: RegExp, close: RegExp, tokenize: Tokenizer, { whole = false } = {}): FindRegions {
  return (code) => {
    const regions: Region[] = [];
    open.lastIndex = 0;
    for (let start = open.exec(code); start; start = open.exec(code)) {
      close.lastIndex = open.lastIndex;
      const end = close.exec(code);
      // Nothing further is closed either.
      if (!end) break;
      regions.push(
        whole ? { from: start.index, to: close.lastIndex, tokenize } : { from: open.lastIndex, to: end.index, tokenize },
      );
      open.lastIndex = close.lastIndex;
    }
    return regions.filter(({ from, to }) => to > from);
  };
}

const fence = /^[ \t]*(`{3,}|~{3,})(?![`~])([^\n]*)$/gm;

/** The code blocks of Markdown. */
export function fenced(tokenizerOf: (language: string) => Tokenizer): FindRegions {
  return (code) => {
    const regions: Region[] = [];
    let open: { marks: string; info: string; from: number } | undefined;
    for (const { index, 0: line, 1: marks = '', 2: info = '' } of code.matchAll(fence)) {
      if (!open) open = { marks, info, from: index + line.length + 1 };
      else if (marks.startsWith(open.marks) && info.trim() === '') {
        const tokenize = tokenizerOf(/^\s*([\w+#-]*)/.exec(open.info)![1]!.toLowerCase());
        if (index - 1 > open.from) regions.push({ from: open.from, to: index - 1, tokenize });
        open = undefined;
      }
    }
    return regions;
  };
}

const bracesAndStrings = /[{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** The expressions in braces of a template, with the outermost braces. */
export function inBraces(tokenize: Tokenizer): FindRegions {
  const within: Tokenizer = (code) =>
    tokenize(code.slice(1, -1)).map(({ from, to, kind }) => ({ from: from + 1, to: to + 1, kind }));
  return (code) => {
    const open: number[] = [];
    const closed: Region[] = [];
    for (const { index, 0: sign } of code.matchAll(bracesAndStrings)) {
      if (sign === '{') open.push(index);
      const from = sign === '}' ? open.pop() : undefined;
      if (from === undefined) continue;
      while (closed.length > 0 && closed.at(-1)!.from > from) closed.pop();
      closed.push({ from, to: index + 1, tokenize: within });
    }
    return closed;
  };
}

/** What several find; where two overlap, what the earlier one finds. */
export function together(finders: FindRegions[]): FindRegions {
  return (code) => {
    let regions: Region[] = [];
    for (const find of finders)
      regions = [...regions, ...outside(find(code), regions)].sort((one, other) => one.from - other.from);
    return regions;
  };
}

/** Those regions that are in none of the others; both in order. */
export function outside(regions: Region[], others: Region[]): Region[] {
  let next = 0;
  return regions.filter(({ from, to }) => {
    while (next < others.length && others[next]!.to <= from) next++;
    return next === others.length || others[next]!.from >= to;
  });
}
