// The operations and webhooks of a specification, each of which is a page.
import { objectOf } from '../../integration/text/json.ts';
import { extensionsOf, textsOf, type Described } from './described.ts';
import { objects, resolve, resolved, string, type Json } from './json.ts';
import { createDigests } from './digests.ts';
import { type Specification } from './specification.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** An operation or webhook: one page. */
export interface Operation extends Described {
  kind: 'operation';
  method: string;
  /** 'GET /users' → '/users'; the name of a webhook. */
  path: string;
  isWebhook: boolean;
  /** Its object in the specification, and the path item around it. */
  operation: Json;
  item: Json;
}

/** The operations in the order of the specification's tags, then of the file; without those that have no page. */
export function operationsOf({ document }: Pick<Specification, 'document'>): Operation[] {
  const groups = new Map(objects(document.tags).map((tag) => [string(tag.name), string(tag['x-group']) ?? string(tag.name)]));
  const digestOf = createDigests(document, [document.servers, document.security, objectOf(document.components).securitySchemes]);
  const operations = [
    ...Object.entries(objectOf(document.paths)).flatMap(([path, item]) => inItem(document, path, item, false)),
    ...Object.entries(objectOf(document.webhooks)).flatMap(([name, item]) => inItem(document, name, item, true)),
  ].map((one) => ({
    ...one,
    digest: () => digestOf([one.name, one.operation, one.item.parameters, one.item.servers]),
    ...(one.tag !== undefined && { group: groups.get(one.tag) ?? one.tag }),
  }));
  const order = [...new Set([...groups.keys(), ...operations.map(({ tag }) => tag)])];
  const position = new Map(order.map((tag, index) => [tag, tag === undefined ? -1 : index]));
  return operations.sort((a, b) => position.get(a.tag)! - position.get(b.tag)!);
}

function inItem(document: Json, path: string, given: unknown, isWebhook: boolean): Omit<Operation, 'digest'>[] {
  const item = resolved(document, given);
  const found = { ...item, ...objectOf(item.additionalOperations) };
  return Object.keys(found)
    .filter(
      (key) => methods.some((method) => method === key.toLowerCase()) || Object.hasOwn(objectOf(item.additionalOperations), key),
    )
    .flatMap((key) => {
      const operation = resolve(document, found[key])?.value;
      if (!operation || operation['x-excluded'] === true) return [];
      const method = key.toUpperCase();
      const { summary, description } = textsOf(operation);
      const name = isWebhook ? `webhook ${path}` : `${method} ${path}`;
      const extensions = extensionsOf(operation);
      const [tag] = Array.isArray(operation.tags) ? operation.tags : [];
      return {
        kind: 'operation' as const,
        ...{ name, method, path, isWebhook, operation, item, ...extensions },
        badge: isWebhook ? 'WEBHOOK' : method,
        title: string(extensions.metadata.title) ?? summary ?? (isWebhook ? path : name),
        deprecated: operation.deprecated === true,
        ...(summary !== undefined && { summary }),
        ...(description !== undefined && { description }),
        ...(string(tag) !== undefined && { tag: tag as string }),
      };
    });
}

/** The servers that apply: those of the operation, of its path or of the specification. */
export function serversOf(document: Json, item: Json, operation: Json): Json[] {
  return [operation.servers, item.servers, document.servers].map(objects).find((servers) => servers.length > 0) ?? [];
}

export interface RequiredScheme {
  name: string;
  scheme: Json;
  scopes: unknown;
}

/** The alternatives of an operation's authorization, each of which is enough. */
export function securityOf(document: Json, operation: Json): RequiredScheme[][] {
  const schemes = objectOf(objectOf(document.components).securitySchemes);
  const alternatives = objects(Array.isArray(operation.security) ? operation.security : document.security);
  return alternatives.map((one) =>
    Object.entries(one).map(([name, scopes]) => ({ name, scheme: resolved(document, schemes[name]), scopes })),
  );
}

/**
 * Parameters of the operation and of its path, those of the operation first where both have one. What the path names and neither defines has
 * `isMissing`.
 */
export function parametersOf(document: Json, item: Json, operation: Json, path: string): Json[] {
  const read = (given: unknown) =>
    Array.isArray(given) ? given.flatMap((one) => [resolved(document, one)]).filter((one) => string(one.name)) : [];
  const own = read(operation.parameters);
  const inherited = read(item.parameters).filter((one) => !own.some((other) => other.name === one.name && other.in === one.in));
  const defined = [...inherited, ...own];
  const named = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name));
  const missing = [...named].filter((name) => !defined.some((one) => one.in === 'path' && one.name === name));
  return [...missing.map((name) => ({ name, in: 'path', schema: { type: 'string' }, isMissing: true })), ...defined];
}
