import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { ExportError } from '../../integration/errors.ts';
import { siteHandler } from './handler.ts';
import { answerHealth, type Shown } from './health.ts';
import type { OpenedSite } from './open-site.ts';

export interface ListenOptions {
  /**
   * 0 takes any free one.
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

export interface Listening {
  /** Address of the home page: 'http://127.0.0.1:4401/docs/'. */
  address: string;
  /** Answers with this site from now on; requests that were there before end with the site they began with. */
  show(site: OpenedSite, version?: string): void;
  /** Takes no more requests; those being answered get `grace` milliseconds to end. @default 5000 */
  close(grace?: number): Promise<void>;
}

/** Listens, and answers 503 until there is a site to show. Throws `ExportError` `CannotListen`. */
export async function listen({ port = 4401, host = '127.0.0.1', base }: ListenOptions): Promise<Listening> {
  const mount = normaliseBase(base);
  let shown: Shown | undefined;
  let handle: (request: Request) => Promise<Response> = starting;
  const server = createServer(getRequestListener((request) => answerHealth(request, shown) ?? handle(request)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, port, host)));
    server.listen(port, host, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${mount}`,
    show(site, version) {
      handle = siteHandler(site, { base: mount });
      shown = { site: site.name, version };
    },
    close: (grace = 5000) =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), grace);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  };
}

async function starting(): Promise<Response> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5', 'cache-control': 'no-store' };
  return new Response('The site is being fetched. Try again in a moment.\n', { status: 503, headers });
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
