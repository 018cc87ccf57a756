// The API reference of a docs folder: a page for each operation that its navigation or a page names, and what these pages show.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Problem } from '../../integration/diagnostics.ts';
import type { Source, SourceAsset, SourcePage } from '../source/source.ts';
import { fileName, namedSpecifications, withOperationPages } from './generate-pages.ts';
import { operationsOf, type Operation } from './operations.ts';
import { type Json } from './json.ts';
import { readSpecification, SpecificationFault, type Specification } from './specification.ts';

export interface Reference {
  source: Source;
  /** What a page describes after its body. */
  operationOf(page: SourcePage): { operation: Operation; document: Json } | undefined;
}

/** The source with the pages of its API specifications. */
export function readReference(source: Source): Reference {
  const named = namedSpecifications(source) ?? new Set();
  const specifications = new Map<string, Specification>();
  const operations = new Map<string, Operation[]>();
  const faults = new Map<string, string>();
  const problems: Problem[] = [];
  for (const asset of source.assets.filter((one) => mayBeSpecification(one, named))) {
    try {
      const specification = readSpecification(asset.path, asset.file, asset.size);
      if (!specification) continue;
      specifications.set(asset.path, specification);
      operations.set(asset.path, operationsOf(specification));
    } catch (error) {
      if (!(error instanceof SpecificationFault)) throw error;
      faults.set(asset.path, error.message);
      if (named.has(fileName(asset.path))) problems.push(faultProblem(asset.path, error));
    }
  }
  const expanded = withOperationPages(source, operations, faults);
  return {
    source: { ...expanded, problems: [...expanded.problems, ...problems] },
    operationOf({ operation: wanted }) {
      const specification = wanted && specifications.get(wanted.specification);
      const operation = wanted && operations.get(wanted.specification)?.find(({ name }) => name === wanted.name);
      return specification && operation && { operation, document: specification.document };
    },
  };
}

function faultProblem(page: string, { message, line, column }: SpecificationFault): Problem {
  return {
    kind: 'specification-not-read',
    severity: 'warning',
    page,
    ...(line !== undefined && { line, column }),
    message: `The API specification could not be read: ${message}.`,
    hint: 'Correct the file. Its operations have no pages until then.',
  };
}

function mayBeSpecification({ path, file }: SourceAsset, named: ReadonlySet<string>): boolean {
  return (
    /\.(?:json|ya?ml)$/i.test(path) &&
    (named.has(fileName(path)) || /^[\s{]*["']?(?:openapi|swagger)["']?\s*:/m.test(beginning(file)))
  );
}

function beginning(file: string): string {
  const bytes = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
