// A file of an external origin, with limits on its size, its time and where it may come from.
import { createProxiedPool, type Pool, RefusedUrl, safeFetch } from './safe-fetch.ts';

export interface DownloadOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Largest file, in bytes. @default 50 MB */
  maxBytes?: number;
  /** Milliseconds for one file. @default 30,000 */
  timeout?: number;
  /** Hosts, with or without a port, that are allowed although they are in a private network. */
  privateHosts?: readonly string[];
}

export interface Download {
  bytes: Uint8Array;
  /** Without parameters, in lower case; empty when the host names none. */
  type: string;
  /** Where redirects ended. */
  url: URL;
}

/** Font hosts send the format that the requesting browser supports. */
export const browserHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

let pools: Record<'listed' | 'public', Pool> | undefined;

/** Throws an `Error` that says why the file cannot be downloaded, as the end of a sentence. */
export async function download(url: URL, options: DownloadOptions): Promise<Download> {
  const { headers, signal, maxBytes = 50_000_000, timeout = 30_000, privateHosts = [] } = options;
  const isListed = ({ hostname, host }: URL) => privateHosts.includes(hostname) || privateHosts.includes(host);
  const response = await safeFetch(url, {
    headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Carrel', ...headers },
    signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
    allowed(url) {
      if (isListed(url)) return 'any';
      if (isLocalName(url.hostname)) throw new RefusedUrl('its host is not on the public internet');
      return [];
    },
    pool(url) {
      pools ??= { listed: createProxiedPool(), public: createProxiedPool() };
      return isListed(url) ? pools.listed : pools.public;
    },
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the host answers ${response.status}`);
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  return { bytes: await readAtMost(response, maxBytes), type, url: new URL(response.url) };
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > maxBytes) throw new Error(`it is larger than ${Math.round(maxBytes / 1_000_000)} MB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Docs may be a stranger's: they choose no name that only the network around the export knows. */
function isLocalName(hostname: string): boolean {
  const isAddress = /^\[|^[\d.]+$/.test(hostname);
  return !isAddress && (!hostname.includes('.') || /\.(?:local|localhost|internal|home|lan)\.?$/.test(hostname));
}
