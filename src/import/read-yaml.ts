import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { ExportError } from '../../integration/errors.ts';
import { objectOf } from '../../integration/text/json.ts';
import { type Json } from './imported.ts';

export interface ReadYaml {
  config: Json;
  /** The line of a part of the file. */
  lineOf(path: (string | number)[]): number | undefined;
}

/** Reads a YAML file of a project. Throws `ExportError` `ImportUnreadable`. */
export function readYaml(root: string, file: string): ReadYaml {
  const lines = new LineCounter();
  // Tags such as !!python/name are the configuration of plugins.
  const document = parseDocument(readFileSync(join(root, file), 'utf8'), { lineCounter: lines, logLevel: 'silent' });
  const [fault] = document.errors.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
  if (fault) {
    const { line = 1, col: column = 1 } = fault.linePos?.[0] ?? {};
    throw new ExportError(
      'ImportUnreadable',
      `${file} is not valid YAML at line ${line}, column ${column}: ${fault.message.split(/ at line |\n/)[0]}. Nothing was written.`,
      'Correct the file, and run the command again.',
      { at: { file, line, column } },
    );
  }
  const lineOf = (path: (string | number)[]): number | undefined => {
    const node = document.getIn(path, true) as { range?: [number, ...number[]] } | undefined;
    return node?.range && lines.linePos(node.range[0]).line;
  };
  return { config: objectOf(document.toJS()), lineOf };
}
