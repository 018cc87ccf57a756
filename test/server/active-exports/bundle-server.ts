import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { close as closeServer, listen } from '../../support/listen.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface BundleServer {
  /** A link as the API gives it: with a signature. */
  link: string;
  /** What was asked, in order. */
  requests: { url: string; range: string | undefined; condition: string | undefined }[];
  /** How requests are answered from now on. */
  answer: Answer;
  close(): Promise<void>;
}

/** A web server of the test's own, closed when it ends. */
export async function startBundleServer(answer: Answer): Promise<BundleServer> {
  const requests: BundleServer['requests'] = [];
  const http = createServer((request, response) => {
    const { range, 'if-range': ifRange, 'if-none-match': ifNone } = request.headers;
    requests.push({ url: request.url!, range, condition: (ifRange as string | undefined) ?? ifNone });
    server.answer(request, response);
  });
  const origin = `http://127.0.0.1:${await listen(http)}`;
  const close = () => closeServer(http);
  onTestFinished(close);
  const server = { link: `${origin}/v1/bundles/se_1?expires=1&signature=SECRET`, requests, answer, close };
  return server;
}

export interface SendOptions {
  tag?: string;
  /** The connection breaks after so many bytes of an answer. */
  breakAfter?: number;
}

/** Answers as an object storage does: with a tag, ranges and conditions. */
export function send(bytes: Buffer, { tag = '"1"', breakAfter }: SendOptions = {}): Answer {
  return (request, response) => {
    const { range, 'if-range': ifRange, 'if-none-match': ifNone } = request.headers;
    if (ifNone === tag) return void response.writeHead(304, { etag: tag }).end();
    const from = range && (ifRange === undefined || ifRange === tag) ? Number(/^bytes=(\d+)-/.exec(range)![1]) : 0;
    const part = bytes.subarray(from);
    const partly = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    const headers = { etag: tag, 'accept-ranges': 'bytes', 'content-length': part.length, ...(range && from > 0 && partly) };
    response.writeHead(range && from > 0 ? 206 : 200, headers);
    if (breakAfter === undefined || breakAfter >= part.length) return void response.end(part);
    response.write(part.subarray(0, breakAfter), () => setImmediate(() => response.destroy()));
  };
}

/** Answers with a status and a text. */
export function refuse(status: number, text = '', headers: Record<string, string> = {}): Answer {
  return (_, response) => void response.writeHead(status, headers).end(text);
}
