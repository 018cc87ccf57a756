// What a request still sends when its answer is ready: a refusal does not read the body. The next request of the connection comes only
// after it, and a connection that is closed over unread bytes takes the answer with it.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

// An ordinary body that is refused arrives within these; for one that does not, the connection is not worth keeping.
const mostBytes = 16 * 1024 * 1024;
const mostMilliseconds = 2000;

/**
 * The answer, once the rest of the request's body has arrived and was dropped. Where that is too much or too slow, the answer says
 * `Connection: close`, and the connection stays open for two more seconds, in which the client can read it.
 */
export async function afterBody(answer: Response | Promise<Response>, incoming: IncomingMessage): Promise<Response> {
  const response = await answer;
  if (incoming.readableEnded || incoming.destroyed || (await dropped(incoming))) return response;
  response.headers.set('connection', 'close');
  closeSlowly(incoming);
  return response;
}

/** Whether a request has a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads the rest; returns whether that was all. */
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
    // Readers that gave the body up would pause it.
    incoming.removeAllListeners('data');
    incoming.on('data', count).on('end', finish).on('close', finish).resume();
  });
}

/** Ends the connection after the answer, and reads on until the client has ended it too. */
function closeSlowly(incoming: IncomingMessage): void {
  const socket: Socket = incoming.socket;
  let isClosing = false;
  // Node calls this after the last answer of a connection. Its own version would cut off a client that is still sending.
  socket.destroySoon = () => {
    if (isClosing) return;
    isClosing = true;
    const timer = setTimeout(() => socket.destroy(), mostMilliseconds);
    socket.once('close', () => clearTimeout(timer)).once('end', () => socket.destroy());
    socket.end();
    incoming.resume();
  };
}
