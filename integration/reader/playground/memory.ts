// What the reader's browser remembers of an operation, if the reader asked for that: values and requests, without credentials and files.
import { isRecord, listOf, objectOf } from '../../text/json.ts';
import { siteRoot } from '../core/site.ts';
import type { Operation } from './operation.ts';
import { keyOf, type Values } from './request.ts';

/** What is remembered of the values of a form. */
export type StoredValues = Pick<Values, 'server' | 'variables' | 'security' | 'parameters' | 'content' | 'body' | 'fields'>;

export interface PastRequest {
  /** Milliseconds since 1970. */
  time: number;
  status: number;
  values: StoredValues;
}

const mostRequests = 20;

/** The memory of one operation of a site. Where the browser blocks storage, it stays empty. */
export class Memory {
  readonly #operation: Operation;
  readonly #key: string;

  constructor(operation: Operation) {
    this.#operation = operation;
    this.#key = `carrel-playground ${siteRoot()} ${operation.method} ${operation.path}`;
  }

  /** Whether the reader asked to remember. */
  get isOn(): boolean {
    return this.#read() !== undefined;
  }

  get values(): StoredValues | undefined {
    return readValues(this.#read()?.['values']);
  }

  /** The newest first. */
  get requests(): PastRequest[] {
    return listOf(this.#read()?.['requests']).flatMap((given) => {
      const { time, status, values } = objectOf(given);
      const read = readValues(values);
      return typeof time === 'number' && typeof status === 'number' && read ? [{ time, status, values: read }] : [];
    });
  }

  remember(values: Values): void {
    this.#write(this.#without(values), this.requests);
  }

  add(values: Values, status: number, time: number): void {
    const request = { time, status, values: this.#without(values) };
    this.#write(request.values, [request, ...this.requests].slice(0, mostRequests));
  }

  clearRequests(): void {
    const { values } = this;
    if (values) this.#write(values, []);
  }

  forget(): void {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing was stored.
    }
  }

  /** Values without those that the specification marks as passwords. */
  #without({ server, variables, security, parameters, content, body, fields }: Values): StoredValues {
    const hidden = new Set(this.#operation.parameters.filter(({ schema }) => schema.format === 'password').map(keyOf));
    const schemas = this.#operation.body?.contents[content]?.schema?.properties ?? {};
    return {
      ...{ server, variables, security, content, body },
      parameters: Object.fromEntries(Object.entries(parameters).filter(([key]) => !hidden.has(key))),
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => schemas[name]?.format !== 'password')),
    };
  }

  #read(): Record<string, unknown> | undefined {
    try {
      const text = localStorage.getItem(this.#key);
      return text === null ? undefined : objectOf(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #write(values: StoredValues, requests: PastRequest[]): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify({ values, requests }));
    } catch {
      // Without storage, or without space in it, the values are gone with the page.
    }
  }
}

/** Stored values, as far as they have the right types: another version of the site may have written them. */
function readValues(given: unknown): StoredValues | undefined {
  if (!isRecord(given)) return undefined;
  const number = (name: string) => (typeof given[name] === 'number' ? given[name] : 0);
  const texts = (name: string) =>
    Object.fromEntries(
      Object.entries(objectOf(given[name])).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  return {
    ...{ server: number('server'), security: number('security'), content: number('content') },
    ...{ variables: texts('variables'), parameters: texts('parameters'), fields: texts('fields') },
    body: typeof given['body'] === 'string' ? given['body'] : '',
  };
}
