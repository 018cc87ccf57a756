import { z } from 'zod';

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';
type Schemas = Partial<Record<Kind, z.ZodType>>;
type Outputs<S extends Schemas> = { [K in keyof S]: S[K] extends z.ZodType<infer T> ? T : never }[keyof S];

/**
 * A value of one of several JSON kinds, each with its schema. A union would report one issue for the whole value;
 * here the kind selects the schema, so that every issue keeps the path of the wrong key.
 */
export function byKind<S extends Schemas>(schemas: S): z.ZodType<Outputs<S>> {
  const schema = z.unknown().transform((value, context) => {
    const member = schemas[kindOf(value) as Kind];
    if (!member) {
      context.issues.push({ code: 'custom', input: value, message: mustBe(Object.keys(schemas)) });
      return z.NEVER;
    }
    const result = member.safeParse(value);
    if (result.success) return result.data as Outputs<S>;
    for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as never);
    return z.NEVER;
  });
  members.set(schema, Object.values(schemas));
  return schema;
}

const members = new WeakMap<object, z.ZodType[]>();

/** The schemas that `byKind` made a schema of; undefined for any other schema. */
export function membersOf(schema: object): z.ZodType[] | undefined {
  return members.get(schema);
}

/** `but must be a string or an object`: the end of a message about a value of another kind. */
export function mustBe(kinds: string[]): string {
  return `but must be ${kinds.map((kind) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`).join(' or ')}`;
}

/** The JSON kind of a value, as messages name it. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
