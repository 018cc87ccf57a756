// The request that a reader's values make, and what is wrong with them.
import { isRecord } from '../../text/json.ts';
import { checkValue } from './check-value.ts';
import type { Content, Operation, Parameter, Schema, Scheme } from './operation.ts';
import type { Fault, Text } from './texts.ts';

/** What the reader has typed or chosen. */
export interface Values {
  /** Index of the server, and the values of its variables. */
  server: number;
  variables: Record<string, string>;
  /** Index of the alternative, and secrets by the name of their scheme. */
  security: number;
  secrets: Record<string, { user?: string; secret: string }>;
  /** By place and name: `query limit`. An empty text is not sent. */
  parameters: Record<string, string>;
  /** Index of the media type of the body. */
  content: number;
  /** The body as text. */
  body: string;
  /** Fields of a form by name. */
  fields: Record<string, string>;
  /** Files of a form by the name of the field; the file that is the whole body is under ''. */
  files: Record<string, File>;
}

/** Faults by field: `query limit`, `variable region`, `body`, `field name`. */
export type Faults = Map<string, Fault>;

export interface Request {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: string | File | { type: string; parts: [name: string, value: string | File][] };
}

/** Where a specification names no server. */
const exampleServer = 'https://api.example.com';

/** A request, and what is wrong with the values. Faulty values are sent unchanged where that is possible. */
export function requestOf(operation: Operation, values: Values, pageUrl: string): { request: Request; faults: Faults } {
  const faults: Faults = new Map();
  const headers: Request['headers'] = [];
  const query: string[] = [];
  let path = operation.path;
  for (const parameter of operation.parameters) {
    const key = keyOf(parameter);
    const text = values.parameters[key] ?? '';
    if (text === '') {
      if (parameter.required) faults.set(key, own('faultRequired'));
      continue;
    }
    const { value, fault } = checked(parameter.schema, text, parameter.isJson);
    if (fault) faults.set(key, fault);
    if (parameter.in === 'query') query.push(...queryPairs(parameter, value));
    else if (parameter.in === 'header') addHeader(headers, parameter.name, joined(parameter, value), key, faults);
    else {
      const part = joined(parameter, value);
      // A URL has no segment of dots: it would refer to another operation.
      if (/^\.{1,2}$/.test(part)) faults.set(key, own('faultDots'));
      else path = path.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(part));
    }
  }
  for (const scheme of operation.security[values.security] ?? []) authorize(scheme, values, headers, query, faults);
  const body = bodyOf(operation, values, faults);
  const content = operation.body?.contents[values.content];
  if (body !== undefined && content && !(isMultipart(content) && typeof body === 'object'))
    headers.push(['Content-Type', content.type]);
  const url = serverUrl(operation, values, pageUrl, faults) + path + (query.length > 0 ? `?${query.join('&')}` : '');
  return { request: { method: operation.method, url, headers, ...(body !== undefined && { body }) }, faults };
}

export function keyOf({ in: location, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${location} ${name}`;
}

export function isMultipart({ type }: Content): boolean {
  return /^multipart\//i.test(type);
}

/** Whether a body consists of fields. */
export function isForm(content: Content): boolean {
  return isMultipart(content) || /urlencoded/i.test(content.type);
}

/** Whether a body is one file. */
export function isBinary({ type, schema }: Content): boolean {
  return schema?.isFile === true || /^(?:application\/octet-stream|image\/|audio\/|video\/)/i.test(type);
}

export function isJson(type: string): boolean {
  return /[/+]json\b/i.test(type);
}

function serverUrl(operation: Operation, values: Values, pageUrl: string, faults: Faults): string {
  const server = operation.servers[values.server];
  const filled = (server?.url ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = values.variables[name] ?? '';
    if (value === '') faults.set(`variable ${name}`, own('faultRequired'));
    // A variable is a part of a name or a path, and must not become another host.
    else if (/[\s?#@\\]/.test(value)) faults.set(`variable ${name}`, own('faultCharacters', { characters: '? # @ \\' }));
    return value || whole;
  });
  const base = /^https?:\/\//i.test(filled)
    ? filled
    : pageUrl.startsWith('http') && filled !== ''
      ? new URL(filled, pageUrl).href
      : exampleServer + (filled.startsWith('/') ? filled : '');
  return base.replace(/\/+$/, '');
}

/** A fault of a value itself. */
function own(...text: Text): Fault {
  return { path: '', text };
}

/** The value that a text stands for, and the first fault of it. */
function checked(schema: Schema, text: string, isJsonText: boolean): { value: unknown; fault?: Fault } {
  const { value, fault } = typed(schema, text, isJsonText);
  return { value, fault: fault ?? checkValue(schema, value)[0] };
}

function typed(schema: Schema, text: string, isJsonText: boolean): { value: unknown; fault?: Fault } {
  const types = [schema.type ?? []].flat();
  const isList = types.includes('array') && !isJsonText;
  if (isList)
    return {
      value: text
        .split('\n')
        .filter(Boolean)
        .map((line) => typed(schema.items ?? {}, line, false).value),
    };
  if (isJsonText || types.includes('object')) {
    try {
      return { value: JSON.parse(text) as unknown };
    } catch (error) {
      return { value: text, fault: notJson(error) };
    }
  }
  if ((types.includes('integer') || types.includes('number')) && text.trim() !== '' && Number.isFinite(Number(text)))
    return { value: Number(text) };
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return { value: text === 'true' };
  return { value: text };
}

function notJson(error: unknown): Fault {
  return own('faultJson', { reason: error instanceof Error ? error.message : String(error) });
}

/** A value as text: text itself, everything else as JSON. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A value in a path or a header. */
function joined({ isJson: asJson }: Parameter, value: unknown): string {
  if (asJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plain).join(',');
  return isRecord(value)
    ? Object.entries(value)
        .flatMap(([name, part]) => [name, plain(part)])
        .join(',')
    : plain(value);
}

const delimiters: Record<string, string> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

// https://spec.openapis.org/oas/v3.1.1.html#style-values
function queryPairs({ name, style = 'form', explode = style === 'form', isJson: asJson }: Parameter, value: unknown): string[] {
  const pair = (key: string, part: unknown) => `${encodeURIComponent(key)}=${encodeURIComponent(plain(part))}`;
  if (asJson) return [pair(name, JSON.stringify(value))];
  const joinedBy = delimiters[style] ?? ',';
  const list = (parts: unknown[]) =>
    `${encodeURIComponent(name)}=${parts.map((part) => encodeURIComponent(plain(part))).join(joinedBy)}`;
  if (Array.isArray(value)) return explode ? value.map((part) => pair(name, part)) : [list(value)];
  if (!isRecord(value)) return [pair(name, value)];
  if (style === 'deepObject') return Object.entries(value).map(([key, part]) => pair(`${name}[${key}]`, part));
  return explode ? Object.entries(value).map(([key, part]) => pair(key, part)) : [list(Object.entries(value).flat())];
}

function addHeader(headers: Request['headers'], name: string, value: string, key: string, faults: Faults): void {
  // `Headers` refuses all other characters.
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) faults.set(key, own('faultHeader'));
  else headers.push([name, value]);
}

function authorize(scheme: Scheme, values: Values, headers: Request['headers'], query: string[], faults: Faults): void {
  const { user = '', secret = '' } = values.secrets[scheme.name] ?? {};
  if (secret === '' && user === '') return;
  const key = `secret ${scheme.name}`;
  if (scheme.kind === 'bearer') addHeader(headers, 'Authorization', `Bearer ${secret}`, key, faults);
  if (scheme.kind === 'basic') {
    const bytes = new TextEncoder().encode(`${user}:${secret}`);
    addHeader(headers, 'Authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`, key, faults);
  }
  if (scheme.kind === 'header') addHeader(headers, scheme.field ?? '', secret, key, faults);
  if (scheme.kind === 'query') query.push(`${encodeURIComponent(scheme.field ?? '')}=${encodeURIComponent(secret)}`);
}

function bodyOf({ body }: Operation, values: Values, faults: Faults): Request['body'] {
  const content = body?.contents[values.content];
  if (!body || !content) return undefined;
  if (isForm(content)) return formOf(content, values, faults);
  if (isBinary(content)) {
    const file = values.files[''];
    if (!file && body.required) faults.set('body', own('faultRequired'));
    return file;
  }
  if (values.body.trim() === '') {
    if (body.required) faults.set('body', own('faultRequired'));
    return undefined;
  }
  if (isJson(content.type)) {
    try {
      const [first] = checkValue(content.schema ?? {}, JSON.parse(values.body));
      if (first) faults.set('body', first);
    } catch (error) {
      faults.set('body', notJson(error));
    }
  }
  return values.body;
}

function formOf(content: Content, values: Values, faults: Faults): Request['body'] {
  const parts = Object.entries(content.schema?.properties ?? {}).flatMap(([name, schema]): [string, string | File][] => {
    const value = values.files[name] ?? values.fields[name] ?? '';
    if (value === '') {
      if (content.schema?.required?.includes(name)) faults.set(`field ${name}`, own('faultRequired'));
      return [];
    }
    if (typeof value === 'string') {
      const { value: found, fault } = checked(schema, value, false);
      if (fault) faults.set(`field ${name}`, fault);
      if (Array.isArray(found)) return found.map((part) => [name, plain(part)]);
    }
    return [[name, value]];
  });
  return { type: content.type, parts };
}
