// The settings of a site where it is served, beside those in the export's own `carrel.config.js`.
import { furtherOrigins, providersOf } from '../../integration/reader/shared/analytics-providers.ts';
import { featureSettings, ownAnalytics } from '../../integration/reader/shared/feature-settings.ts';
import { mergedFeatures, type PageSettings } from '../../integration/page-settings.ts';
import { fileInMemory, textOf, type OpenedSite, type SiteFile } from '../active-exports/open-site.ts';

/** Where the panel of a site sends questions. */
interface SiteAssistant {
  /** Base URL of the assistant API: 'https://docs-api.example.com/discovery', or a path of the site's own host. */
  url: string;
  domain: string;
  /** An assistant key, or the token of a hosted page; absent when the URL's host adds one. */
  key?: string;
}

/** What the pages of a site find in its `carrel.config.js`. At the top level, pages of every version find the assistant. */
export type HostSettings = Partial<PageSettings> & {
  assistant?: SiteAssistant;
  /** Whether they contain a token. */
  expire?: boolean;
};

const name = 'carrel.config.js';

/** Whether it is the file of the site, or of one in a collection. */
function isSettings(path: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

/**
 * A site whose `carrel.config.js` has the settings that `current` returns, beside the other settings of the export's own file; undefined
 * leaves the file unchanged. It is called for each request, as tokens expire and each reader may have their own: nothing is kept from one
 * request to another but the file for the same settings. Settings that change are another object.
 */
export function withSettings(site: OpenedSite, current: () => Promise<HostSettings | undefined>): OpenedSite {
  // Each page asks for the file, to allow the origins in it.
  const made = new WeakMap<HostSettings, Map<string, { tag: string | undefined; file: SiteFile }>>();

  return {
    ...site,
    async file(path) {
      const own = await site.file(path);
      if (path !== name && !(own && isSettings(path))) return own;
      const settings = await current();
      if (!settings) return own;
      const files = made.get(settings) ?? new Map();
      made.set(settings, files);
      const known = files.get(path);
      if (known && known.tag === own?.tag) return known.file;
      const file = settingsFile(path, own ? await textOf(own) : '', settings);
      files.set(path, { tag: own?.tag, file });
      return file;
    },
  };
}

/** A site whose own `carrel.config.js` turns no analytics provider on: where sites share an origin, the site's settings decide alone. */
export function withProvidersOff(site: OpenedSite): OpenedSite {
  const made = new Map<string, { tag: string; file: SiteFile }>();

  return {
    ...site,
    async file(path) {
      const own = await site.file(path);
      if (!own || !isSettings(path)) return own;
      const known = made.get(path);
      if (known?.tag === own.tag) return known.file;
      const file = withoutProviders(own, await textOf(own));
      made.set(path, { tag: own.tag, file });
      return file;
    },
  };
}

function withoutProviders(own: SiteFile, text: string): SiteFile {
  return providerOrigins(text).scripts.length > 0
    ? settingsFile(own.path, text, { features: { analytics: { mode: 'off' } } })
    : own;
}

function settingsFile(path: string, own: string, { assistant, features, expire }: HostSettings): SiteFile {
  const settings = readSettings(own);
  const merged = {
    ...settings,
    ...(assistant && { assistant: { ...settings.assistant, ...assistant } }),
    ...(features && { features: mergedFeatures(record(settings.features), features) }),
  };
  const bytes = new TextEncoder().encode(`globalThis.__carrel_config = ${JSON.stringify(merged, undefined, 2)};\n`);
  return { ...fileInMemory(path, bytes), ...(expire && { expires: true }) };
}

/** What a `carrel.config.js` sets, as far as the server reads it. */
interface WrittenSettings {
  assistant?: { enabled?: unknown; url?: unknown } | null;
  features?: unknown;
}

/**
 * The settings in the text of a `carrel.config.js`. The file is never executed: only settings in JSON are read,
 * `globalThis.__carrel_config = {…};`. Anything else counts as no settings.
 */
function readSettings(text: string): WrittenSettings {
  const start = /^[ \t]*(?:globalThis|window|self)\.__carrel_config\s*=/m.exec(text);
  const value = start === null ? '{}' : text.slice(start.index + start[0].length, text.lastIndexOf('}') + 1);
  try {
    const { assistant, ...rest } = JSON.parse(value) as WrittenSettings;
    return typeof assistant === 'object' ? { ...rest, assistant } : rest;
  } catch {
    return {};
  }
}

/**
 * The origin of the assistant in the text of a `carrel.config.js`, to which its pages may send requests; undefined if there is none, or it
 * is on the same host.
 */
export function assistantOrigin(text: string): string | undefined {
  const { enabled, mode, url } = record(featureSettings(readSettings(text), 'assistant'));
  if (enabled === false || mode === 'off' || mode === 'quotes') return undefined;
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return plainOrigin(url);
}

/** The origin to which pages with this `carrel.config.js` send what readers do; undefined if they send nothing, or to the same host. */
export function analyticsOrigin(text: string): string | undefined {
  return plainOrigin(String(ownAnalytics(readSettings(text))?.url));
}

/**
 * The origins of analytics providers that the text of a `carrel.config.js` turns on: those that pages load scripts from, and those that
 * these send requests to.
 */
export function providerOrigins(text: string): { scripts: string[]; requests: string[] } {
  const analytics = featureSettings(readSettings(text), 'analytics');
  const providers = providersOf(analytics);
  const further = furtherOrigins(analytics);
  return {
    scripts: [...new Set([...providers.flatMap(({ scripts }) => scripts), ...further])],
    requests: [...new Set([...providers.flatMap(({ requests }) => requests), ...further])],
  };
}

/** The origin of a URL; undefined if it is not a plain one, since only such may become part of a policy. */
export function plainOrigin(url: string): string | undefined {
  const origin = URL.parse(url)?.origin ?? '';
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
}

/**
 * The origins that pages of a site send the playground's requests to, by the text of its `carrel.config.js` and that of the export's list of
 * servers: those of the APIs in the mode `direct`, the server's own in the mode `proxy`. Hosts in the settings replace the list.
 */
export function playgroundOrigins(settings: string, servers: string): string[] {
  const config = readSettings(settings);
  const { mode, hosts, url } = record(featureSettings(config, 'playground'));
  // Without a URL, the server is that of the assistant.
  if (mode === 'proxy') {
    const server = plainOrigin(String(url ?? record(featureSettings(config, 'assistant')).url));
    // Where the server does not allow their hosts, requests for tokens are sent from the browser.
    return [...(server === undefined ? [] : [server]), ...originsIn(servers, 'tokens')];
  }
  if (mode !== 'direct') return [];
  return hosts === undefined ? specifiedOrigins(servers) : listedOrigins(texts(hosts));
}

/** The origins in the text of the export's list of servers: those of the APIs, and those that give their tokens. */
export function specifiedOrigins(servers: string): string[] {
  return [...new Set([...originsIn(servers, 'servers'), ...originsIn(servers, 'tokens')])];
}

function originsIn(servers: string, key: 'servers' | 'tokens'): string[] {
  return texts(parsed(servers)[key]).flatMap((url) => plainOrigin(url) ?? []);
}

/** The origins of hosts, which have a port or not. */
export function listedOrigins(hosts: string[]): string[] {
  return hosts.flatMap((host) => ['https', 'http'].flatMap((scheme) => plainOrigin(`${scheme}://${host}`) ?? []));
}

function parsed(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text));
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
