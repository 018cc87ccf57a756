// Lines of code occur again and again: closing braces, imports, empty lines. The tokens of a line depend on nothing but its text and the grammar's
// state at its start, so each line is tokenized once for each state.
import type { Grammar } from 'shiki/core';
import { detached } from '../../../integration/text/detach.ts';
import type { Token, Tokenizer } from './token-kinds.ts';

/** State of a grammar between two lines; null before the first. */
type LineState = Parameters<Grammar['tokenizeLine2']>[1];

/** The tokens of a line and the state after it. */
export type TokenizeLine = (line: string, state: LineState) => { tokens: Token[]; state: LineState };

/** A place between two lines: all lines seen there, and where they lead. */
interface Position {
  state: LineState;
  lines: Map<string, { tokens: Token[]; next: Position }>;
}

/**
 * Sum of the cubed lengths of lines that are tokenized in a text, such as one line of 3,000 characters or 27 of 1,000; further lines
 * are plain text. It bounds the time, which is cubic in some grammars. A timeout instead would make the HTML depend on the machine.
 */
const largestCubes = 27_000_000_000;

/** Characters of lines that are remembered for each grammar; then it starts anew, which keeps the frequent lines. */
const mostCharacters = 500_000;

/** States that a new one is compared with: code made to have more would take quadratic time. */
const mostSimilar = 200;

export function rememberLines(tokenize: TokenizeLine): Tokenizer {
  let start: Position = { state: null, lines: new Map() };
  let positions = new Map<string, Position[]>();
  let characters = 0;

  const positionOf = (state: LineState): Position => {
    const key = capturedEnds(state);
    let similar = positions.get(key);
    if (!similar) positions.set(key, (similar = []));
    let position = similar.find((known) => state && known.state?.equals(state));
    if (!position) {
      position = { state, lines: new Map() };
      if (similar.length < mostSimilar) similar.push(position);
    }
    return position;
  };

  return (code) => {
    if (characters > mostCharacters) {
      start = { state: null, lines: new Map() };
      positions = new Map();
      characters = 0;
    }
    const found: Token[] = [];
    let position = start;
    let left = largestCubes;
    let at = 0;
    for (const line of code.split('\n')) {
      const cost = line.length ** 3;
      if (cost <= left) {
        left -= cost;
        let step = position.lines.get(line);
        if (!step) {
          const { tokens, state } = tokenize(line, position.state);
          step = { tokens, next: positionOf(state) };
          position.lines.set(detached(line), step);
          characters += line.length;
        }
        for (const { from, to, kind } of step.tokens) found.push({ from: at + from, to: at + to, kind });
        position = step.next;
      }
      at += line.length + 1;
    }
    return found;
  };
}

/**
 * Which rules of a state began with the end of a line: `equals` does not compare that, but the next line depends on it.
 * As long as the state is deep.
 */
function capturedEnds(state: LineState): string {
  let ends = '';
  for (
    let at: unknown = state;
    typeof at === 'object' && at !== null && 'beginRuleCapturedEOL' in at && 'parent' in at;
    at = at.parent
  )
    ends += at.beginRuleCapturedEOL ? '1' : '0';
  return ends;
}
