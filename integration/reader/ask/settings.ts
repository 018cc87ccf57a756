import { isRecord } from '../../text/json.ts';
import { featureSettings } from '../shared/feature-settings.ts';

// The assistant's settings in `carrel.config.js`: `globalThis.__carrel_config = { "features": { "assistant": { … } } };`. All are optional:
// without a server the panel quotes the docs.

/** A server that answers. */
export interface AskServer {
  /** Without `/v2`: messages go to `<url>/v2/assistant/<domain>/message`. */
  url: string;
  /** The site's name there. */
  domain: string;
  /** An assistant key (`svc_dsc_…`), which is public, or the token of a hosted page (`page_…`). */
  key: string | undefined;
}

export interface AskSettings {
  /**
   * Whether the page offers Ask at all.
   * @default true
   */
  enabled: boolean;
  /** Absent: answers quote the docs. */
  server: AskServer | undefined;
  /** Suggested questions; at most three. */
  suggestions: string[];
}

/** Reads `__carrel_config`. Values of a wrong shape are reported and ignored; a page on file:// has no server. */
export function askSettings(config: unknown, pageUrl: string, report: (fault: string) => void): AskSettings {
  const assistant = featureSettings(config, 'assistant');
  const quoting: AskSettings = { enabled: true, server: undefined, suggestions: [] };
  if (assistant === undefined || assistant === null) return quoting;
  if (!isRecord(assistant)) {
    report(`carrel.config.js: "assistant" must be an object, but is ${JSON.stringify(assistant)}. The docs are quoted instead.`);
    return quoting;
  }
  const { enabled = true, mode, suggestions = [] } = assistant;
  if (typeof enabled !== 'boolean')
    report(`carrel.config.js: assistant.enabled must be true or false, but is ${JSON.stringify(enabled)}.`);
  if (mode !== undefined && mode !== 'off' && mode !== 'quotes' && mode !== 'model')
    report(`carrel.config.js: assistant.mode must be "off", "quotes" or "model", but is ${JSON.stringify(mode)}.`);
  const areQuestions = Array.isArray(suggestions) && suggestions.every((question) => typeof question === 'string');
  if (!areQuestions) report('carrel.config.js: assistant.suggestions must be a list of strings.');
  return {
    enabled: enabled !== false && mode !== 'off',
    server: mode === 'quotes' ? undefined : serverOf(assistant, pageUrl, report),
    suggestions: areQuestions
      ? suggestions
          .map((question) => question.trim())
          .filter(Boolean)
          .slice(0, 3)
      : [],
  };
}

function serverOf(
  { url, domain, key }: Record<string, unknown>,
  pageUrl: string,
  report: (fault: string) => void,
): AskServer | undefined {
  // Servers refuse requests of file:// pages, and a copy that was passed on must not send any.
  if (url === undefined || url === null || url === '' || pageUrl.startsWith('file:')) return undefined;
  const base = typeof url === 'string' && URL.canParse(url, pageUrl) ? new URL(url, pageUrl) : undefined;
  const faults = [
    !/^https?:$/.test(base?.protocol ?? '') && `assistant.url must be an http(s) URL, but is ${JSON.stringify(url)}`,
    !(typeof domain === 'string' && /^[\w.-]+$/.test(domain)) &&
      `assistant.domain must be a site's name, but is ${JSON.stringify(domain)}`,
    key !== undefined && typeof key !== 'string' && 'assistant.key must be a string',
    typeof key === 'string' &&
      /^svc_(?!dsc_)/.test(key) &&
      'assistant.key is an admin key, which must stay secret: revoke it and use a key that begins with svc_dsc_',
  ].filter((fault) => fault !== false);
  for (const fault of faults) report(`carrel.config.js: ${fault}. The docs are quoted instead.`);
  if (!base || typeof domain !== 'string' || faults.length > 0) return undefined;
  return { url: base.href.replace(/[?#].*$|\/+$/g, ''), domain, key: typeof key === 'string' && key !== '' ? key : undefined };
}
