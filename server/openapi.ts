// The API's description, made from the same schemas that check requests.
import type { Api } from './api.ts';
import type { Services } from './services.ts';

/** Serves `/openapi.json`: OpenAPI 3.1, made at the first request. */
export function addDescription(api: Api, { publicUrl }: Services): void {
  let description: string | undefined;
  api.get('/openapi.json', (context) => {
    description ??= JSON.stringify(describe(api, publicUrl));
    return context.body(description, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });
}

/** The OpenAPI document of all routes that were added. */
export function describe(api: Api, publicUrl: string) {
  api.openAPIRegistry.registerComponent('securitySchemes', 'adminKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An admin key, `svc_…`: secret, for servers only.',
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'assistantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An assistant key, `svc_dsc_…`: for the sites it names only, and no secret.',
  });
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Carrel',
      version: '1.0.0',
      description:
        'Exports documentation sites as jobs, hands out time-limited links to their bundles, and answers questions about them.',
      license: { name: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [
      {
        name: 'Assistant',
        description:
          'Version 1.0.0. Answers questions about a site as streams, searches it and gives its pages. Its root, `{base_url}`, is `/discovery`.',
      },
    ],
  });
}
