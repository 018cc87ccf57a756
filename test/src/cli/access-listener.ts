import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { openAccessServer, type AccessServer } from '../../server/organizations/access-server.ts';
import { carrel, type Ended } from './carrel.ts';
import { atFileEnd } from '../../support/at-file-end.ts';

/** Keys, organizations and sites over HTTP, and the command line as their caller. Closed after the test file. */
export async function listenForAccess(): Promise<
  AccessServer & { url: string; run(args: string[], key?: string): Promise<Ended> }
> {
  const server = await openAccessServer({ start: Date.now() });
  const url = await new Promise<string>((resolve) => {
    const listener = serve({ fetch: server.api.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }: AddressInfo) =>
      resolve(`http://127.0.0.1:${port}`),
    );
    atFileEnd(() => listener.close());
  });
  return {
    ...server,
    url,
    run: (args, key = server.operatorKey) => carrel(args, { env: { PATH: process.env.PATH, CARREL_URL: url, CARREL_KEY: key } }),
  };
}
