import { createApi } from '../../../server/routes.ts';
import type { Key } from '../../../server/http/key.ts';
import type { ServerOptions } from '../../../server/platform/options.ts';
import { checkAgainst, type ApiDocument } from '../support/contract.ts';
import { openTestServer, requestOf, type TestServer } from '../support/services.ts';
import { scriptedAssistant, type ScriptedAssistant } from './scripted-assistant.ts';

export interface AssistantServer extends TestServer {
  assistant: ScriptedAssistant;
  /** For `docs.example.com` and `empty.example.com`, of the organization `default`. */
  key: string;
  newKey(
    more?: Partial<Pick<Key, 'domains' | 'origins' | 'addresses' | 'expiresAt' | 'organization'>>,
  ): Promise<{ id: string; secret: string }>;
  /** Each answer is held against `/openapi.json`. */
  post(path: string, body: unknown, options?: SendOptions): Promise<Response>;
  /** A message, version 2; the question when `body` has no messages. */
  ask(body?: object, options?: SendOptions): Promise<Response>;
}

interface SendOptions {
  key?: string | null;
  method?: string;
  headers?: Record<string, string>;
  /** The other end of the socket. */
  from?: string;
}

export const messagePath = '/discovery/v2/assistant/docs.example.com/message';
export const question = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How do I install it?' }] };

/** The whole API with a scripted assistant and two sites, of which one has no export. One for a test file. */
export async function openAssistantServer(overrides: Partial<ServerOptions> = {}): Promise<AssistantServer> {
  const server = await openTestServer(overrides);
  const assistant = scriptedAssistant();
  const api = createApi({ ...server.services, assistant });
  const source = { type: 'git' as const, url: 'https://git.example.com/docs.git' };
  await server.keyOf('other');
  for (const [domain, organization] of [
    ['docs.example.com', 'default'],
    ['empty.example.com', 'default'],
    ['foreign.example.com', 'other'],
  ] as const)
    await server.services.sites.put({
      domain,
      organization,
      source,
      settings: { builder: 'docs', deployment: 'client-hosted' },
    });
  const newKey: AssistantServer['newKey'] = async (more) => {
    const { key, secret } = await server.services.keys.create(
      {
        organization: 'default',
        kind: 'assistant',
        name: 'test',
        domains: ['docs.example.com', 'empty.example.com'],
        ...more,
      },
      { unlimited: true },
    );
    return { id: key.id, secret };
  };
  const { secret: key } = await newKey();
  const document = (await (await api.request('/openapi.json')).json()) as ApiDocument;

  const post: AssistantServer['post'] = async (path, body, options = {}) => {
    const method = options.method ?? 'POST';
    const bearer = options.key === undefined ? key : options.key;
    const incoming = { socket: { remoteAddress: options.from ?? '192.0.2.1' } };
    const response = await api.request(path, requestOf(method, body, bearer, options.headers), { incoming });
    if (method !== 'OPTIONS') await checkAgainst(document, method, path, response);
    return response;
  };

  return {
    ...server,
    api,
    assistant,
    key,
    newKey,
    post,
    ask: (body = {}, options) => post(messagePath, { fp: 'reader-1', messages: [question], ...body }, options),
  };
}

/** Status and code of a refusal. */
export async function refused(response: Response | Promise<Response>): Promise<[status: number, code: string]> {
  const answer = await response;
  const text = await answer.text();
  return [answer.status, text.startsWith('{') ? (JSON.parse(text) as { code: string }).code : text.slice(0, 200)];
}

/** The chunks of a UI message stream; comments left out. */
export async function chunksOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice(6)) as Record<string, unknown>);
}
