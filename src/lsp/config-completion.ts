// Keys and values of docs.json, from the schema that the file is checked with.
import { getLocation, type JSONPath } from 'jsonc-parser';
import { iconsOf } from '../markdown/icons.ts';
import { pageHref } from '../site/page-paths.ts';
import { configSchema } from '../source/config-schema.ts';
import type { EditorPosition } from './follow-folder.ts';

/** A text that can be written at a place, with what it is. */
export type Offer = string | { text: string; detail?: string };

/** What can be written in place of a part of a document. */
export interface Offers {
  offers: Iterable<Offer>;
  start: number;
  end: number;
}

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  description?: string;
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

let known: Schema | undefined;

export function configOffers(at: EditorPosition): Offers {
  const { document, offset } = at;
  const text = document.getText();
  const { path, isAtPropertyKey, previousNode: node } = getLocation(text, offset);
  const isInside = node !== undefined && node.offset <= offset && offset <= node.offset + node.length;
  const { start, end } = isInside ? { start: node.offset, end: node.offset + node.length } : { start: offset, end: offset };
  known ??= configSchema() as Schema;
  if (!isAtPropertyKey) return { offers: valueOffers(path, known, at), start, end };
  const colon = /^\s*:/.test(text.slice(end, end + 100)) ? '' : ': ';
  const keys = schemasAt(path.slice(0, -1), known).flatMap(({ properties = {} }) => Object.entries(properties));
  const offers = keys.map(([key, { description }]) => ({ text: `${JSON.stringify(key)}${colon}`, detail: description }));
  return { offers, start, end };
}

function valueOffers(path: JSONPath, root: Schema, at: EditorPosition): Offer[] {
  const key = path.findLast((one) => typeof one === 'string');
  const isUrl = key === 'href' || key === 'destination';
  if (isUrl || key === 'pages' || key === 'root')
    return at.site.pages.map(({ path, title }) => ({
      text: JSON.stringify(isUrl ? pageHref(path) : path || 'index'),
      detail: title,
    }));
  if (key === 'icon') return [...iconsOf(at.site.config.iconLibrary)].map((icon) => JSON.stringify(icon));
  return schemasAt(path, root).flatMap(({ enum: values = [], type }) =>
    type === 'boolean' ? ['true', 'false'] : values.map((value) => JSON.stringify(value)),
  );
}

/** The schemas of what is at a path. */
function schemasAt(path: JSONPath, root: Schema): Schema[] {
  return path.reduce<Schema[]>(
    (schemas, key) =>
      schemas.flatMap(({ items, properties, additionalProperties }) => {
        const inner = typeof key === 'number' ? items : (properties?.[key] ?? additionalProperties);
        return typeof inner === 'object' ? alternatives(inner, root) : [];
      }),
    alternatives(root, root),
  );
}

function alternatives(schema: Schema, root: Schema): Schema[] {
  const { $ref, anyOf } = schema;
  const named = $ref === undefined ? undefined : root.$defs?.[$ref.replace('#/$defs/', '')];
  if (named) return alternatives(named, root);
  return anyOf ? anyOf.flatMap((one) => alternatives(one, root)) : [schema];
}
