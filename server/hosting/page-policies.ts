// The policy of each page: what it may load and ask, as its content and the settings of its site determine.
import { playgroundFile } from '../../integration/manifest.ts';
import { textOf, type OpenedSite, type SiteFile } from '../active-exports/open-site.ts';
import { contentSecurityPolicy, embeddedSources, type PageSources } from './security-headers.ts';
import { analyticsOrigin, assistantOrigin, playgroundOrigins, providerOrigins } from './with-settings.ts';

// No real page is larger, and all of it would be in memory.
const largestPage = 32 * 1024 * 1024;
const noOrigins = { scripts: [], requests: [] };

export function createPagePolicies(site: OpenedSite) {
  const policies = new Map<string, string>();
  let latest: { tag: string | undefined; sources: PageSources; key: string } | undefined;

  return {
    of,
    /** What the settings let every page load and ask. */
    sources: async (): Promise<PageSources> => (await sourcesOf(await site.file('carrel.config.js'))).sources,
  };

  /**
   * A page may load its videos and frames from external origins, and every page may send requests to the assistant, the playground's hosts and the
   * analytics providers in the settings. Computed once for each state of both.
   */
  async function of(file: SiteFile): Promise<string> {
    const settings = await site.file('carrel.config.js');
    if (file.size > largestPage) return contentSecurityPolicy(site, {});
    const asking = await sourcesOf(settings);
    const key = `${file.path} ${file.tag} ${asking.key}`;
    const known = policies.get(key);
    if (known !== undefined) return known;
    const policy = contentSecurityPolicy(site, { ...asking.sources, ...embeddedSources(await textOf(file), site.deployment) });
    policies.set(key, policy);
    return policy;
  }

  /**
   * What the settings let pages load and ask, computed once for each state of them; `key` is the same for the same sources, while the tag of
   * the settings changes with every token in them.
   */
  async function sourcesOf(settings: SiteFile | undefined): Promise<{ sources: PageSources; key: string }> {
    if (latest?.tag !== settings?.tag || !latest) {
      const sources = await readSources(settings);
      latest = { tag: settings?.tag, sources, key: JSON.stringify(sources) };
    }
    return latest;
  }

  async function readSources(settings: SiteFile | undefined): Promise<PageSources> {
    const text = settings ? await textOf(settings) : '';
    const origins = [assistantOrigin(text), analyticsOrigin(text)].filter((origin) => origin !== undefined);
    const servers = text.includes('"playground"') ? await site.file(playgroundFile) : undefined;
    const trying = playgroundOrigins(text, servers ? await textOf(servers) : '');
    // Existing sites bring their own analytics, and air-gapped exports have no script that loads any.
    const { scripts, requests } = site.guest || site.deployment === 'air-gapped' ? noOrigins : providerOrigins(text);
    return { 'script-src': scripts, 'connect-src': [...new Set([...origins, ...trying, ...requests])] };
  }
}
