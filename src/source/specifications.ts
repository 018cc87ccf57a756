import { openSync, readFileSync, readSync, closeSync } from 'node:fs';
import { parse } from 'yaml';
import type { DocsConfig } from './docs-json.ts';
import type { SourceAsset } from './source.ts';

// A docs.json site makes a page of each operation of an API specification. These pages are not made yet, but their names and addresses
// are read, so that every one that is missing can be reported.

/** An operation of a specification: one page. */
export interface Operation {
  /** As a navigation entry writes it: 'GET /users', 'webhook created'. */
  name: string;
  title: string;
  /** First of its tags. */
  tag?: string;
  /** Address of its page, where the specification sets it. */
  href?: string;
  /** The page exists, but the navigation does not list it by itself. */
  hidden: boolean;
}

/** A larger file is not read: parsing it would take longer than the export. */
const largestSpecification = 20 * 1024 * 1024;
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query', 'connect'];

/** A navigation entry that stands for an operation: its specification, if it names one, and its name. */
export const operationEntry = /^(?:(\S+)\s+)?((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT|webhook)\s+\S.*)$/i;

/** Operations of the OpenAPI files of the folder by their path; nothing is read where the navigation uses none. */
export function readSpecifications(config: DocsConfig | null, assets: readonly SourceAsset[]): Map<string, Operation[]> {
  const specifications = new Map<string, Operation[]>();
  const named = new Set<string>();
  if (!config || !collectNames(config.navigation, named)) return specifications;
  collectNames({ openapi: (config.api as { openapi?: unknown } | undefined)?.openapi }, named);
  for (const { path, file, size } of assets) {
    if (!/\.(?:json|ya?ml)$/i.test(path) || size > largestSpecification) continue;
    if (!named.has(path) && !/^\s*["']?openapi["']?\s*:/m.test(beginning(file))) continue;
    const operations = operationsOf(file);
    if (operations) specifications.set(path, operations);
  }
  return specifications;
}

/** Adds the paths of the specifications that a value names; says whether it uses any. */
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

/** The sources that an `openapi` value names, paths without their first slash. */
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

/** Undefined where a file is not a specification. */
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

function add(operations: Operation[], name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const operation = value as Record<string, unknown>;
  if (operation['x-excluded'] === true) return;
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
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
