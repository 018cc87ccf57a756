import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { close, listen } from './listen.ts';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Serves a folder as any static host does, without knowledge of Carrel, on a free port below the path `at`. */
export async function serveFolder(folder: string, at = '/'): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://127.0.0.1');
    // Browsers request this file on their own.
    if (pathname === '/favicon.ico') return response.writeHead(204).end();
    const path = normalize(decodeURIComponent(`/${pathname.slice(at.length)}`));
    const found = `${pathname}/`.startsWith(at)
      ? await firstOf(folder, [path, join(path, 'index.html'), `${path.replace(/\/$/, '')}.html`])
      : undefined;
    if (!found) return response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    const type = types[extname(found.file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type }).end(found.bytes);
  });
  const port = await listen(server);
  return {
    address: `http://127.0.0.1:${port}${at}`,
    close: () => close(server),
  };
}

async function firstOf(folder: string, paths: string[]): Promise<{ file: string; bytes: Buffer } | undefined> {
  for (const path of paths) {
    const file = join(folder, path);
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes) return { file, bytes };
  }
  return undefined;
}
