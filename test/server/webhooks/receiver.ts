import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { AtEnd } from '../faults/places.ts';
import { close, listen } from '../../support/listen.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on this machine that keeps what it got and answers as told, the n-th call with n from 1. */
export async function receiver(answer: (call: number, response: ServerResponse) => void, atEnd: AtEnd = onTestFinished) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    answer(received.length, response);
  });
  atEnd(() => close(server));
  return { url: `http://127.0.0.1:${await listen(server)}/hook`, received };
}
