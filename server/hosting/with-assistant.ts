// The settings of a site that name its assistant, in place of the export's own `carrel.config.js`, which names none.
import { fileInMemory, textOf, type OpenedSite, type SiteFile } from '../active-exports/open-site.ts';

/** Where the panel of a site sends questions. */
export interface SiteAssistant {
  /** Base URL of the assistant API: 'https://docs-api.example.com/discovery', or a path of the site's own host. */
  url: string;
  domain: string;
  /** Absent when the URL's host adds one. */
  key?: string;
}

const name = 'carrel.config.js';

/**
 * A site whose `carrel.config.js` names the assistant that `current` returns, beside the other settings of the export's own file;
 * undefined leaves the file unchanged. It is called for each request, as the key may change; while it throws, its last answer still applies.
 */
export function withAssistant(site: OpenedSite, current: () => Promise<SiteAssistant | undefined>): OpenedSite {
  let known: SiteAssistant | undefined;

  return {
    ...site,
    async file(path) {
      const own = await site.file(path);
      if (path !== name) return own;
      known = await current().catch(() => known);
      return known ? settingsFile(own ? await textOf(own) : '', known) : own;
    },
  };
}

function settingsFile(own: string, assistant: SiteAssistant): SiteFile {
  const settings = readSettings(own);
  const merged = { ...settings, assistant: { ...settings.assistant, ...assistant } };
  const bytes = new TextEncoder().encode(`globalThis.__carrel_config = ${JSON.stringify(merged, undefined, 2)};\n`);
  return fileInMemory(name, bytes);
}

/** What a `carrel.config.js` sets, as far as the server reads it. */
interface WrittenSettings {
  assistant?: { enabled?: unknown; url?: unknown } | null;
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
  const { assistant } = readSettings(text);
  const url = assistant?.enabled === false ? undefined : assistant?.url;
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  // Only a plain origin may become part of a policy.
  const { origin } = new URL(url);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
}
