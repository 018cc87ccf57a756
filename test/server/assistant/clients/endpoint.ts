// The real endpoint on a real port, with a small site and a model that plays what a test scripts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../../server/http/listen.ts';
import type { ServerOptions } from '../../../../server/platform/options.ts';
import { activate, writeIndexedExport, type PlainPage } from '../../../support/indexed-export.ts';
import { openTestServer, type TestServer } from '../../support/services.ts';
import { openModelServer, textAnswer, type ModelServer } from '../model-server.ts';
import { atFileEnd } from '../../../support/at-file-end.ts';

export interface Endpoint {
  server: TestServer;
  model: ModelServer;
  domain: string;
  /** An assistant key of the domain. */
  key: string;
  /** Address of the assistant API: 'http://127.0.0.1:40000/discovery'. */
  base: string;
  /** Of the two versions of the message route. */
  v2: string;
  v1: string;
  headers: { authorization: string };
  /** Thread of the question that was asked last, as the database has it; questions in it. */
  lastThread(): Promise<string>;
  questionsIn(thread: string): Promise<number>;
  /** Gives the site other settings of the assistant. */
  configure(assistant: object | null): Promise<void>;
}

export const answer = 'Install it with `npm install tidewater` [1].';
const domain = 'docs.test';

/** One for a test file. */
export async function openEndpoint(overrides: Partial<ServerOptions> = {}): Promise<Endpoint> {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-clients-'));
  const model = await openModelServer(textAnswer(answer));
  const server = await openTestServer(overrides);
  const listener = await listen(0, '127.0.0.1');
  listener.answer(server.api.fetch);
  atFileEnd(async () => {
    await listener.close(0);
    await model.close();
    rmSync(folder, { recursive: true });
  });

  const configure = async (assistant: object | null) => {
    const source = { type: 'folder', path: folder };
    await ok(server.request('PUT', `/v1/sites/${domain}`, { source, assistant }));
    // What the registry holds in memory is forgotten.
    server.clock.now += 1001;
  };
  await configure({ model: { baseUrl: model.url, model: 'scripted' } });
  await activate(server.services, { domain }, await writeIndexedExport(folder, pages));
  const asked = { kind: 'assistant', name: 'clients', domains: [domain] };
  const { secret: key } = (await ok(server.request('POST', '/v1/keys', asked))) as { secret: string };

  const base = `${listener.address}/discovery`;
  const query = async (sql: string, values: unknown[] = []) =>
    (await server.services.database.query<Record<string, unknown>>(sql, values))[0]!;
  return {
    server,
    model,
    domain,
    key,
    base,
    configure,
    v2: `${base}/v2/assistant/${domain}/message`,
    v1: `${base}/v1/assistant/${domain}/message`,
    headers: { authorization: `Bearer ${key}` },
    async lastThread() {
      const { thread } = await query('select thread from carrel.answers order by asked_at desc limit 1');
      server.clock.now++;
      return thread as string;
    },
    questionsIn: async (thread) =>
      Number((await query('select count(*) as count from carrel.answers where thread = $1', [thread])).count),
  };
}

async function ok(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const pages: PlainPage[] = [
  { path: '', title: 'Tidewater', markdown: 'Tidewater moves files between harbours.\n' },
  {
    path: 'guides/install',
    title: 'Install Tidewater',
    markdown: [
      'Tidewater needs Node 22 or later.\n',
      '## Install with npm\n\nInstall it for one project.\n\n```bash\nnpm install tidewater\n```\n',
      '## Install with a container\n\nPull the image and run it on port 8080.\n',
    ].join('\n'),
  },
  {
    path: 'guides/configure',
    title: 'Configure',
    markdown: 'Settings are read from `tidewater.json`.\n\n## Tides\n\nThe setting `tide` is high or low.\n',
  },
];
