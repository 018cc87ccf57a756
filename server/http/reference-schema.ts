// Renders schemas of the OpenAPI document as HTML: a short type for a value, and a table of fields for an object.
import { escapeHtml } from '../../integration/text/escape.ts';

/** The subset of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  description?: string;
  default?: unknown;
  example?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** The type of a value: "string", "list of Job", "admin | assistant". Named schemas are links within the page. */
export function typeOf(schema: Schema): string {
  const { $ref, type, items } = schema;
  if ($ref) return `<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(' | ');
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts) return [...new Set(parts.map(typeOf))].join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' with ');
  if (items) return `list of ${typeOf(items)}${range(schema.minItems, schema.maxItems, 'items')}`;
  const names = [type ?? 'any value'].flat().map((name) => typeNames[name] ?? name);
  const format = schema.format === 'date-time' ? ' (time)' : schema.format ? ` (${escapeHtml(schema.format)})` : '';
  const lengths = range(schema.minLength, schema.maxLength, 'characters') || range(schema.minimum, schema.maximum, '');
  return names.join(' or ') + format + lengths;
}

/** Tables of the objects in a schema, one for each alternative. Empty if the schema contains no object. */
export function tablesOf(schema: Schema): string {
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  return (schema.properties ? table(schema) : '') + parts.map(tablesOf).join('') + (schema.items ? tablesOf(schema.items) : '');
}

/** An example value: the schema's own example, otherwise one made from its required properties. */
export function exampleOf(schema: Schema, resolve: (ref: string) => Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(resolve(schema.$ref), resolve);
  if (schema.enum) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first) return exampleOf(first, resolve);
  if (schema.items) return [exampleOf(schema.items, resolve)];
  if (schema.properties) {
    const required = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(required.map(([name, part]) => [name, exampleOf(part, resolve)]));
  }
  return { string: 'text', number: 1, integer: 1, boolean: true }[[schema.type].flat()[0] ?? ''] ?? null;
}

/** A table of names, types and descriptions in a container that scrolls on narrow screens. */
export function rows(label: string, entries: { name: string; note: string; type: string; meaning: string }[]): string {
  const body = entries.map(
    ({ name, note, type, meaning }) =>
      `<tr><th scope="row">${code(name)}${note === '' ? '' : ` <span class="muted">${note}</span>`}</th><td>${type}</td><td>${meaning}</td></tr>`,
  );
  return `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(label)}"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

export function meaningOf(schema: Schema): string {
  const fallback = schema.default === undefined ? '' : `Default: ${code(JSON.stringify(schema.default))}.`;
  return [prose(schema.description ?? ''), fallback].filter((text) => text !== '').join(' ');
}

/** Escapes text and renders `code` in it. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

export function nameOf(ref: string): string {
  return ref.split('/').at(-1)!;
}

const typeNames: Record<string, string> = { boolean: 'true or false', array: 'list' };

function table({ properties = {}, required = [] }: Schema): string {
  const entries = Object.entries(properties).map(([name, part]) => ({
    name,
    note: required.includes(name) ? '' : 'optional',
    type: typeOf(part),
    meaning: meaningOf(part),
  }));
  return rows('Fields', entries) + Object.values(properties).map(tablesOf).join('');
}

function range(least: number | undefined, most: number | undefined, of: string): string {
  // A larger maximum is JavaScript's own limit, not one of the API.
  const top = most !== undefined && most < Number.MAX_SAFE_INTEGER ? most : undefined;
  if (top === undefined) return least === undefined || least <= 0 ? '' : `, ${least} ${of} or more`.replaceAll('  ', ' ');
  return `, ${least === undefined ? 'at most' : `${least} to`} ${top} ${of}`.trimEnd();
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}
