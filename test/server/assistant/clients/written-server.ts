// A server that sends what a test wrote, to try the clients themselves with.
import { createServer } from 'node:http';
import type { Chunk } from './builds.ts';
import { close, listen } from '../../../support/listen.ts';
import { atFileEnd } from '../../../support/at-file-end.ts';

export interface WrittenServer {
  url: string;
  /** Bodies of the requests, in order. */
  bodies: Record<string, unknown>[];
  /** What every request gets from now on. */
  write(answer: string | Chunk[], status?: number): void;
}

export async function openWrittenServer(): Promise<WrittenServer> {
  const bodies: Record<string, unknown>[] = [];
  let answer = '';
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (body !== '') bodies.push(JSON.parse(body));
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' }).end(answer);
  });
  atFileEnd(() => close(server));
  return {
    url: `http://127.0.0.1:${await listen(server)}/message`,
    bodies,
    write(next, as = 200) {
      answer = typeof next === 'string' ? next : events(next);
      status = as;
    },
  };
}

function events(chunks: Chunk[]): string {
  return `: stream-open\n\n${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}
