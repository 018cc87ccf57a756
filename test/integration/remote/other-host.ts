import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../support/listen.ts';

export interface OtherHost {
  /** `127.0.0.1:8123` */
  host: string;
  port: string;
  /** `http://127.0.0.1:8123/` */
  url: string;
  /** Paths in the order of the requests. */
  asked: string[];
}

/** A server on loopback in the role of another host; it ends with the test. It answers 404 for unknown paths. */
export async function otherHost(
  files: Record<string, [type: string, text: string | ((host: OtherHost) => string)]>,
): Promise<OtherHost> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const file = Object.hasOwn(files, request.url!) ? files[request.url!] : undefined;
    if (!file) return response.writeHead(404).end();
    const [type, text] = file;
    const body = typeof text === 'function' ? text(known) : text;
    if (type === 'redirect') return response.writeHead(302, { location: body }).end();
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  onTestFinished(() => void server.close());
  const port = String(await listen(server));
  const host = `127.0.0.1:${port}`;
  const known: OtherHost = { host, port, url: `http://${host}/`, asked };
  return known;
}
