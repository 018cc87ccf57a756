// Media of other hosts brought into the export, so that it needs no network.
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Problem } from '../problem.ts';

export interface VendorOptions {
  fetch: typeof fetch;
  write(path: string, bytes: Uint8Array): void;
  /** Takes over the copy of the previous export; gives its file. */
  reuse(url: string): string | undefined;
  signal?: AbortSignal;
  /** Largest file, in bytes. @default 50 MB */
  maxBytes?: number;
  /** Milliseconds for one file. @default 30,000 */
  timeout?: number;
}

export interface Vendor {
  /** Files in the export by the address they came from. */
  files: Map<string, string>;
  /** Brings in addresses not met before; those that cannot be had become a problem. */
  bring(urls: string[]): Promise<Problem[]>;
}

/** Each address is asked for once; equal bytes are one file. */
export function createVendor(options: VendorOptions): Vendor {
  const files = new Map<string, string>();
  const failed = new Set<string>();
  const written = new Set<string>();

  const bringOne = async (url: string): Promise<Problem | undefined> => {
    const known = options.reuse(url);
    if (known !== undefined) {
      files.set(url, known);
      written.add(known);
      return undefined;
    }
    try {
      const { bytes, extension } = await download(url, options);
      const file = `_carrel/vendor/${hash('sha256', bytes).slice(0, 16)}.${extension}`;
      if (!written.has(file)) options.write(file, bytes);
      written.add(file);
      files.set(url, file);
      return undefined;
    } catch (error) {
      options.signal?.throwIfAborted();
      failed.add(url);
      return {
        kind: 'remote-not-vendored',
        severity: 'warning',
        message: `"${url}" could not be brought into the export: ${(error as Error).message}.`,
        hint: 'Put a copy into the docs folder.',
      };
    }
  };

  return {
    files,
    async bring(urls) {
      const wanted = [...new Set(urls)].filter((url) => !files.has(url) && !failed.has(url));
      const problems = await Promise.all(wanted.map(bringOne));
      return problems.filter((problem) => problem !== undefined);
    },
  };
}

async function download(url: string, { fetch, signal, maxBytes = 50_000_000, timeout = 30_000 }: VendorOptions) {
  const limit = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
  let address = new URL(url.startsWith('//') ? `https:${url}` : url);
  for (let redirects = 0; ; redirects++) {
    checkHost(address);
    const response = await fetch(address, { redirect: 'manual', signal: limit });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      if (redirects === 5) throw new Error('it redirects more than five times');
      address = new URL(location, address);
      continue;
    }
    if (!response.ok) throw new Error(`the host answers ${response.status}`);
    const extension = extensionOf(response.headers.get('content-type') ?? '', address.pathname);
    return { bytes: await readAtMost(response, maxBytes), extension };
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
function checkHost({ protocol, hostname }: URL): void {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`${protocol} is not fetched`);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isInside = isIP(host)
    ? privateAddress.test(host)
    : !host.includes('.') || /\.(?:local|localhost|internal|home|lan)\.?$/.test(host);
  if (isInside) throw new Error('its host is not on the public internet');
}

const privateAddress =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:::|f[cd]|fe[89ab])/;

const extensions = new Map([
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
]);

// A file's type on disk is its name's end, so only media may come in, under the name of what it is.
function extensionOf(contentType: string, path: string): string {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const known = extensions.get(type);
  if (known !== undefined) return known;
  const named = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if ((type === '' || type === 'application/octet-stream') && [...extensions.values()].includes(named)) return named;
  throw new Error(`it is ${type || 'of no known kind'}, not an image, video, sound or font`);
}
