// The settings of a site that name its assistant, in place of the export's own `carrel.config.js`, which names none.
import { createHash } from 'node:crypto';
import { readSettings } from './assistant-origin.ts';
import type { OpenedSite, SiteFile } from '../active-exports/open-site.ts';

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
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { path: name, size: bytes.length, tag, read: async (start, end) => bytes.subarray(start, end + 1) };
}

async function textOf(file: SiteFile): Promise<string> {
  return file.size === 0 ? '' : new Response(await file.read(0, file.size - 1)).text();
}
