import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { close, listen } from '../../support/listen.ts';

export interface S3Proxy {
  endpoint: string;
  /** Requests that reached it: `PUT /exports/docs/index.html`. */
  requests: string[];
}

/**
 * What the proxy does with a request instead of passing it on: an answer, a connection that ends at half of the
 * request (`drop`) or of the answer (`cut`), or no answer at all.
 */
export type Fault = { status: number; code: string } | 'drop' | 'cut' | 'hold' | undefined;

/** A proxy before a real S3 server that answers some requests with a fault. Signatures stay valid: it changes no header. */
export async function startS3Proxy(endpoint: string, fault: (request: string, count: number) => Fault): Promise<S3Proxy> {
  const { hostname, port } = new URL(endpoint);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const line = `${request.headers['x-amz-copy-source'] ? 'COPY' : request.method} ${decodeURIComponent(request.url!.split('?')[0]!)}`;
    requests.push(line);
    const wanted = fault(line, requests.filter((other) => other === line).length);
    if (wanted === 'hold') request.resume();
    else if (wanted === 'drop') dropAtHalf(request);
    else if (wanted !== undefined && wanted !== 'cut') refuse(request, response, wanted);
    else {
      const onward = forward(
        { hostname, port, method: request.method, path: request.url, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          if (wanted === 'cut') cutAtHalf(answer, response);
          else answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    }
  });
  onTestFinished(() => close(server));
  return { endpoint: `http://127.0.0.1:${await listen(server)}`, requests };
}

function dropAtHalf(request: IncomingMessage): void {
  let left = Number(request.headers['content-length']) / 2;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left <= 0) request.socket.destroy();
  });
}

function cutAtHalf(answer: IncomingMessage, response: ServerResponse): void {
  const half = Math.ceil(Number(answer.headers['content-length']) / 2);
  const pieces: Buffer[] = [];
  answer.on('data', (piece: Buffer) => pieces.push(piece));
  answer.on('end', () => response.write(Buffer.concat(pieces).subarray(0, half), () => response.destroy()));
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, code }: { status: number; code: string }): void {
  request.resume().on('end', () => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>As the test asks.</Message></Error>`);
  });
}
