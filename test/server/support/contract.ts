import { isRecord } from '../../../integration/text/json.ts';
// Answers held against descriptions of the API: our own, and one of the given calls as clients of the hosted service know them.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The part of an OpenAPI document that is read here. */
export interface ApiDocument {
  paths?: Record<string, Record<string, unknown>>;
}

interface Answer {
  $ref?: string;
  content?: Record<string, { schema?: unknown }>;
}

const contract = JSON.parse(readFileSync(new URL('static-export.openapi.json', import.meta.url), 'utf8')) as ApiDocument;

// Beyond the contract, and so with statuses that it does not name: what every server may answer, what our own limits and states add.
const ours = [400, 403, 404, 409, 410, 413, 415, 429, 500, 503];

/** Both checks below; `document` is our own `/openapi.json`. The answer can still be read afterward. */
export async function checkResponse(document: ApiDocument, method: string, path: string, response: Response): Promise<void> {
  await checkAgainst(document, method, path, response);
  await checkContract(method, path, response);
}

/**
 * Throws when an answer of one of the given calls is none that a client of the hosted service understands; others pass.
 * A job that was canceled is none that such a client knows of, as it has no call for it: it is checked but for that word.
 */
export async function checkContract(method: string, path: string, response: Response): Promise<void> {
  if (!operationAt(contract, method, path)) return;
  await checkAnswer(contract, method, path, response, (body) => {
    return isRecord(body) && body.status === 'canceled' ? { ...body, status: 'queued' } : body;
  });
}

/** Throws when an answer is none that an OpenAPI document declares: its route, status, content type or body. */
export async function checkAgainst(document: ApiDocument, method: string, path: string, response: Response): Promise<void> {
  // What is at no route, or at no method of one, is no operation.
  if (!operationAt(document, method, path) && [404, 405].includes(response.status)) return;
  await checkAnswer(document, method, path, response, (body) => body);
}

async function checkAnswer(
  document: ApiDocument,
  method: string,
  path: string,
  response: Response,
  adapt: (body: unknown) => unknown,
): Promise<void> {
  const what = `${method} ${path} → ${response.status}`;
  const found = operationAt(document, method, path);
  if (!found) throw new Error(`${what}: the description has no such operation.`);
  let place = [...found.place, 'responses', String(response.status)];
  let answer = at(document, place) as Answer | undefined;
  if (!answer && document === contract && ours.includes(response.status)) {
    place = ['components', 'responses', 'Error'];
    answer = at(document, place) as Answer;
  }
  if (!answer) throw new Error(`${what}: the description has no such status.`);
  if (answer.$ref) {
    place = answer.$ref.slice(2).split('/');
    answer = at(document, place) as Answer;
  }
  const type = response.headers.get('content-type')?.split(';')[0];
  const content = answer.content;
  if (!content) {
    if (response.body) throw new Error(`${what}: the description has no body, the answer has one of type ${type}.`);
    return;
  }
  if (!type || !content[type]) throw new Error(`${what}: the description has no body of type ${type}.`);
  if (type !== 'application/json' || method === 'HEAD') return;
  const body = adapt(await response.clone().json());
  const validate = validator(document, [...place, 'content', type, 'schema']);
  if (!validate(body)) {
    const faults = validate.errors!.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
    throw new Error(`${what}: ${faults.join('; ')}\n${JSON.stringify(body, undefined, 2)}`);
  }
}

const ajvs = new WeakMap<ApiDocument, Ajv2020>();

function validator(document: ApiDocument, place: string[]) {
  let ajv = ajvs.get(document);
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, allErrors: true });
    (formats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
    ajv.addSchema(document, 'api', undefined, false);
    ajvs.set(document, ajv);
  }
  const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`api#/${pointer}`);
  if (!validate) throw new Error(`There is no schema at ${place.join(' → ')}.`);
  return validate;
}

/** The operation that answers a request; one with fewer parameters in its path comes first, as `/jobs/latest` before `/jobs/{id}`. */
function operationAt(document: ApiDocument, method: string, path: string): { place: string[] } | undefined {
  const { pathname } = new URL(path, 'http://api.example.com');
  const key = method === 'HEAD' ? 'get' : method.toLowerCase();
  const templates = Object.keys(document.paths ?? {})
    .filter((template) => matches(template, pathname) && key in document.paths![template]!)
    .sort((a, b) => a.split('{').length - b.split('{').length);
  return templates[0] === undefined ? undefined : { place: ['paths', templates[0], key] };
}

function matches(template: string, pathname: string): boolean {
  const parts = template.split('/');
  const segments = pathname.split('/');
  return parts.length === segments.length && parts.every((part, index) => part.startsWith('{') || part === segments[index]);
}

function at(value: unknown, place: string[]): unknown {
  return place.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}
