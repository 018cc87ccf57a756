// A connection holds a descriptor, and so do the files of the database and of the sites. Where descriptors become few, the connections that have
// been idle for longest are closed: otherwise, clients that connect and send nothing would shut out everyone else, probes included.
import { readdirSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openFileLimit } from '../platform/open-files.ts';

export type Connections = ReturnType<typeof createConnections>;

/** Milliseconds between two counts of what is open. */
const countEach = 1000;
/** With a limit above this one, nothing is counted before half of it is connections. */
const small = 4096;

/** The connections of one or more servers of a process, which share its limit of open files. */
export function createConnections() {
  // Each with its running responses; the one that has been idle for longest is the first.
  const connections = new Map<Socket, Set<ServerResponse>>();
  let counted = { at: -Infinity, limit: Infinity, others: 0 };

  /** Descriptors that are left, and those of them that files need. */
  const left = (): { free: number; reserve: number } => {
    const now = performance.now();
    if (now - counted.at > countEach) {
      const limit = openFileLimit();
      const isFar = limit === Infinity || (limit > small && connections.size < limit / 2);
      counted = { at: now, limit, others: isFar ? 0 : openFiles() - connections.size };
    }
    return { free: counted.limit - counted.others - connections.size, reserve: Math.min(64, Math.floor(counted.limit / 8)) };
  };

  const makeRoom = (newest?: Socket): void => {
    const { free, reserve } = left();
    let missing = reserve - free;
    for (const [socket, running] of connections) {
      if (missing <= 0) return;
      if (socket === newest || running.size > 0) continue;
      connections.delete(socket);
      // Not at the end of what it still sends: the descriptor is needed now.
      socket.destroy();
      missing--;
    }
  };

  return {
    /** Whether so few descriptors are left that only probes are answered: all other connections are in use. */
    isFull(): boolean {
      const { free, reserve } = left();
      return free < reserve / 2;
    },

    /** Counts the connections of a server. */
    track(server: Server) {
      const own = new Set<Socket>();
      // Without a descriptor, no connection is accepted that could make room for itself.
      const timer = setInterval(() => makeRoom(), countEach).unref();
      server.once('close', () => clearInterval(timer));
      let closing = false;
      // Node counts a socket without a request as busy, and browsers open some in advance.
      const endIdle = (): void => {
        // Not again those that are about to end.
        for (const socket of own) if (!connections.get(socket)?.size && socket.writable) socket.destroySoon();
      };
      server.on('connection', (socket) => {
        own.add(socket);
        connections.set(socket, new Set());
        socket.once('close', () => {
          own.delete(socket);
          connections.delete(socket);
        });
        makeRoom(socket);
      });
      server.prependListener('request', ({ socket }, response) => {
        const running = connections.get(socket);
        running?.add(response);
        response.once('close', () => {
          running?.delete(response);
          if (connections.delete(socket) && running) connections.set(socket, running);
          if (closing) endIdle();
        });
      });
      return {
        /** Whether a response is being sent over the socket. */
        isAnswering: (socket: Socket): boolean => [...(connections.get(socket) ?? [])].some(({ headersSent }) => headersSent),
        /** Closes idle connections now, and the others when their responses have ended. */
        close(): void {
          closing = true;
          endIdle();
        },
      };
    },
  };
}

/** Without the descriptor that reads them. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    // No descriptor is left for it.
    return Infinity;
  }
}
