import { type CSSToken, tokenize, TokenType } from '@csstools/css-tokenizer';
import { externalUrl } from '../urls/external-url.ts';
import type { Load } from './load.ts';

/** A URL in style text. The range is what is inside its quotes or parentheses. */
interface CssUrl {
  start: number;
  end: number;
  /** Without escapes. */
  url: string;
  isImport: boolean;
  /** Whether it is an `@import` after other rules, which browsers ignore. */
  isLate: boolean;
  /** Whether it is the source of a `@font-face`. */
  isFont: boolean;
  /** Whether it names a vocabulary (`@namespace`), which loads nothing. */
  isNamespace: boolean;
}

/** A stylesheet is asked for its URLs several times in a row. */
let last: { css: string; urls: CssUrl[] } | undefined;

/** The URLs of `url(…)`, `@import "…"` and `image-set("…")`, in the order of the text. */
export function cssUrls(css: string): CssUrl[] {
  if (!/url\(|@import|image-set\(|\\/i.test(css)) return [];
  if (last?.css !== css) last = { css, urls: readUrls(css) };
  return last.urls;
}

function readUrls(css: string): CssUrl[] {
  const found: CssUrl[] = [];
  // Each function or block that is open, by its name.
  const open: string[] = [];
  let atRule = '';
  // `@import` is followed by its URL at once.
  let isAfterImport = false;
  let hasRules = false;

  const add = (token: CSSToken, from: number, to: number, value: string) => {
    found.push({
      start: token[2] + from,
      end: token[3] + 1 - to,
      url: value,
      isImport: isAfterImport,
      isLate: isAfterImport && hasRules,
      isFont: open.includes('@font-face'),
      isNamespace: atRule === 'namespace',
    });
    isAfterImport = false;
  };
  for (const token of tokenize({ css })) {
    const [type, text] = token;
    if (type === TokenType.Comment || type === TokenType.Whitespace) continue;
    if (type === TokenType.AtKeyword) {
      atRule = token[4].value.toLowerCase();
      isAfterImport = atRule === 'import';
    } else if (type === TokenType.URL) {
      // A text that ends inside a URL was cut off: the URL is not whole.
      if (!text.endsWith(')')) continue;
      const [begin = '', end = ''] = [/^[^(]*\(\s*/.exec(text)?.[0], /\s*\)$/.exec(text)?.[0]];
      add(token, begin.length, end.length, token[4].value);
    } else if (type === TokenType.String) {
      const holder = open.at(-1);
      if (isAfterImport || holder === 'url' || (holder !== 'type' && open.some((name) => name.endsWith('image-set'))))
        add(token, 1, text.length > 1 && text.endsWith(text.charAt(0)) ? 1 : 0, token[4].value);
    } else {
      isAfterImport &&= type === TokenType.Function && token[4].value.toLowerCase() === 'url';
      if (type === TokenType.Function) open.push(token[4].value.toLowerCase());
      else if (type === TokenType.OpenParen || type === TokenType.OpenSquare) open.push(text);
      else if (type === TokenType.OpenCurly) {
        hasRules = true;
        open.push(`@${atRule}`);
        atRule = '';
      } else if (type === TokenType.CloseParen || type === TokenType.CloseSquare || type === TokenType.CloseCurly) open.pop();
      else if (type === TokenType.Semicolon) {
        hasRules ||= !/^(?:|charset|layer|import)$/.test(atRule);
        atRule = '';
      }
    }
  }
  return found;
}

/** What style text loads from external origins: `@import`, `url()`, `image-set()`, fonts. `element` contains the text: `style`, `div style`. */
export function styleLoads(css: string, element?: string): Load[] {
  if (!/[\\/]{2}|\\|https?:/i.test(css)) return [];
  return cssUrls(css).flatMap(({ url: written, start, isImport, isLate, isFont, isNamespace }): Load[] => {
    const url = isNamespace || isLate ? undefined : externalUrl(written);
    if (url === undefined) return [];
    const rule = isImport ? '@import' : isFont ? '@font-face' : 'url()';
    return [
      {
        element: element === undefined ? rule : `${element} ${rule}`,
        kind: isImport ? 'stylesheet' : isFont ? 'font' : 'image',
        written,
        url,
        start,
        static: true,
        rewritable: true,
      },
    ];
  });
}
