// Whether examples fit their schemas. The validator is loaded only where a specification has examples.
import { createContext, Script } from 'node:vm';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { objectOf } from '../../integration/text/json.ts';
import { literal, pointerOf, resolved, type Json } from './json.ts';
import type { PlacedProblem } from './references.ts';

/** What is wrong with the value at a path of a document. */
export interface Fault extends PlacedProblem {
  path: string[];
}

/** An example in a document. */
export interface Example {
  path: string[];
  value: unknown;
  /** Path of its schema. */
  schema: readonly string[];
  /** What is only read needs no value in a request, and what is only written none in a response. */
  direction: 'request' | 'response' | 'both';
}

const documentUrl = 'https://specification.invalid/';
const longestExample = 200_000;
/** Examples that are checked in one go, and for how long: schemas and patterns are a stranger's. */
const together = 50;
const milliseconds = 3000;
const mostTimeouts = 2;

/** What does not fit. Schemas that the validator cannot read, and formats, are not checked. */
export function exampleFaults(document: Json, examples: readonly Example[]): Fault[] {
  const faults: Fault[] = [];
  let check = createCheck(document);
  let timeouts = 0;
  for (let next = 0; next < examples.length && timeouts < mostTimeouts;) {
    const end = Math.min(next + together, examples.length);
    const isDone = within(milliseconds, () => {
      for (; next < end; next++) faults.push(...check(examples[next]!));
    });
    if (isDone) continue;
    // What was interrupted may be in any state.
    check = createCheck(document);
    timeouts++;
    faults.push(timeoutFault(examples[next++]!, timeouts === mostTimeouts ? examples.length - next : 0));
  }
  return faults;
}

/** `unchecked`: the number of examples after this one that are not checked either. */
function timeoutFault({ path }: Example, unchecked: number): Fault {
  const others = unchecked > 0 ? ` ${unchecked} more examples were not checked.` : '';
  return {
    path,
    kind: 'specification-example-invalid',
    message: (pointer) => `The example at ${pointer} could not be compared with its schema: that takes too long.${others}`,
    hint: 'Look for a pattern with nested repetitions, and for alternatives in alternatives. The page shows the example unchanged.',
  };
}

/** Whether `run` ended in time. */
function within(timeout: number, run: () => void): boolean {
  try {
    new Script('run()').runInContext(createContext({ run }), { timeout });
    return true;
  } catch (error) {
    // An error of the other context is not an instance of this one's `Error`.
    if (objectOf(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

function createCheck(document: Json): (example: Example) => Fault[] {
  const validators = {
    request: createValidators(document, 'readOnly'),
    response: createValidators(document, 'writeOnly'),
    both: createValidators(document, 'readOnly', 'writeOnly'),
  };
  return ({ path, value, schema, direction }) => {
    if (literal(value).length > longestExample) return [];
    const validate = validators[direction](schema);
    const error = attempt(() => (!validate || validate(value) ? undefined : validate.errors?.at(-1)));
    return error ? [faultOf(error, path)] : [];
  };
}

function faultOf(error: ErrorObject, path: string[]): Fault {
  const { instancePath, keyword, params } = error;
  const values: unknown = params.allowedValues ?? params.allowedValue;
  const wrong =
    keyword === 'required'
      ? `${literal(params.missing)} is required`
      : keyword === 'additionalProperties'
        ? `${JSON.stringify(params.additionalProperty)} is not in the schema`
        : `${error.message}${values === undefined ? '' : `: ${literal(values).slice(0, 200)}`}`;
  const subject = [instancePath, wrong].filter(Boolean).join(' ');
  return {
    path,
    kind: 'specification-example-invalid',
    message: (pointer) =>
      subject.startsWith('must ')
        ? `The example at ${pointer} ${subject}.`
        : `The example at ${pointer} does not fit its schema: ${subject}.`,
    hint: 'Correct the example or the schema. The page shows the example unchanged.',
  };
}

/** The validators of a document's schemas by their paths; undefined for a schema that cannot be read. */
function createValidators(
  document: Json,
  ...optional: ('readOnly' | 'writeOnly')[]
): (schema: readonly string[]) => ValidateFunction | undefined {
  let ajv: Ajv2020 | undefined;
  const known = new Map<string, ValidateFunction | undefined>();
  return (path) => {
    ajv ??= createAjv(document, optional);
    const schema = path.reduce<unknown>((within, key) => Reflect.get(Object(within), key), document);
    const key = plainText(objectOf(schema)) ?? pointerOf(path);
    if (!known.has(key)) {
      const url = `${documentUrl}#/${pointerOf(path).slice(2).split('/').map(encodeURIComponent).join('/')}`;
      known.set(
        key,
        attempt(() => ajv!.compile({ $ref: url })),
      );
    }
    return known.get(key);
  };
}

const annotations = new Set(['description', 'example', 'examples', 'title', 'default']);

/** What identifies a schema that has none within: the same few, such as a text, are in a specification thousands of times. */
function plainText(schema: Json): string | undefined {
  const rules = Object.entries(schema).filter(([key]) => !annotations.has(key));
  const isPlain = rules.every(([, value]) => [value].flat().every((one) => typeof one !== 'object' || one === null));
  return isPlain ? JSON.stringify(rules) : undefined;
}

function createAjv(document: Json, optional: ('readOnly' | 'writeOnly')[]): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false, inlineRefs: false });
  ajv.removeKeyword('required');
  ajv.addKeyword({
    keyword: 'required',
    type: 'object',
    schemaType: 'array',
    errors: 'full',
    compile(names: unknown[], { properties }) {
      const needed = names.filter((name) => {
        const property = resolved(document, objectOf(properties)[String(name)]);
        return typeof name === 'string' && !optional.some((key) => property[key] === true);
      });
      const validate: DataValidateFunction = (value: object) => {
        const missing = needed.find((name) => !Object.hasOwn(value, String(name)));
        validate.errors =
          missing === undefined ? undefined : [{ keyword: 'required', params: { missing: JSON.stringify(missing) } }];
        return missing === undefined;
      };
      return validate;
    },
  });
  ajv.addSchema(document, documentUrl);
  return ajv;
}

/** Undefined where the validator throws: a schema that it cannot read, or that contains itself without an end. */
function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
