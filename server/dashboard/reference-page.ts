// Renders the OpenAPI document as one HTML page without scripts: operations by tag, then the schemas that they share.
import { escapeHtml } from '../../integration/text/escape.ts';
import { exampleOf, meaningOf, nameOf, prose, rows, tablesOf, typeOf, type Schema } from '../http/reference-schema.ts';

interface Content {
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<
    string,
    Content & { description: string; headers?: Record<string, { schema?: Schema; description?: string }> }
  >;
}
export interface Description {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  paths?: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, unknown> };
}

interface Route extends Operation {
  id: string;
  method: string;
  path: string;
}

// The most popular tags come first; all others follow.
const order = ['Static export', 'Bundles', 'Sites', 'Keys', 'Webhooks', 'Organizations'];

/** `styles` is the URL of the stylesheet; `openapi` is the URL of the document. */
export function referencePage(description: Description, { styles, openapi }: { styles: string; openapi: string }): string {
  const { info, servers = [], paths = {}, components = {} } = description;
  const url = servers[0]?.url ?? '';
  const schemas = (components.schemas ?? {}) as Record<string, Schema>;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => {
      const id = (operation as Operation).operationId ?? `${method}${path.replaceAll(/\W+/g, '-')}`;
      return { ...(operation as Operation), id, method: method.toUpperCase(), path };
    }),
  );
  const tagOf = ({ tags }: Route) => tags?.[0] ?? 'Other';
  const named = [...new Set([...order, ...routes.map(tagOf)])];
  const subjects = named
    .map((tag) => ({ tag, its: routes.filter((route) => tagOf(route) === tag) }))
    .filter(({ its }) => its.length > 0);
  const resolve = (ref: string) => schemas[nameOf(ref)] ?? {};

  const contents = subjects.map(
    ({ tag, its }) =>
      `<li>${escapeHtml(tag)}<ul>${its.map(({ id, summary, path }) => `<li><a href="#${id}">${prose(summary ?? path)}</a></li>`).join('')}</ul></li>`,
  );
  const parts = subjects.map(
    ({ tag, its }) =>
      `<section><h2 id="${slug(tag)}">${escapeHtml(tag)}</h2>${its.map((route) => operation(route, url, resolve)).join('')}</section>`,
  );
  const shapes = Object.entries(schemas).map(
    ([name, schema]) =>
      `<article class="card"><h3 id="schema-${name}">${name}</h3>${schema.description ? `<p>${prose(schema.description)}</p>` : ''}${tablesOf(schema) || `<p>${typeOf(schema)}</p>`}</article>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${escapeHtml(info.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(styles)}">
</head>
<body>
<header class="header"><span class="brand">${escapeHtml(info.title)}</span></header>
<main class="reference">
<h1>API reference</h1>
<p class="lead">${prose(info.description ?? '')} Version ${escapeHtml(info.version)}, also available as <a href="${escapeHtml(openapi)}">OpenAPI 3.1</a>.</p>
<p>Base URL: <code>${escapeHtml(url)}</code>. Send the key as <code>Authorization: Bearer svc_…</code>; bodies are JSON. Every error has the
<a href="#schema-Error">same format</a>: <code>error</code> says what happened and what to do, <code>code</code> never changes, and <code>requestId</code> identifies the request in the log.</p>
<nav aria-label="Contents"><ul class="contents">${contents.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
${parts.join('\n')}
<section><h2 id="schemas">Schemas</h2>${shapes.join('')}</section>
</main>
</body>
</html>
`;
}

function operation(route: Route, url: string, resolve: (ref: string) => Schema): string {
  const { id, method, path, summary, description, security, parameters = [], requestBody, responses } = route;
  const body = requestBody?.content?.['application/json']?.schema;
  const inputs = parameters.map(({ name, in: location, required, schema, description: meaning }) => ({
    name,
    note: `${location}${required ? '' : ', optional'}`,
    type: typeOf(schema),
    meaning: meaningOf({ ...schema, description: meaning ?? schema.description }),
  }));
  const answers = Object.entries(responses).map(([status, answer]) => {
    const [type, { schema } = {}] = Object.entries(answer.content ?? {})[0] ?? [];
    const shape = schema?.$ref ? typeOf(schema) : type ? `<code>${escapeHtml(type)}</code>` : '';
    const headers = Object.keys(answer.headers ?? {}).map((name) => `<code>${escapeHtml(name)}</code>`);
    return `<li><strong>${status}</strong> ${prose(answer.description)} ${shape}${headers.length > 0 ? ` · headers ${headers.join(', ')}` : ''}</li>`;
  });
  return `<article class="card">
<h3 id="${id}">${prose(summary ?? path)}</h3>
<p class="route"><span class="chip">${method}</span> <code>${escapeHtml(path)}</code>${security?.length ? '' : ' <span class="muted">no key</span>'}</p>
${description ? `<p>${prose(description)}</p>` : ''}
${inputs.length > 0 ? `<h4>Parameters</h4>${rows(`Parameters of ${summary}`, inputs)}` : ''}
${body ? `<h4>Body</h4>${body.$ref ? `<p>${typeOf(body)}</p>` : ''}${tablesOf(body.$ref ? resolve(body.$ref) : body)}` : ''}
<h4>Example</h4>
<pre tabindex="0" role="group" aria-label="Example of ${escapeHtml(summary ?? path)}">${escapeHtml(curl(route, url, body && exampleOf(body, resolve)))}</pre>
<h4>Responses</h4>
<ul class="answers">${answers.join('')}</ul>
</article>`;
}

/** The request as a shell command, with the key in a variable. */
function curl({ method, path, security, parameters = [] }: Route, url: string, body: unknown): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.schema.example;
    return typeof example === 'string' || typeof example === 'number' ? encodeURIComponent(example) : name;
  });
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${url}${filled}"`,
    ...(security?.length ? ['-H "Authorization: Bearer $CARREL_KEY"'] : []),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '-');
}
