// Schemas that only some readers may see: `x-mint.groups` on a property, a variant, a parameter, an example. Pages of operations and channels are
// limited as all pages are.
import { isRecord } from '../../integration/text/json.ts';
import { readersIn, type MayRead } from '../source/readers.ts';
import type { Json } from './json.ts';

/** Removes from a document what these readers may not see. Changes it. */
export function removeLimited(document: Json, mayRead: MayRead): void {
  inheritFromPaths(document);
  const isLimited = (value: unknown): boolean => isRecord(value) && !mayRead(readersOf(value));
  const limited = new Set<string>();
  for (const [kind, named] of Object.entries(isRecord(document.components) ? document.components : {}))
    for (const [name, value] of Object.entries(isRecord(named) ? named : {}))
      if (isLimited(value)) limited.add(`#/components/${escaped(kind)}/${escaped(name)}`);
  const isHidden = (value: unknown): boolean =>
    isLimited(value) || (isRecord(value) && typeof value.$ref === 'string' && limited.has(value.$ref));
  const seen = new Set<object>([document]);
  const visit = (value: object, isPageLevel: boolean): void => {
    if (seen.has(value) && value !== document) return;
    seen.add(value);
    if (!isPageLevel) removeFrom(value, isHidden);
    for (const [key, inside] of Object.entries(value))
      if (typeof inside === 'object' && inside !== null) visit(inside, holdsPages(value, key, document));
  };
  visit(document, true);
}

/** Whether the entries below a key are what pages describe: the methods of a path, webhooks, channels. */
function holdsPages(parent: object, key: string, document: Json): boolean {
  const isTop = parent === document && ['paths', 'webhooks', 'channels', 'operations'].includes(key);
  return isTop || parent === document.paths || parent === document.webhooks;
}

function removeFrom(value: object, isHidden: (one: unknown) => boolean): void {
  if (Array.isArray(value)) {
    const kept = value.filter((one) => !isHidden(one));
    if (kept.length < value.length) value.splice(0, value.length, ...kept);
    return;
  }
  const container = value as Json;
  if (isRecord(container.properties) && Array.isArray(container.required)) {
    const { properties } = container;
    container.required = container.required.filter((name) => !isHidden(properties[String(name)]));
  }
  for (const [key, one] of Object.entries(container)) if (isHidden(one)) delete container[key];
}

/** Operations of a limited path are limited like it. */
function inheritFromPaths(document: Json): void {
  for (const items of [document.paths, document.webhooks])
    for (const item of Object.values(isRecord(items) ? items : {})) {
      const groups = isRecord(item) ? readersOf(item) : [];
      if (groups.length === 0) continue;
      for (const operation of Object.values(item as Json))
        if (isRecord(operation) && readersOf(operation).length === 0)
          operation['x-mint'] = { ...(isRecord(operation['x-mint']) && operation['x-mint']), groups };
    }
}

function readersOf(value: Json): string[] {
  const mint = value['x-mint'];
  return isRecord(mint) ? readersIn(mint.groups) : [];
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
