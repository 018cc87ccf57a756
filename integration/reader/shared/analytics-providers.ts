// The analytics providers that pages load: what each one's script is, which hosts it needs, and what it stores.
import { isRecord } from '../../text/json.ts';

export interface Provider {
  /** As readers know it. */
  name: string;
  script: { src: string; attributes?: Record<string, string> };
  /** Origins of its scripts, and origins that these send requests to, as in a Content-Security-Policy. */
  scripts: string[];
  requests: string[];
  /** Globals that the script finds when it runs, by name: lists of calls. */
  globals?(): Record<string, unknown[]>;
  /** Cookies, and keys in the storages of the browser. */
  stores?: RegExp;
}

/**
 * The providers that settings of `features.analytics` name, with the hosts of each; none unless the mode turns them on. Values that could
 * be anything else than an ID or a host are ignored: the settings of a page are a file that anyone who hosts it can write.
 */
export function providersOf(settings: unknown): Provider[] {
  if (!isRecord(settings) || (settings['mode'] !== 'providers' && settings['mode'] !== 'both')) return [];
  const given = settings['providers'];
  if (!isRecord(given)) return [];
  return Object.entries(known).flatMap(([name, providerOf]) => {
    const fields = given[name];
    return (isRecord(fields) && providerOf((field, pattern) => matching(fields[field], pattern))) || [];
  });
}

/** Hosts that the scripts of providers may use besides, as origins of a policy. */
export function furtherOrigins(settings: unknown): string[] {
  const hosts = isRecord(settings) && providersOf(settings).length > 0 ? settings['hosts'] : undefined;
  return Array.isArray(hosts) ? hosts.flatMap((one) => matching(one, originHost) ?? []).map((one) => `https://${one}`) : [];
}

const host = /^[\w.-]+(?::\d{1,5})?$/;
/** A host, or with `*.` all below one. */
export const originHost = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?$/;
/** URL of an analytics server. */
export const providerUrl = /^https:\/\/[\w.-]+(?::\d{1,5})?(?:\/[\w./~%-]*)?$/;

/** Returns a field that matches, else undefined. */
type Read = (field: string, pattern: RegExp) => string | undefined;

/** The URL in a field, without slashes at its end. Some hosts and ports have the form of one and are none: https://a:99999. */
function urlIn(read: Read, field: string): string | undefined {
  const url = read(field, providerUrl)?.replace(/\/+$/, '');
  return url !== undefined && URL.canParse(url) ? url : undefined;
}

const google = 'https://www.googletagmanager.com';
const googleStores = /^(?:_ga(?:_\w+)?|_gid|_gat(?:_\w+)?|_gcl_\w+|FPID|FPLC)$/;

const known: Record<string, (read: Read) => Provider | undefined> = {
  ga4(read) {
    const id = read('measurementId', /^G-[A-Za-z0-9]+$/);
    return id === undefined
      ? undefined
      : {
          name: 'Google Analytics',
          script: { src: `${google}/gtag/js?id=${id}` },
          scripts: [google],
          requests: [google, 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
          globals: () => ({ dataLayer: [call('js', new Date()), call('config', id)] }),
          stores: googleStores,
        };
  },
  gtm(read) {
    const id = read('tagId', /^GTM-[A-Za-z0-9]+$/);
    return id === undefined
      ? undefined
      : {
          name: 'Google Tag Manager',
          script: { src: `${google}/gtm.js?id=${id}` },
          scripts: [google],
          requests: [google],
          globals: () => ({ dataLayer: [{ 'gtm.start': Date.now(), event: 'gtm.js' }] }),
          stores: googleStores,
        };
  },
  plausible(read) {
    const domain = read('domain', /^[\w.,/-]+$/);
    const server = `https://${read('server', host) ?? 'plausible.io'}`;
    return domain === undefined
      ? undefined
      : {
          name: 'Plausible',
          script: {
            src: `${server}/js/script.js`,
            attributes: { 'data-domain': domain, 'data-api': `${server}/api/event` },
          },
          scripts: [server],
          requests: [server],
        };
  },
  fathom(read) {
    const id = read('siteId', /^[A-Za-z0-9]+$/);
    const fathom = 'https://cdn.usefathom.com';
    return id === undefined
      ? undefined
      : {
          name: 'Fathom',
          script: { src: `${fathom}/script.js`, attributes: { 'data-site': id } },
          scripts: [fathom],
          requests: [fathom],
        };
  },
  posthog(read) {
    const key = read('apiKey', /^phc_[\w-]+$/);
    const api = urlIn(read, 'apiHost') ?? 'https://us.i.posthog.com';
    const assets = api.replace(/\.i\.posthog\.com$/, '-assets.i.posthog.com');
    if (key === undefined) return undefined;
    const options = { api_host: api, disable_session_recording: read('sessionRecording', /^true$/) === undefined };
    return {
      name: 'PostHog',
      script: { src: `${assets}/static/array.js`, attributes: { crossorigin: 'anonymous' } },
      scripts: [new URL(assets).origin],
      requests: [...new Set([api, assets].map((one) => new URL(one).origin))],
      globals: () => ({ posthog: Object.assign([], { _i: [[key, options, 'posthog']], people: [], __SV: 1 }) }),
      stores: new RegExp(`^(?:ph_${key}_.*|__ph_opt_in_out_${key})$`),
    };
  },
  pirsch(read) {
    const id = read('id', /^[A-Za-z0-9]+$/);
    const pirsch = 'https://api.pirsch.io';
    return id === undefined
      ? undefined
      : {
          name: 'Pirsch',
          script: { src: `${pirsch}/pa.js`, attributes: { id: 'pianjs', 'data-code': id } },
          scripts: [pirsch],
          requests: [pirsch],
        };
  },
  matomo(read) {
    const server = urlIn(read, 'url');
    const id = read('siteId', /^[1-9]\d*$/);
    if (server === undefined || id === undefined) return undefined;
    const calls = [['setTrackerUrl', `${server}/matomo.php`], ['setSiteId', id], ['trackPageView'], ['enableLinkTracking']];
    return {
      name: 'Matomo',
      script: { src: `${server}/matomo.js` },
      scripts: [new URL(server).origin],
      requests: [new URL(server).origin],
      globals: () => ({ _paq: calls }),
      stores: /^_pk_(?:id|ses|ref|cvar|hsr)\b/,
    };
  },
  umami(read) {
    const server = urlIn(read, 'url');
    const id = read('websiteId', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i);
    if (server === undefined || id === undefined) return undefined;
    const { origin } = new URL(server);
    return {
      name: 'Umami',
      script: { src: `${server}/script.js`, attributes: { 'data-website-id': id } },
      scripts: [origin],
      requests: [origin, ...(origin === 'https://cloud.umami.is' ? cloudOfUmami : [])],
      stores: /^umami\./,
    };
  },
};

/** Where the script of Umami's own service sends its requests. */
const cloudOfUmami = ['https://gateway.umami.is', 'https://api-gateway.umami.dev'];

/** A call as Google's `gtag` records it: its arguments, not an array of them. */
function call(..._values: unknown[]): IArguments {
  return arguments;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && pattern.test(text) ? text : undefined;
}
