// What pages of operations and channels show beside their bodies, and the scripts of the playgrounds of operations. An operation is one of a
// specification, or is described by the page itself.
import type { ExportAsset } from '../../integration/export/export-site.ts';
import { playgroundFile } from '../../integration/manifest.ts';
import { cachedValue, type ExportCache } from '../../integration/output/export-cache.ts';
import type { RendererOptions } from '../markdown/context.ts';
import type { MarkdownNode } from '../markdown/tree.ts';
import { object } from '../openapi/json.ts';
import { hasPlayground } from '../openapi/playground-display.ts';
import { settingsKey, withSettings } from '../openapi/reference-settings.ts';
import type { Reference } from '../openapi/reference.ts';
import { writtenEndpoint, type Endpoint } from '../openapi/written-endpoint.ts';
import type { Site } from '../site/model.ts';
import type { SourcePage } from '../source/source.ts';
import { generator } from '../version.ts';

export interface OperationPages {
  /** Names of the scripts that the playgrounds of pages load, by the paths of the pages. */
  scripts: ReadonlyMap<string, string>;
  assets: ExportAsset[];
  isOperation(page: SourcePage): boolean;
  /** Digests of what a page's operation depends on, besides the page's file and its specification. */
  dependencies(page: SourcePage): string[];
  /** For a renderer, which a warm export does not load. */
  generated(): Promise<NonNullable<RendererOptions['generated']>>;
}

/** `openBodies` loads what gives the bodies of pages without MDX; `snippetsOf` gives the digests of the snippets that a page uses. */
export async function createOperationPages(
  { pages, source: { config } }: Site,
  reference: Reference | undefined,
  options: {
    cache?: ExportCache;
    openBodies(): Promise<(page: SourcePage) => MarkdownNode[]>;
    snippetsOf(page: SourcePage): string[];
  },
): Promise<OperationPages> {
  const api = config?.api;
  let opened: ReturnType<typeof options.openBodies> | undefined;
  const bodies = () => (opened ??= options.openBodies());
  const scripts = new Map<string, string>();
  const assets = new Map<string, ExportAsset>();
  const servers = new Set<string>();
  const tokens = new Set<string>();
  const described = pages.flatMap(({ source }): [SourcePage, ReturnType<Reference['describedBy']>, Endpoint | undefined][] => {
    const found = reference?.describedBy(source);
    const endpoint = found ? undefined : writtenEndpoint(source.frontmatter);
    return found || endpoint ? [[source, found, endpoint]] : [];
  });
  if (described.length === 0)
    return { scripts, assets: [], isOperation: () => false, dependencies: () => [], generated: async () => () => ({}) };

  const { hasConsent, operationScript, operationScriptName, operationOrigins } = await import('../openapi/playground-data.ts');
  const { oauthPage } = await import('../openapi/oauth-page.ts');
  const { writtenNodes, writtenOperation } = await import('../openapi/written-operation.ts');
  const written = (page: SourcePage) =>
    writtenEndpoint(page.frontmatter) ? [JSON.stringify(object(object(api).mdx)), ...options.snippetsOf(page)] : [];
  const isOperation = (page: SourcePage) => page.described !== undefined || writtenEndpoint(page.frontmatter) !== undefined;
  const settings = settingsKey(api);
  const dependencies = (page: SourcePage) => [...written(page), ...(settings !== '' && isOperation(page) ? [settings] : [])];
  for (const [page, found, endpoint] of described) {
    if (!hasPlayground(api, page.frontmatter)) continue;
    const { operation, document } = endpoint
      ? writtenOperation(page, endpoint, [], api)
      : { operation: found?.described, document: found?.document };
    if (!document || operation?.kind !== 'operation' || operation.isWebhook) continue;
    const specification = page.described?.specification ?? `${page.digest} ${written(page).join(' ')}`;
    const name = operationScriptName(operation, specification, generator);
    scripts.set(page.path, name);
    const own = operationOrigins(document, operation);
    for (const origin of own.servers) servers.add(origin);
    for (const origin of own.tokens) tokens.add(origin);
    if (hasConsent(document, operation)) for (const asset of oauthPage) assets.set(asset.path, asset);
    if (assets.has(name)) continue;
    const contents = await cachedValue(options.cache, 'operation', [name], async () => {
      if (!endpoint) return operationScript(document, operation);
      const whole = writtenOperation(page, endpoint, (await bodies())(page), api);
      return operationScript(whole.document, whole.operation);
    });
    assets.set(name, { path: `_carrel/${name}`, contents });
  }
  if (scripts.size > 0)
    assets.set('', {
      path: playgroundFile,
      contents: `${JSON.stringify({ servers: [...servers].sort(), ...(tokens.size > 0 && { tokens: [...tokens].sort() }) })}\n`,
    });
  return {
    scripts,
    assets: [...assets.values()],
    isOperation,
    dependencies,
    async generated() {
      const { describedNodes } = await import('../openapi/described-nodes.ts');
      return (page, labels, body) => {
        const script = scripts.get(page.path);
        const found = reference?.describedBy(page);
        if (found) {
          const shown = page.frontmatter.description;
          const links = page.described?.links;
          return { after: withSettings(describedNodes(found.document, found.described, labels, { shown, script, links }), api) };
        }
        const endpoint = writtenEndpoint(page.frontmatter);
        if (!endpoint) return {};
        const { before, after } = writtenNodes(writtenOperation(page, endpoint, body, api), endpoint, body, script);
        return { before: before && withSettings(before, api), after: after && withSettings(after, api) };
      };
    },
  };
}
