import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { ExportError } from '../../integration/errors.ts';
import { siteHandler } from './handler.ts';
import { openSite } from './open-site.ts';

export interface ServeSiteOptions {
  /** An export folder, or the zip of one. */
  source: string;
  /**
   * 0 takes any free port.
   * @default 4401
   */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
  /**
   * Where the site is mounted: '/docs/'.
   * @default '/'
   */
  base?: string;
}

export interface ServedSite {
  /** Address of the home page: 'http://127.0.0.1:4401/docs/'. */
  address: string;
  name: string;
  close(): Promise<void>;
}

/** Serves a site until it is closed. Throws what `openSite` throws, and `ExportError` `CannotListen`. */
export async function serveSite({ source, port = 4401, host = '127.0.0.1', base }: ServeSiteOptions): Promise<ServedSite> {
  const site = await openSite(source);
  const mount = normaliseBase(base);
  const server = createServer(getRequestListener(siteHandler(site, { base: mount })));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, port, host)));
    server.listen(port, host, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${mount}`,
    name: site.name,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** 'docs', '/docs' and '/docs/' are one mount. */
function normaliseBase(base = '/'): string {
  const inner = base.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '/' : `/${inner}/`;
}

const reasons: Record<string, (port: number, host: string) => [message: string, hint: string]> = {
  EADDRINUSE: (port, host) => [
    `Port ${port} of ${host} is taken by another program.`,
    `Stop that program, or choose another port: --port ${port + 1}`,
  ],
  EACCES: (port) => [`This user may not listen on port ${port}.`, 'Choose a port from 1024 up.'],
  EADDRNOTAVAIL: (_port, host) => [
    `"${host}" is not an address of this machine.`,
    'Use 127.0.0.1, or 0.0.0.0 for all of its addresses.',
  ],
  ENOTFOUND: (_port, host) => [
    `The host "${host}" is not known.`,
    'Use 127.0.0.1, or 0.0.0.0 for all addresses of this machine.',
  ],
};

function cannotListen(error: NodeJS.ErrnoException, port: number, host: string): ExportError {
  const [message, hint] = reasons[error.code ?? '']?.(port, host) ?? [
    `Cannot listen on ${host}:${port}: ${error.message}`,
    undefined,
  ];
  return new ExportError('CannotListen', message, hint, { cause: error });
}
