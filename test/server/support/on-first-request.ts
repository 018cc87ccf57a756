import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface OnFirstRequest<Made> {
  /** Of 127.0.0.1, for `requestFrom`. */
  port: number;
  /** What was made, if anything was. */
  end(): Promise<Made | undefined>;
}

/** Makes something of the whole run when the first test file asks for it, and tells each that asks what `tell` says of it. */
export async function onFirstRequest<Made>(
  make: () => Promise<Made>,
  tell: (made: Made) => string,
): Promise<OnFirstRequest<Made>> {
  let made: Promise<Made> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    made ??= make();
    made.then(
      (value) => socket.end(JSON.stringify({ value: tell(value) })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    end() {
      server.close();
      return Promise.resolve(made).catch(() => undefined);
    },
  };
}

/** For test files: what is told at such a port. */
export async function requestFrom(port: number): Promise<string> {
  const answer = JSON.parse(await text(connect(port, '127.0.0.1'))) as { value: string; error?: string };
  if (answer.error) throw new Error(answer.error);
  return answer.value;
}
