// A base whose alternatives contain it (`oneOf` and a discriminator in the base, `allOf` with the base in each variant):
// the usual form of inheritance in OpenAPI, and a circle when it is read by the letter.
// https://spec.openapis.org/oas/v3.1.1#models-with-polymorphism-support
import { objectOf } from '../../integration/text/json.ts';
import { at, objects, resolve, string, type Json } from './json.ts';

/**
 * Takes the alternatives out of the base wherever one of them contains it, so that a variant has the base's fields and its
 * own, with its value of the discriminator. Changes the document.
 */
export function separateVariants(document: Json): void {
  for (const schema of Object.values(objectOf(objectOf(document.components).schemas))) {
    const base = objectOf(schema);
    let alone: Json | undefined;
    const baseAlone = () => (alone ??= withoutAlternatives(base));
    for (const [variant, discriminator] of alternativesOf(base))
      if (isSeparated(document, variant, { base, baseAlone }, new Set([base])))
        chooseBy(document, variant, discriminator, objectOf(baseAlone().properties));
  }
}

/** With the discriminator that chooses among them. */
function alternativesOf(schema: Json): [alternative: Json, discriminator: Json][] {
  const own = [...objects(schema.oneOf), ...objects(schema.anyOf)];
  return [
    ...own.map((one): [Json, Json] => [one, objectOf(schema.discriminator)]),
    ...objects(schema.allOf).flatMap((part) => (part.$ref === undefined ? alternativesOf(part) : [])),
  ];
}

function withoutAlternatives({ oneOf: _, anyOf: __, discriminator: ___, ...schema }: Json): Json {
  if (!Array.isArray(schema.allOf)) return schema;
  const allOf = objects(schema.allOf).map((part) => (part.$ref === undefined ? withoutAlternatives(part) : part));
  return { ...schema, allOf };
}

/** Whether the schema, or one that it is composed of, contained the base. */
function isSeparated(document: Json, given: Json, of: { base: Json; baseAlone: () => Json }, seen: Set<unknown>): boolean {
  const schema = definitionOf(document, given);
  if (!schema || seen.has(schema) || !Array.isArray(schema.allOf)) return false;
  seen.add(schema);
  let found = false;
  for (const [index, part] of schema.allOf.entries()) {
    if (definitionOf(document, part) === of.base || part === of.baseAlone()) {
      schema.allOf[index] = of.baseAlone();
      found = true;
    } else if (isSeparated(document, part as Json, of, seen)) found = true;
  }
  return found;
}

/** Says in the variant which value of the discriminator it has. */
function chooseBy(document: Json, given: Json, { propertyName, mapping }: Json, fields: Json): void {
  const property = string(propertyName);
  const variant = definitionOf(document, given);
  const { name, reference } = resolve(document, given) ?? {};
  if (property === undefined || name === undefined || !variant) return;
  const values = discriminatorValues({ name, reference }, mapping);
  const value = values.length === 1 ? { const: values[0] } : { enum: values };
  (variant.allOf as unknown[]).push({ properties: { [property]: { ...objectOf(fields[property]), ...value } } });
}

/** The values by which a schema is chosen: those that are mapped to it, or its name. */
export function discriminatorValues({ name, reference }: { name: string; reference: unknown }, mapping: unknown): string[] {
  const mapped = Object.entries(objectOf(mapping)).flatMap(([value, target]) =>
    target === reference || target === name ? [value] : [],
  );
  return mapped.length > 0 ? mapped : [name];
}

/** The schema itself, without what stands beside references to it. */
function definitionOf(document: Json, given: unknown): Json | undefined {
  const found = resolve(document, given);
  const target = found?.reference === undefined ? found?.value : at(document, found.reference);
  return target as Json | undefined;
}
