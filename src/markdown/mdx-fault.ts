/** What makes a page invalid as MDX, in the author's words, and what to do; positions are those of the parsed text. */
export interface MdxFault {
  reason: string;
  hint: string;
  line?: number;
  column?: number;
  /** Whether a brace is not closed: the position is that of the end. */
  isOpenBrace: boolean;
}

/** Explains an error of a parser of MDX. */
export function mdxFault(error: unknown): MdxFault {
  const message = error instanceof Error ? error.message : String(error);
  const explained = explanations.find(([pattern]) => pattern.test(message));
  const [, name = ''] = explained?.[0].exec(message) ?? [];
  const [, explain] = explained ?? [undefined, () => ['this line cannot be read', correct] as const];
  const [reason, hint] = explain(name);
  return { reason, hint, ...positionOf(error, message), isOpenBrace: reason === openBrace };
}

const correct = 'Correct that line: text that MDX cannot parse may be rendered differently than you meant.';
export const notClosed = 'is not closed';
const openBrace = `a { ${notClosed}`;
const braces = 'If the brace is text, write \\{ or put it in backticks.';
const attribute = (name: string) =>
  /^[\w$]/.test(name) ? `an attribute value needs quotes or braces before "${name}"` : 'an attribute has no value after its "="';

type Explanation = readonly [reason: string, hint: string];

const explanations: [pattern: RegExp, explain: (name: string) => Explanation][] = [
  [/^(?:it nests too deeply.*)$/, () => ['it nests too deeply, or repeats one character too often', 'Simplify it.']],
  [/corresponding closing brace/, () => [openBrace, braces]],
  [/(?:parse|in) expression|acorn/, () => ['what is in these braces is not a JavaScript expression', braces]],
  [
    /corresponding closing tag for `<([^`>]*)>`/,
    (name) => [`<${name}> ${notClosed}`, `Add </${name}>, or write <${name} /> if it is empty.`],
  ],
  [/closing tag for `<([^`>]*)>`/, (name) => [`<${name}> ${notClosed}`, `Add </${name}>, or write <${name} /> if it is empty.`]],
  [/expected an open tag first/, () => ['this closing tag has no opening tag', 'Remove it, or add the opening tag.']],
  [
    /in attribute value, expected a corresponding closing quote/,
    () => ['the value of an attribute has no closing quote', 'Add the quote.'],
  ],
  [/character `([^`]*)`[^]*before attribute value/, (name) => [attribute(name), 'Write name="value" or name={value}.']],
  [/in attribute name|before attribute name|after attribute/, () => ['a tag is not complete', 'Close it with >.']],
  [
    /before name|in name/,
    () => ['a < is not followed by the name of a component', 'If it is text, write \\< or put it in backticks.'],
  ],
  [
    /import\/exports/,
    () => ['an import or export is not valid JavaScript', 'Correct it, or put the line in backticks if it is text.'],
  ],
];

// The position of the tag that is not closed; the position of the error itself is the start of its paragraph.
const tagPosition = /\((\d+):(\d+)-\d+:\d+\)/;

function positionOf(error: unknown, message: string): Pick<MdxFault, 'line' | 'column'> {
  const [, line, column] = tagPosition.exec(message) ?? /^(\d+):(\d+)/.exec(message) ?? [];
  if (tagPosition.test(message)) return { line: Number(line), column: Number(column) };
  if (error instanceof Error && 'line' in error && typeof error.line === 'number')
    return { line: error.line, ...('column' in error && typeof error.column === 'number' && { column: error.column }) };
  return line === undefined ? {} : { line: Number(line), column: Number(column) };
}
