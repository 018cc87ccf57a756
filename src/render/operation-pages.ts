// What pages of operations and channels show beside their bodies, and the scripts of the playgrounds of operations. An operation is one of a
// specification, or is described by the page itself.
import type { ExportAsset } from '../../integration/export/export-site.ts';
import { playgroundFile } from '../../integration/manifest.ts';
import { cachedValue, type ExportCache } from '../../integration/output/export-cache.ts';
import { objectOf } from '../../integration/text/json.ts';
import type { RendererOptions } from '../markdown/context.ts';
import type { MarkdownNode } from '../markdown/tree.ts';
import { writtenEndpoint } from '../openapi/named-specifications.ts';
import { oauthPage } from '../openapi/oauth-page.ts';
import { hasConsent, operationOrigins, operationScript, operationScriptName } from '../openapi/playground-data.ts';
import { settingsKey, withSettings } from '../openapi/reference-settings.ts';
import type { Reference } from '../openapi/reference.ts';
import { writtenNodes, writtenOperation } from '../openapi/written-operation.ts';
import type { Site } from '../site/model.ts';
import type { SourcePage } from '../source/source.ts';
import { generator } from '../version.ts';

export interface OperationPages {
  assets: ExportAsset[];
  isUsedOn(page: SourcePage): boolean;
  /** Digests of what a page's operation depends on, besides the page's file and its specification; and the name of its script. */
  dependencies(page: SourcePage): string[];
  /** For a renderer, which a warm export does not load. */
  generated(): Promise<NonNullable<RendererOptions['generated']>>;
}

interface OperationPagesOptions {
  cache?: ExportCache | undefined;
  /** Loads what gives the bodies of pages without MDX. */
  openBodies(): Promise<(page: SourcePage) => MarkdownNode[]>;
  /** The digests of the snippets that a page uses. */
  snippetsOf(page: SourcePage): string[];
}

/** Undefined for a site without such pages. */
export async function createOperationPages(
  site: Site,
  reference: Reference | undefined,
  options: OperationPagesOptions,
): Promise<OperationPages | undefined> {
  const api = site.source.config?.api;
  const isUsedOn = (page: SourcePage) => page.described !== undefined || writtenEndpoint(page.frontmatter) !== undefined;
  if (!site.pages.some(({ source }) => isUsedOn(source))) return undefined;
  const settings = settingsKey(api);
  const written = (page: SourcePage) =>
    writtenEndpoint(page.frontmatter) ? [JSON.stringify(objectOf(objectOf(api).mdx)), ...options.snippetsOf(page)] : [];
  const { scripts, assets } = await playgroundsOf(site, reference, { ...options, written });
  return {
    ...{ assets, isUsedOn },
    dependencies: (page) => [
      ...written(page),
      ...(settings !== '' && isUsedOn(page) ? [settings] : []),
      ...(scripts.has(page.path) ? [scripts.get(page.path)!] : []),
    ],
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
        return { before: withSettings(before, api), after: withSettings(after, api) };
      };
    },
  };
}

interface PlaygroundOptions extends OperationPagesOptions {
  /** What the operation of a page depends on that the page itself describes. */
  written(page: SourcePage): string[];
}

/** The names of the scripts of playgrounds by the paths of their pages, and their files, with the origins that they send requests to. */
async function playgroundsOf(
  { pages, source: { config } }: Site,
  reference: Reference | undefined,
  { cache, openBodies, written }: PlaygroundOptions,
): Promise<{ scripts: ReadonlyMap<string, string>; assets: ExportAsset[] }> {
  const api = config?.api;
  let opened: ReturnType<typeof openBodies> | undefined;
  const bodies = () => (opened ??= openBodies());
  const scripts = new Map<string, string>();
  const assets = new Map<string, ExportAsset>();
  const servers = new Set<string>();
  const tokens = new Set<string>();
  for (const { source: page } of pages) {
    const found = reference?.describedBy(page);
    const endpoint = found ? undefined : writtenEndpoint(page.frontmatter);
    if ((!found && !endpoint) || !hasPlayground(api, page.frontmatter)) continue;
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
    const contents = await cachedValue(cache, 'operation', [name], async () => {
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
  return { scripts, assets: [...assets.values()] };
}

/** Whether pages have a playground: `api.playground.display`, or `playground` of the page. Without logins, `auth` is for all readers. */
export function hasPlayground(api: unknown, frontmatter: Readonly<Record<string, unknown>>): boolean {
  const display = frontmatter.playground ?? objectOf(objectOf(api).playground).display;
  return display !== 'none' && display !== 'simple';
}
