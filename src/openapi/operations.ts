// The operations and webhooks of a specification, each of which is a page.
import { object, objects, resolve, string, type Json } from './json.ts';
import { type Specification } from './specification.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** An operation or webhook: one page. */
export interface Operation {
  /** As in a navigation entry: 'GET /users', 'webhook created'. */
  name: string;
  method: string;
  /** 'GET /users' → '/users'; the name of a webhook. */
  path: string;
  isWebhook: boolean;
  title: string;
  /** Its first tag, and the group that the tag's operations are listed in. */
  tag?: string;
  group?: string;
  /** Path of its page, if the specification sets one. */
  href?: string;
  /** The page exists, but the navigation does not list it automatically. */
  hidden: boolean;
  /** Frontmatter of its page, and MDX before the reference. */
  metadata: Json;
  content: string;
  /** Digest of the specification. */
  digest: string;
  /** Its object in the specification, and the path item around it. */
  operation: Json;
  item: Json;
}

/** The operations in the order of the specification's tags, then of the file; without those that have no page. */
export function operationsOf({ document, digest }: Specification): Operation[] {
  const groups = new Map(objects(document.tags).map((tag) => [string(tag.name), string(tag['x-group']) ?? string(tag.name)]));
  const operations = [
    ...Object.entries(object(document.paths)).flatMap(([path, item]) => inItem(document, path, item, false)),
    ...Object.entries(object(document.webhooks)).flatMap(([name, item]) => inItem(document, name, item, true)),
  ].map((one) => ({ ...one, digest, ...(one.tag !== undefined && { group: groups.get(one.tag) ?? one.tag }) }));
  const order = [...new Set([...groups.keys(), ...operations.map(({ tag }) => tag)])];
  const position = new Map(order.map((tag, index) => [tag, tag === undefined ? -1 : index]));
  return operations.sort((a, b) => position.get(a.tag)! - position.get(b.tag)!);
}

function inItem(document: Json, path: string, given: unknown, isWebhook: boolean): Omit<Operation, 'digest'>[] {
  const item = resolve(document, given)?.value ?? {};
  const found = { ...item, ...object(item.additionalOperations) };
  return Object.keys(found)
    .filter(
      (key) => methods.some((method) => method === key.toLowerCase()) || Object.hasOwn(object(item.additionalOperations), key),
    )
    .flatMap((key) => {
      const operation = resolve(document, found[key])?.value;
      if (!operation || operation['x-excluded'] === true) return [];
      const method = key.toUpperCase();
      const name = isWebhook ? `webhook ${path}` : `${method} ${path}`;
      const mint = object(operation['x-mint']);
      const metadata = object(mint.metadata);
      const [tag] = Array.isArray(operation.tags) ? operation.tags : [];
      return {
        ...{ name, method, path, isWebhook, operation, item, metadata },
        title: string(metadata.title) ?? string(operation.summary)?.trim() ?? name,
        ...(string(tag) !== undefined && { tag: tag as string }),
        ...(string(mint.href) !== undefined && { href: mint.href as string }),
        hidden: operation['x-hidden'] === true,
        content: string(mint.content) ?? '',
      };
    });
}
