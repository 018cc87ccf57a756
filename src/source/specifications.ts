import { openSync, readFileSync, readSync, closeSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject } from './by-kind.ts';
import type { DocsConfig } from './docs-json.ts';
import type { SourceAsset } from './source.ts';

// docs.json turns each operation of an API specification into a page. Carrel does not generate these pages yet, but reads their names and
// URLs, so that it can report each missing page.

/** An operation of a specification: one page. */
export interface Operation {
  /** As in a navigation entry: 'GET /users', 'webhook created'. */
  name: string;
  title: string;
  /** Its first tag. */
  tag?: string;
  /** Path of its page, if the specification sets one. */
  href?: string;
  /** The page exists, but the navigation does not list it automatically. */
  hidden: boolean;
}

/** Larger files are skipped: parsing one would take longer than the export. */
const largestSpecification = 20 * 1024 * 1024;
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query', 'connect'];

/** Matches a navigation entry for an operation: the specification, if named, and the name of the operation. */
export const operationEntry = /^(?:(\S+)\s+)?((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT|webhook)\s+\S.*)$/i;

/** The operations of the folder's OpenAPI files, by the file's path. Reads no file when the navigation does not use OpenAPI. */
export function readSpecifications(config: DocsConfig | null, assets: readonly SourceAsset[]): Map<string, Operation[]> {
  const specifications = new Map<string, Operation[]>();
  const named = new Set<string>();
  if (!config || !collectNames(config.navigation, named)) return specifications;
  collectNames({ openapi: object(config.api).openapi }, named);
  for (const { path, file, size } of assets) {
    if (!/\.(?:json|ya?ml)$/i.test(path) || size > largestSpecification) continue;
    if (!named.has(path) && !/^\s*["']?openapi["']?\s*:/m.test(beginning(file))) continue;
    const operations = operationsOf(file);
    if (operations) specifications.set(path, operations);
  }
  return specifications;
}

/** Adds the paths of the specifications in a value; returns whether the value uses any. */
function collectNames(value: unknown, names: Set<string>): boolean {
  if (typeof value === 'string') return operationEntry.test(value.trim());
  if (typeof value !== 'object' || value === null) return false;
  let used = false;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'openapi') {
      for (const source of specificationNames(item)) names.add(source);
      used ||= item !== undefined;
    } else if (collectNames(item, names)) used = true;
  }
  return used;
}

/** The sources in an `openapi` value; paths come without the leading slash. */
export function specificationNames(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^(?:\.?\/)+/, '')];
  if (Array.isArray(value)) return value.flatMap(specificationNames);
  if (typeof value === 'object' && value !== null && 'source' in value) return specificationNames(value.source);
  return [];
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

/** Undefined when the file is not a specification. */
function operationsOf(file: string): Operation[] | undefined {
  let document: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    document = file.toLowerCase().endsWith('.json') ? JSON.parse(text) : parse(text, { logLevel: 'error' });
  } catch {
    return undefined;
  }
  const { paths, webhooks } = object(document);
  if (!paths && !webhooks) return undefined;
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(object(paths))) {
    for (const method of methods) add(operations, `${method.toUpperCase()} ${path}`, object(item)[method]);
  }
  for (const [name, item] of Object.entries(object(webhooks))) {
    const method = methods.find((one) => object(item)[one]);
    if (method) add(operations, `webhook ${name}`, object(item)[method]);
  }
  return operations;
}

function add(operations: Operation[], name: string, operation: unknown): void {
  if (!isObject(operation) || operation['x-excluded'] === true) return;
  const { href } = object(operation['x-mint']);
  const [tag] = Array.isArray(operation.tags) ? operation.tags : [];
  operations.push({
    name,
    title: typeof operation.summary === 'string' && operation.summary.trim() ? operation.summary : name,
    ...(typeof tag === 'string' && { tag }),
    ...(typeof href === 'string' && { href }),
    hidden: operation['x-hidden'] === true,
  });
}

function object(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
