import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { LRUCache } from 'lru-cache';
import { ExportError } from '../../integration/errors.ts';
import { ApiError } from '../platform/errors.ts';
import { createConnections, type Connections } from './connections.ts';

export type Listener = Awaited<ReturnType<typeof listen>>;

/** Milliseconds that a client has to send the headers, and the whole request, and between two checks of that. */
const defaultTimeouts = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };
/** Milliseconds without traffic before a connection is closed: an idle reader holds a file open. Streams send heartbeats more often. */
const defaultSilence = 300_000;

/** Writes the response to a request that no route handles: it is not valid HTTP, or the server is not ready. */
export type Refuse = (fault: ApiError) => { headers: Record<string, string>; body: string };

interface ListenSettings {
  headersTimeout?: number;
  requestTimeout?: number;
  connectionsCheckingInterval?: number;
  silence?: number;
  /** @default plain text */
  refuse?: Refuse;
  /**
   * Whether responses are of a class of the server, which is faster than Node's and lacks parts of it.
   * @default true
   */
  replacesResponse?: boolean;
  /** Shared by the listeners of a process. */
  connections?: Connections;
}

/**
 * Listens before the server is ready, so that a port in use is reported immediately; `setting` is what users write before a port
 * to set it, such as `PORT=`. Throws `ExportError` `CannotListen`.
 */
export async function listen(
  port: number,
  host: string,
  setting = '',
  {
    silence = defaultSilence,
    refuse = refuseAsText,
    replacesResponse = true,
    connections = createConnections(),
    ...timeouts
  }: ListenSettings = {},
) {
  const refused = (fault: ApiError): Response => {
    const { headers, body } = refuse(fault);
    return new Response(body, { status: fault.status, headers });
  };
  let handle: Parameters<Listener['answer']>[0] = () =>
    refused(new ApiError('Starting', 'The server is starting. Try again in a moment.', { headers: { 'retry-after': '1' } }));
  const answerRequest = getRequestListener(
    (request, bindings) => {
      const incoming = bindings.incoming as IncomingMessage;
      if (!isHost(incoming.headers.host)) return refused(targetInvalidError());
      if (connections.isFull() && !probes.test(incoming.url ?? '')) return refused(fullError);
      const answer = handle(request, bindings);
      return hasBody(incoming) ? afterBody(answer, incoming) : answer;
    },
    {
      overrideGlobalObjects: replacesResponse,
      errorHandler: (cause) =>
        refused(
          cause instanceof RequestError
            ? targetInvalidError()
            : new ApiError('InternalError', 'Something went wrong. Try again.', { cause }),
        ),
    },
  );
  const server: Server = createServer(
    // A request without a host is rejected below, since Node's own response is empty.
    { ...defaultTimeouts, ...timeouts, requireHostHeader: false },
    (request, response) => void answerRequest(request, response),
  );
  const tracked = connections.track(server);
  refuseBrokenHttp(server, refuse, tracked.isAnswering);
  server.timeout = silence;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListenError(error, { port, host, setting })));
    // Node's default of 511 rejects some of two thousand readers who connect at once.
    server.listen({ port, host, backlog: 4096 }, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    /** The URL that it listens on, without a trailing slash: 'http://127.0.0.1:4400'. */
    address: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    /** Sets the handler; until the first call every request gets a 503. */
    answer: (next: (request: Request, bindings: object) => Response | Promise<Response>): void => {
      handle = next;
    },
    /** Accepts no new connections, gives running requests `milliseconds` to finish, then closes them. */
    close: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        tracked.close();
      }),
  };
}

/** Paths of probes, of the server and of `carrel serve`. */
const probes = /^\/(?:healthz|readyz|\.carrel\/(?:live|ready))(?:\?|$)/;

const fullError = new ApiError(
  'TooManyConnections',
  'The server has as many connections as its limit of open files allows. Try again in a moment.',
  { headers: { 'retry-after': '5', connection: 'close' } },
);

/** Responds where Node itself would send an empty body; `isAnswering` says whether a response is being sent over the socket. */
function refuseBrokenHttp(server: Server, refuse: Refuse, isAnswering: (socket: Socket) => boolean): void {
  server.on('checkExpectation', ({ headers: { expect = '' } }, response) => {
    const fault = new ApiError(
      'ExpectationUnknown',
      `The server does not support the expectation "${expect.slice(0, 100)}". Send "Expect: 100-continue", or omit the header.`,
    );
    const { headers, body } = refuse(fault);
    response.writeHead(417, { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) }).end(body);
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    // After the first response Node also reports what still arrives.
    if (socket.writableEnded) return;
    if (!socket.writable || code === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy();
    writeRefusal(socket, brokenHttp[code] ?? malformed, refuse);
  });
  server.on('connect', (_request, socket: Socket) => {
    writeRefusal(socket, targetInvalidError(), refuse);
  });
}

const brokenHttp: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError(
    'HeadersTooLarge',
    'The headers of the request are larger than 16 KB. Send shorter ones, or fewer.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ApiError(
    'BodyTooLarge',
    'The chunks of the body have extensions that are too large. Send less.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError('RequestTimeout', 'The request did not arrive in time. Send it again.'),
};

const malformed = new ApiError('RequestMalformed', 'The request is not valid HTTP. Send it with an HTTP client, unchanged.');

function targetInvalidError(): ApiError {
  return new ApiError(
    'RequestMalformed',
    'The request has no valid URL. Send a path that begins with "/", without a backslash, and a "Host" header with the name of this server.',
  );
}

// Closing immediately would reset the connection while the client is still sending, and the client would lose the response.
const millisecondsToRead = 1000;

function writeRefusal(socket: Socket, fault: ApiError, refuse: Refuse): void {
  const { headers, body } = refuse(fault);
  const head = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), millisecondsToRead).unref();
}

function refuseAsText({ message, headers }: ApiError): ReturnType<Refuse> {
  return {
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    body: `${message}\n`,
  };
}

interface Binding {
  port: number;
  host: string;
  setting: string;
}

const reasons: Record<string, (binding: Binding) => [message: string, hint: string]> = {
  EADDRINUSE: ({ port, host, setting }) => [
    `Another program uses port ${port} of ${host}.`,
    `Stop that program, or use another port, such as ${setting}${port < 65_534 ? port + 2 : port - 2}.`,
  ],
  EACCES: ({ port, setting }) => [
    `This user is not allowed to listen on port ${port}.`,
    `Use a port from 1024 up, such as ${setting}${port + 8000}.`,
  ],
  EADDRNOTAVAIL: ({ host }) => [
    `"${host}" is not an address of this machine.`,
    'Use 127.0.0.1, or 0.0.0.0 for all of its addresses.',
  ],
  ENOTFOUND: ({ host }) => [`The host "${host}" was not found.`, 'Use 127.0.0.1, or 0.0.0.0 for all addresses of this machine.'],
};

function cannotListenError(error: NodeJS.ErrnoException, binding: Binding): ExportError {
  const [message, hint] = reasons[error.code ?? '']?.(binding) ?? [
    `Can't listen on ${binding.host}:${binding.port}: ${error.message}`,
    undefined,
  ];
  return new ExportError('CannotListen', message, hint, { cause: error });
}

// What a request still sends when its response is ready: a rejection does not read the body. The next request of the connection comes only
// after it, and a connection that is closed over unread bytes loses the response.

// A usual body arrives within these limits; for any other, the connection is closed.
const mostBytes = 16 * 1024 * 1024;
const mostMilliseconds = 2000;

/**
 * The response, once the rest of the request's body has arrived and was dropped. If that is too large or too slow, the response has
 * `Connection: close`, and the connection stays open for two more seconds, in which the client can read it.
 */
async function afterBody(answer: Response | Promise<Response>, incoming: IncomingMessage): Promise<Response> {
  const response = await answer;
  if (incoming.readableEnded || incoming.destroyed || (await dropped(incoming))) return response;
  response.headers.set('connection', 'close');
  closeSlowly(incoming);
  return response;
}

const knownHosts = new LRUCache<string, boolean>({ max: 100 });

/** Some names pass the adapter's check and fail where a URL is made of them: 127x.0.0.1. */
function isHost(host = ''): boolean {
  const known = knownHosts.get(host) ?? URL.canParse(`http://${host}`);
  knownHosts.set(host, known);
  return known;
}

/** Whether a request has a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads the rest of the body, up to the limits; returns whether all of it has arrived. */
function dropped(incoming: IncomingMessage): Promise<boolean> {
  if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(false);
  return new Promise((resolve) => {
    let left = mostBytes;
    const finish = () => {
      clearTimeout(timer);
      incoming.off('data', count).off('end', finish).off('close', finish);
      resolve(incoming.readableEnded || incoming.destroyed);
    };
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) finish();
    };
    const timer = setTimeout(finish, mostMilliseconds);
    // Handlers that abandoned the body would pause it.
    incoming.removeAllListeners('data');
    incoming.on('data', count).on('end', finish).on('close', finish).resume();
  });
}

/** Ends the connection after the response, and keeps reading until the client has ended it too. */
function closeSlowly(incoming: IncomingMessage): void {
  const socket: Socket = incoming.socket;
  let isClosing = false;
  // Node calls this after the last response of a connection. Its own version would cut off a client that is still sending.
  socket.destroySoon = () => {
    if (isClosing) return;
    isClosing = true;
    const timer = setTimeout(() => socket.destroy(), mostMilliseconds);
    socket.once('close', () => clearTimeout(timer)).once('end', () => socket.destroy());
    socket.end();
    incoming.resume();
  };
}
