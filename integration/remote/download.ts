// A file of another host, asked for with limits on its size, its time and where it may come from.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface DownloadOptions {
  fetch: typeof fetch;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Largest file, in bytes. @default 50 MB */
  maxBytes?: number;
  /** Milliseconds for one file. @default 30,000 */
  timeout?: number;
  /** Hosts that may be asked although they are in a private network. */
  privateHosts?: readonly string[];
  /** Whether names of hosts are looked up too, and refused when one leads into a private network. */
  looksUp?: boolean;
}

export interface Download {
  bytes: Uint8Array;
  /** Without parameters, in lower case; empty when the host names none. */
  type: string;
  /** Where it was found in the end. */
  url: URL;
}

/** Throws an `Error` that says why the file cannot be had, as the end of a sentence. */
export async function download(address: URL, options: DownloadOptions): Promise<Download> {
  const { fetch, headers, signal, maxBytes = 50_000_000, timeout = 30_000, privateHosts = [] } = options;
  const limit = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
  let url = address;
  for (let redirects = 0; ; redirects++) {
    checkHost(url, privateHosts);
    if (options.looksUp) await checkAddresses(url, privateHosts);
    const response = await fetch(url, { redirect: 'manual', signal: limit, ...(headers ? { headers } : {}) });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      if (redirects === 5) throw new Error('it redirects more than five times');
      const next = URL.parse(location, url);
      if (!next) throw new Error(`it redirects to "${location}", which is no address`);
      url = next;
      continue;
    }
    if (!response.ok) throw new Error(`the host answers ${response.status}`);
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
    return { bytes: await readAtMost(response, maxBytes), type, url };
  }
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxBytes) throw new Error(`it is larger than ${Math.round(maxBytes / 1_000_000)} MB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Docs may be a stranger's: they choose no address inside the network that the export runs in. */
function checkHost({ protocol, hostname, host: withPort }: URL, privateHosts: readonly string[]): void {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`${protocol} is not fetched`);
  if (privateHosts.includes(hostname) || privateHosts.includes(withPort)) return;
  const host = bare(hostname);
  const isInside = isIP(host)
    ? privateAddress.test(host)
    : !host.includes('.') || /\.(?:local|localhost|internal|home|lan)\.?$/.test(host);
  if (isInside) throw new Error('its host is not on the public internet');
}

// A public name may lead into a private network. Where names are not known here, as behind a proxy, whoever fetches decides.
async function checkAddresses({ hostname, host }: URL, privateHosts: readonly string[]): Promise<void> {
  if (privateHosts.includes(hostname) || privateHosts.includes(host) || isIP(bare(hostname))) return;
  const found = await lookup(hostname, { all: true }).catch(() => []);
  if (found.some(({ address }) => privateAddress.test(address))) throw new Error('its host is not on the public internet');
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

const privateAddress =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:::|f[cd]|fe[89ab])/;

export type FileKind = 'media' | 'stylesheet' | 'script';

/** How the name of a file ends: that is its type on disk, so nothing comes in under another. Throws when it is of no wanted kind. */
export function endingOf({ type, url }: Pick<Download, 'type' | 'url'>, kinds: readonly FileKind[]): string {
  const known = kinds.map((kind) => endings[kind].get(type)).find((ending) => ending !== undefined);
  if (known !== undefined) return known;
  const named = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
  const isVague = type === '' || type === 'application/octet-stream' || type === 'text/plain';
  if (
    isVague &&
    kinds.some((kind) => (kind !== 'media' || type !== 'text/plain') && [...endings[kind].values()].includes(named))
  ) {
    return named;
  }
  throw new Error(`it is ${type || 'of no known kind'}, not ${kinds.map((kind) => kindNames[kind]).join(' or ')}`);
}

/** What a file is by its name; undefined where that says nothing, or it is of no wanted kind. */
export function kindOfFile(path: string): FileKind | undefined {
  const named = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return (['script', 'stylesheet', 'media'] as const).find((kind) => [...endings[kind].values()].includes(named));
}

const kindNames: Record<FileKind, string> = {
  media: 'an image, video, sound or font',
  stylesheet: 'a style sheet',
  script: 'a script',
};

const endings: Record<FileKind, Map<string, string>> = {
  media: new Map([
    ['image/png', 'png'],
    ['image/apng', 'apng'],
    ['image/jpeg', 'jpg'],
    ['image/gif', 'gif'],
    ['image/webp', 'webp'],
    ['image/avif', 'avif'],
    ['image/svg+xml', 'svg'],
    ['image/x-icon', 'ico'],
    ['image/vnd.microsoft.icon', 'ico'],
    ['video/mp4', 'mp4'],
    ['video/webm', 'webm'],
    ['video/quicktime', 'mov'],
    ['audio/mpeg', 'mp3'],
    ['audio/wav', 'wav'],
    ['audio/ogg', 'ogg'],
    ['text/vtt', 'vtt'],
    ['font/woff2', 'woff2'],
    ['font/woff', 'woff'],
    ['font/ttf', 'ttf'],
    ['font/otf', 'otf'],
    ['application/font-woff2', 'woff2'],
    ['application/font-woff', 'woff'],
    ['application/x-font-ttf', 'ttf'],
    ['application/vnd.ms-fontobject', 'eot'],
  ]),
  stylesheet: new Map([['text/css', 'css']]),
  script: new Map([
    ['text/javascript', 'js'],
    ['application/javascript', 'js'],
    ['application/x-javascript', 'js'],
    ['application/ecmascript', 'js'],
    ['text/ecmascript', 'js'],
  ]),
};
