import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Api, ApiEnvironment } from './api.ts';
import { describe } from './openapi.ts';
import { exampleOf, nameOf, type Schema } from './reference-schema.ts';

interface Description {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns an example, as JSON, of the body that the route of a request takes, from the route's own description. */
export function createBodyExample(api: Api): (context: Context<ApiEnvironment>) => string | undefined {
  let description: Description | undefined;
  return (context) => {
    description ??= describe(api, '') as unknown as Description;
    const { schemas } = description.components;
    const path = routePath(context, -1).replaceAll(/:(\w+)/g, '{$1}');
    const operation = description.paths[path]?.[context.req.method.toLowerCase()];
    const schema = operation?.requestBody?.content?.['application/json']?.schema;
    return schema && JSON.stringify(exampleOf(schema, (ref) => schemas[nameOf(ref)]!));
  };
}
