import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ExportError } from '../integration/errors.ts';

export interface Listener {
  /** Where it listens: 'http://127.0.0.1:4400', without a slash at the end. */
  address: string;
  /** Answers with this from now on; until the first call every request gets a 503. */
  answer(handle: (request: Request, bindings: object) => Response | Promise<Response>): void;
  /** Takes no new connections, lets running requests end for so many milliseconds, then cuts them. */
  close(milliseconds: number): Promise<void>;
}

/** Milliseconds that one who connects gets to say what is asked, and to send all of it; how often that is looked after. */
const usualPatience = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };
/** Milliseconds in which nothing goes either way, after which a connection is cut: a reader who takes nothing holds a file open. Streams say more often that they live. */
const usualSilence = 300_000;

interface Patience {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
  silence?: number;
}

/**
 * Listens before the rest is ready, so that a port taken by another program is told at once; `setting` is what people write before a port
 * to choose it, such as `PORT=`. Throws `ExportError` `CannotListen`.
 */
export async function listen(
  port: number,
  host: string,
  setting = '',
  { silence = usualSilence, ...patience }: Patience = usualPatience,
): Promise<Listener> {
  let handle: Parameters<Listener['answer']>[0] = () =>
    new Response('Starting.\n', { status: 503, headers: { 'retry-after': '1', 'content-type': 'text/plain; charset=utf-8' } });
  const server: Server = createServer(
    patience,
    getRequestListener((request, bindings) => handle(request, bindings)),
  );
  server.timeout = silence;
  const sockets = new Set<Socket>();
  const running = new Set<ServerResponse>();
  let closing = false;
  // Node takes a socket that has never asked anything for a busy one, and browsers open some to be ready.
  const endIdle = (): void => {
    const busy = new Set([...running].map(({ socket }) => socket));
    for (const socket of sockets) if (!busy.has(socket)) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    running.add(response);
    response.once('close', () => {
      running.delete(response);
      if (closing) endIdle();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, { port, host, setting })));
    // Node's own 511 refuses a part of two thousand readers who come at once.
    server.listen({ port, host, backlog: 4096 }, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    answer: (next) => {
      handle = next;
    },
    close: (milliseconds) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        closing = true;
        endIdle();
      }),
  };
}

interface Place {
  port: number;
  host: string;
  setting: string;
}

const reasons: Record<string, (place: Place) => [message: string, hint: string]> = {
  EADDRINUSE: ({ port, host, setting }) => [
    `Port ${port} of ${host} is taken by another program.`,
    `Stop that program, or choose another port, such as ${setting}${port < 65_534 ? port + 2 : port - 2}.`,
  ],
  EACCES: ({ port, setting }) => [
    `This user may not listen on port ${port}.`,
    `Choose a port from 1024 up, such as ${setting}${port + 8000}.`,
  ],
  EADDRNOTAVAIL: ({ host }) => [
    `"${host}" is not an address of this machine.`,
    'Use 127.0.0.1, or 0.0.0.0 for all of its addresses.',
  ],
  ENOTFOUND: ({ host }) => [`The host "${host}" is not known.`, 'Use 127.0.0.1, or 0.0.0.0 for all addresses of this machine.'],
};

function cannotListen(error: NodeJS.ErrnoException, place: Place): ExportError {
  const [message, hint] = reasons[error.code ?? '']?.(place) ?? [
    `Cannot listen on ${place.host}:${place.port}: ${error.message}`,
    undefined,
  ];
  return new ExportError('CannotListen', message, hint, { cause: error });
}
