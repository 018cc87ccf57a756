import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../support/listen.ts';

export interface StallingProxy {
  /** Where it listens: 'http://127.0.0.1:…'. */
  address: string;
  /** From the next upload on nothing goes on; resolves when that has come. */
  stallAtUpload(): Promise<void>;
  /** Lets go on what stands still, and what comes. */
  goOn(): void;
}

/** What stands before a server and hands bytes on, until it is told to stand still. */
export async function stallingProxy(target: string): Promise<StallingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let onUpload: (() => void) | undefined;
  let stalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      if (onUpload && /^(?:PUT|POST) /.test(bytes.toString('latin1', 0, 5))) {
        stalled = true;
        onUpload();
        onUpload = undefined;
      }
      upstream.write(bytes);
      if (stalled) for (const socket of sockets) socket.pause();
    });
    if (stalled) client.pause();
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    address: `http://127.0.0.1:${await listen(server)}`,
    stallAtUpload: () => new Promise((resolve) => (onUpload = resolve)),
    goOn() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
