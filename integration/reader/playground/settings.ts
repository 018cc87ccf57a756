import { isRecord } from '../../text/json.ts';
import { featureSettings } from '../shared/feature-settings.ts';

// The playground's settings in `carrel.config.js`: `{ "features": { "playground": { … } } }`.

/** A server that sends requests for readers. */
export interface PlaygroundProxy {
  /** `https://docs-api.example.com/v1/playground/docs.example.com` */
  url: string;
  /** An assistant key (`svc_dsc_…`), which is public, or the token of a hosted page (`page_…`). */
  key: string | undefined;
}

export interface PlaygroundSettings {
  /** `mock` answers from the description, in the browser; `direct` sends requests from the browser, `proxy` through a server. */
  mode: 'off' | 'direct' | 'mock' | 'proxy';
  /** Hosts that requests may be sent to. Absent: those of the description. */
  hosts: string[] | undefined;
  /** Only with the mode `proxy`. */
  proxy?: PlaygroundProxy;
}

/** Reads `__carrel_config`. Without settings, on file:// and after a fault, nothing is sent: the answers are examples. */
export function playgroundSettings(config: unknown, pageUrl: string, report: (fault: string) => void): PlaygroundSettings {
  const given = featureSettings(config, 'playground');
  const assistant = featureSettings(config, 'assistant');
  const { mode = 'mock', hosts, ...server } = isRecord(given) ? given : {};
  const areHosts = Array.isArray(hosts) && hosts.every((host) => typeof host === 'string');
  const proxy = mode === 'proxy' ? proxyOf(server, isRecord(assistant) ? assistant : {}, pageUrl) : undefined;
  const faults = [
    given !== undefined && !isRecord(given) && '"features.playground" must be an object',
    !isMode(mode) && 'features.playground.mode must be "off", "direct", "proxy" or "mock"',
    hosts !== undefined && !areHosts && 'features.playground.hosts must be a list of host names',
    typeof proxy === 'string' && proxy,
  ].filter((fault) => fault !== false);
  for (const fault of faults) report(`carrel.config.js: ${fault}. The playground answers with examples instead.`);
  if (mode === 'off') return { mode: 'off', hosts: undefined };
  const sends = faults.length === 0 && !pageUrl.startsWith('file:');
  return {
    mode: sends && isMode(mode) ? mode : 'mock',
    hosts: areHosts ? hosts.map((host) => host.toLowerCase()) : undefined,
    ...(sends && typeof proxy === 'object' && { proxy }),
  };
}

function isMode(mode: unknown): mode is PlaygroundSettings['mode'] {
  return mode === 'off' || mode === 'direct' || mode === 'mock' || mode === 'proxy';
}

/** The server, or what is wrong with its settings; those of the assistant, whose URL ends in `/discovery`, fill in what is absent. */
function proxyOf(given: Record<string, unknown>, assistant: Record<string, unknown>, pageUrl: string): PlaygroundProxy | string {
  const { url = typeof assistant['url'] === 'string' ? assistant['url'].replace(/\/discovery\/*$/, '') : undefined } = given;
  const { domain, key } = given['domain'] === undefined ? assistant : given;
  const base = typeof url === 'string' ? URL.parse(url, pageUrl) : null;
  if (!base || !/^(?:https?|file):$/.test(base.protocol))
    return 'features.playground.url must be the http(s) URL of a Carrel server';
  if (typeof domain !== 'string' || !/^[\w.-]+$/.test(domain)) return "features.playground.domain must be a site's name";
  if (key !== undefined && typeof key !== 'string') return 'features.playground.key must be a string';
  if (key !== undefined && /^svc_(?!dsc_)/.test(key))
    return 'features.playground.key is an admin key, which must stay secret: revoke it and use a key that begins with svc_dsc_';
  return { url: `${base.href.replace(/[?#].*$|\/+$/g, '')}/v1/playground/${encodeURIComponent(domain)}`, key: key || undefined };
}
