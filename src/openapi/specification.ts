// An API specification: read, brought to OpenAPI 3.1, its external references taken in. References within it stay and are followed one by one:
// a specification that is dereferenced whole has no end where a schema contains itself.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { upgrade } from '@scalar/openapi-upgrader';
import { LineCounter, parseDocument } from 'yaml';
import { isObject } from '../source/by-kind.ts';
import type { Json } from './json.ts';

export interface Specification {
  /** Path in the docs folder. */
  path: string;
  /** SHA-256 (hex) of the file's bytes. */
  digest: string;
  document: Json;
}

/** Why a specification cannot be used, as part of a sentence. Line and column are 1-based. */
export class SpecificationFault extends Error {
  readonly line?: number;
  readonly column?: number;
  constructor(message: string, position?: { line: number; column: number }) {
    super(message);
    this.line = position?.line;
    this.column = position?.column;
  }
}

/** Larger files are not read: parsing one would take longer than the export. */
const largestSpecification = 64 * 1024 * 1024;

/** Undefined when the file is not an API specification. Throws `SpecificationFault` when it cannot be parsed. */
export function readSpecification(path: string, file: string, size: number): Specification | undefined {
  if (size > largestSpecification) throw new SpecificationFault('it is larger than 64 MB');
  const bytes = readFileSync(file);
  const document = parseSpecification(path, bytes.toString());
  if (!isObject(document) || (document.openapi === undefined && document.swagger === undefined)) return undefined;
  if (!document.paths && !document.webhooks) throw new SpecificationFault('it has neither paths nor webhooks');
  return { path, digest: hash('sha256', bytes), document: upgraded(document) };
}

function upgraded(document: Json): Json {
  try {
    return { ...upgrade(document, '3.1') };
  } catch (error) {
    throw new SpecificationFault(error instanceof Error ? error.message : String(error));
  }
}

/** JSON and YAML, which both name the position of a mistake. JSON.parse is faster; where it fails, the parser of YAML says why. */
function parseSpecification(path: string, text: string): unknown {
  if (/\.json$/i.test(path)) {
    try {
      return JSON.parse(text);
    } catch {
      // The mistake is found below.
    }
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
  const [error] = document.errors;
  if (error) {
    const { line, col: column } = lines.linePos(error.pos[0]);
    throw new SpecificationFault(error.message.split(/ at line |\n/, 1)[0]!, { line, column });
  }
  return document.toJS({ maxAliasCount: 1000 });
}
