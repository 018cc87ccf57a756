// Tokens from Lezer's syntax trees.
import type { Parser, PartialParse, Tree } from '@lezer/common';
import { highlightTree, type Tag, tagHighlighter, tags as t } from '@lezer/highlight';
import type { Token, TokenKind, Tokenizer } from './token-kinds.ts';

/**
 * What makes code plain text, whatever its language: its time would grow faster than its length. Real code stays far below: of 10,000 blocks
 * of real docs, no stack had more than 130 entries.
 */
const limits = {
  /** Entries of the parser's stack, three for each construct that is open. Each way to read the code has its own copy. */
  stack: 1500,
  /** Tokens that the parser read without knowing what they belong to. */
  errors: 3000,
  /** Nodes in nodes: walking a tree takes a stack that threads do not have. */
  depth: 400,
};

const tagsOf: Partial<Record<TokenKind, Tag[]>> = {
  keyword: [t.keyword, t.operatorKeyword, t.modifier, t.documentMeta, t.function(t.punctuation)],
  string: [t.string, t.special(t.string), t.attributeValue, t.monospace, t.url, t.character],
  constant: [t.number, t.bool, t.null, t.atom, t.unit, t.color, t.escape, t.constant(t.variableName), t.labelName],
  comment: [t.comment],
  type: [t.typeName, t.className, t.namespace],
  property: [t.propertyName],
  function: [
    t.function(t.variableName),
    t.function(t.propertyName),
    t.function(t.definition(t.variableName)),
    t.function(t.definition(t.propertyName)),
    t.macroName,
  ],
  tag: [t.tagName],
  attribute: [t.attributeName, t.meta],
  regexp: [t.regexp],
  variable: [t.self, t.special(t.variableName), t.special(t.propertyName)],
  heading: [t.heading],
  bold: [t.strong],
  italic: [t.emphasis],
  plain: [t.variableName, t.separator],
};

const highlighter = tagHighlighter(Object.entries(tagsOf).flatMap(([kind, tags]) => tags.map((tag) => ({ tag, class: kind }))));

/** What a token is whose tag does not say enough, by its text and the two characters after it. */
export type Refine = (text: string, kind: TokenKind, after: string) => TokenKind;

export function lezerTokenizer(parser: Parser, refine: Refine = (_, kind) => kind): Tokenizer {
  return (code) => {
    const tree = parseWithin(parser, code);
    return tree && !isTooDeep(tree) ? tokensOf(code, tree, refine) : [];
  };
}

/** What `LRParser` has of its work; other parsers have neither. */
interface Work {
  stacks?: { stack: number[] }[];
  recovering?: number;
}

/** The tree of a code; undefined at a limit. */
function parseWithin(parser: Parser, code: string): Tree | undefined {
  const parse: PartialParse & Work = parser.startParse(code);
  let errors = 0;
  for (;;) {
    const tree = parse.advance();
    if (tree) return tree;
    if (parse.recovering && ++errors > limits.errors) return undefined;
    if (parse.stacks?.some(({ stack }) => stack.length > limits.stack)) return undefined;
  }
}

function tokensOf(code: string, tree: Tree, refine: Refine): Token[] {
  const tokens: Token[] = [];
  highlightTree(tree, highlighter, (from, to, classes) => {
    const given = classes.slice(classes.lastIndexOf(' ') + 1) as TokenKind;
    const kind = refine(code.slice(from, to), given, code.slice(to, to + 2));
    if (kind !== 'plain') tokens.push({ from, to, kind });
  });
  return tokens;
}

function isTooDeep(tree: Tree): boolean {
  let depth = 0;
  const cursor = tree.cursor();
  for (;;) {
    if (cursor.firstChild()) {
      if (++depth > limits.depth) return true;
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return false;
      depth--;
    }
  }
}
