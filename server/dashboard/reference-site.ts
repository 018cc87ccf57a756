// The human-readable reference at /reference: a site that Carrel exports from the API's own description.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSite } from '../active-exports/open-site.ts';
import { siteHandler } from '../hosting/handler.ts';
import { withSettings } from '../hosting/with-settings.ts';
import type { Api } from '../http/api.ts';
import { describe } from '../http/openapi.ts';
import { makeRunFolder, removeLeftovers } from '../jobs/worker/run-folder.ts';
import { runExport } from '../jobs/worker/run-export.ts';
import { limitsOf } from '../platform/process-limits.ts';
import { createRunLog } from '../platform/run-log.ts';
import { newRequestId } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { siteSettingsSchema } from '../sites/sites.ts';

type Handler = ReturnType<typeof siteHandler>;

/** Serves the reference. The first request exports it below the data folder, which needs no network; later requests wait for that, too. */
export function addReferenceRoutes(api: Api, services: Services): void {
  let handler: Promise<Handler> | undefined;
  for (const path of ['/reference', '/reference/*'])
    api.get(path, async (context) => {
      handler ??= exportReference(api, services).catch((error: unknown) => {
        // The next request tries again.
        handler = undefined;
        throw error;
      });
      const response = await (await handler)(context.req.raw);
      // The dashboard is on the same origin.
      const policy = response.headers.get('content-security-policy') ?? "default-src 'none'";
      response.headers.set('content-security-policy', `${policy}; frame-ancestors 'none'; form-action 'none'; base-uri 'none'`);
      response.headers.set('cross-origin-opener-policy', 'same-origin');
      response.headers.set('referrer-policy', 'no-referrer');
      return response;
    });
}

async function exportReference(api: Api, services: Services): Promise<Handler> {
  const { exporter, options, now, publicUrl, stopping } = services;
  const parent = join(options.data, 'reference');
  await removeLeftovers(parent, now());
  const folder = await makeRunFolder(parent, { id: newRequestId(), attempt: 1 });
  const source = join(folder, 'docs');
  await mkdir(source);
  for (const [name, text] of Object.entries(referenceDocs(describe(api, publicUrl), publicUrl)))
    await writeFile(join(source, name), text);
  const { folder: exported } = await runExport(exporter, {
    source,
    folder,
    cache: join(options.data, 'cache'),
    request: {},
    // No page loads anything from an external origin, and the policy does not allow it.
    settings: siteSettingsSchema.parse({ deployment: 'air-gapped' }),
    limits: limitsOf(options),
    log: createRunLog({ keep: async () => {}, onError: () => {}, folder }),
    onProgress: () => {},
    onReport: async () => {},
    signal: stopping ?? new AbortController().signal,
  });
  const settings = { features: { playground: { mode: 'direct' as const } } };
  return siteHandler(
    withSettings(await openSite(exported), async () => settings),
    { base: '/reference/' },
  );
}

// Tags that most readers look for come first; all others follow in the document's order.
const order = ['Static export', 'Bundles', 'Sites', 'Keys', 'Webhooks', 'Organizations', 'Assistant'];

/** The docs folder of the reference: names and texts of its files. */
export function referenceDocs(description: ReturnType<typeof describe>, publicUrl: string): Record<string, string> {
  const { info, tags = [], paths = {} } = description;
  const names = [...new Set([...order, ...tags.map(({ name }) => name)])];
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { tags?: string[] }>).map(([method, operation]) => ({
      entry: `${method.toUpperCase()} ${path}`,
      tag: operation.tags?.[0],
    })),
  );
  const groups = names.flatMap((group) => {
    const pages = operations.filter(({ tag }) => tag === group).map(({ entry }) => entry);
    return pages.length > 0 ? [{ group, openapi: { source: 'openapi.json', directory: 'api' }, pages }] : [];
  });
  const config = {
    name: info.title,
    description: info.description,
    colors: { primary: '#9a3412', light: '#fdba74', dark: '#7c2d12' },
    icons: { library: 'lucide' },
    styling: { eyebrows: 'breadcrumbs' },
    navbar: { links: [{ label: 'Dashboard', href: `${publicUrl}/dashboard` }] },
    navigation: { groups: [{ group: 'Start here', pages: ['index'] }, ...groups] },
  };
  return {
    'docs.json': JSON.stringify(config),
    'openapi.json': JSON.stringify(description),
    'index.md': homePage(info, publicUrl),
  };
}

function homePage({ version, description }: { version: string; description?: string }, publicUrl: string): string {
  const values: Record<string, string> = { version, description: JSON.stringify(description ?? ''), publicUrl };
  const text = readFileSync(new URL('reference-home.md', import.meta.url), 'utf8');
  return text.replaceAll(/\{(\w+)\}/g, (written, name: string) => values[name] ?? written);
}
