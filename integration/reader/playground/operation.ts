// What the playground knows of an operation: made from its specification at export, and loaded when a reader opens the playground.

/** A JSON Schema without references, cut where it contains itself. */
export interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  /** Whether a value is the content of a file. */
  isFile?: boolean;
}

export interface Server {
  url: string;
  description?: string;
  variables: { name: string; value: string; options?: string[] }[];
}

/** How a request is authorized. `unsupported` are cookies and certificates, which a page cannot send. */
export interface Scheme {
  name: string;
  kind: 'bearer' | 'basic' | 'header' | 'query' | 'unsupported';
  /** Name of the header or query parameter of an API key. */
  field?: string;
  /** How a page can get a token (OAuth 2), and the scopes that the operation needs, separated by spaces. */
  flows?: Flow[];
  scopes?: string;
  /** A key or token that the author fills in (`x-default`), such as one for a sandbox. */
  secret?: string;
}

/** A grant of OAuth 2. Its URLs are absolute, and https or on this machine. */
export interface Flow {
  grant: 'authorization_code' | 'client_credentials';
  tokenUrl: string;
  /** Only of an authorization code. */
  authorizationUrl?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  /** Whether its value is sent as JSON. */
  isJson: boolean;
  style?: string;
  explode?: boolean;
  example?: unknown;
  /** Whether the example is a value that its author fills in (`x-default`), even where the parameter is optional. */
  isPrefilled?: boolean;
}

export interface Content {
  type: string;
  schema?: Schema;
  example?: unknown;
}

export interface Answer {
  status: string;
  description?: string;
  /** Absent when the response has no body. */
  type?: string;
  /** Name of the example. */
  name?: string;
  example?: unknown;
}

export interface Operation {
  method: string;
  path: string;
  title: string;
  servers: Server[];
  /** Alternatives; each lists all schemes that it needs. An empty one needs none. */
  security: Scheme[][];
  parameters: Parameter[];
  body?: { required: boolean; contents: Content[] };
  answers: Answer[];
}

const mostUrls = 100;

/** The origins of servers, with each value of their variables. A server without a host is one of `pageUrl`, or skipped without that. */
export function serverOrigins(servers: Server[], pageUrl?: string): string[] {
  const urls = servers.flatMap(({ url, variables }) =>
    variables.reduce(
      (made, { name, value, options = [value] }) =>
        made.flatMap((one) => options.map((option) => one.replaceAll(`{${name}}`, () => option))).slice(0, mostUrls),
      [url],
    ),
  );
  const parsed = urls.flatMap((url) => URL.parse(url, pageUrl) ?? []);
  return [...new Set(parsed.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin }) => origin))];
}
