import { ExportError } from '../../integration/errors.ts';

/** Reads JSON. Throws `ConfigNotJson`, naming file, line and column. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = (cause as Error).message;
    const offset = Number(/at position (\d+)/.exec(reason)?.[1] ?? text.length);
    const before = text.slice(0, offset).split('\n');
    const what = reason.replace(/ in JSON at position.*| \(line \d+ column \d+\)/gs, '').replace(/, ".*/s, '');
    throw new ExportError(
      'ConfigNotJson',
      `${file} is not valid JSON at line ${before.length}, column ${before.at(-1)!.length + 1}: ${what}.`,
      'Correct that place; a comma, a quote or a bracket is missing or too many there.',
      { cause },
    );
  }
}
