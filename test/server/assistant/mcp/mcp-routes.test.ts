// The official client, against the whole API.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Assistant } from '../../../../server/assistant/answer/assistant.ts';
import { createApi } from '../../../../server/routes.ts';
import { hanging } from '../scripted-assistant.ts';
import { openTestServer } from '../../support/services.ts';
import { activate, writeIndexedExport } from '../../../support/indexed-export.ts';
import { harbour } from '../assistant-site.ts';
import { temporaryFolder } from '../../storage/storages.ts';

const server = await openTestServer({ searchesPerHour: 40, questionsPerHour: 12 });
const domain = 'docs.example.com';
const german = { path: 'de/keys', title: 'Schlüssel', markdown: 'Ein Schlüssel öffnet das Tor.\n', language: 'de' };
let key: string;

beforeAll(async () => {
  const { services } = server;
  for (const name of [domain, 'empty.example.com'])
    await services.sites.put({
      domain: name,
      organization: 'default',
      source: { type: 'folder', path: '/docs' },
      settings: { builder: 'docs', deployment: 'client-hosted' },
    });
  const defaults = { defaultLanguage: 'en' };
  const made = await writeIndexedExport(await temporaryFolder(), [...harbour, german], { site: 'Tidewater', defaults });
  await activate(services, { domain }, made);
  ({ secret: key } = await services.keys.create(
    { organization: 'default', kind: 'assistant', name: 'test', domains: [domain, 'empty.example.com'] },
    { unlimited: true },
  ));
});

async function connect({ bearer = key, site = domain } = {}): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://api.example.com/mcp/${site}`), {
      requestInit: { headers: { authorization: `Bearer ${bearer}` } },
      fetch: async (url, init) => server.api.request(String(url), init),
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function call(client: Client, name: string, input: object): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } });
  const [first] = content as { type: string; text: string }[];
  return { text: first!.text, isError: isError === true };
}

test('a client finds the tools and calls each', async () => {
  await using client = await connect();
  expect(client.getServerVersion()).toMatchObject({ name: `carrel-${domain}`, title: 'Tidewater' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search', 'read_page', 'list_pages', 'ask']);

  const found = await call(client, 'search', { query: 'install on windows' });
  expect(found.text).toContain('Path: /guides/install#install-on-windows');
  expect(found.text).toContain('tidewater.msi');
  expect((await call(client, 'read_page', { path: '/guides/install' })).text).toMatch(/^# Install Tidewater\n[^]*```bash\n/);
  expect((await call(client, 'list_pages', { under: '/guides' })).text).toBe(
    '- [Install Tidewater](/guides/install)\n- [Configure](/guides/configure)\n- [Windows services](/guides/windows)',
  );
  const answer = await call(client, 'ask', { question: 'Which port does the server listen on?' });
  expect(answer.text).toContain('7700 by default');
  expect(answer.text).toContain('[1] [Configure › Ports](/guides/configure#ports)');
});

test('another language is searched when a program asks for it', async () => {
  await using client = await connect();
  expect((await call(client, 'search', { query: 'Schlüssel', language: 'de' })).text).toContain('Path: /de/keys');
  expect(await call(client, 'search', { query: 'key', language: 'fr' })).toEqual({
    text: 'There is no documentation in this language and version. There is: en, de.',
    isError: true,
  });
});

test('pages are resources', async () => {
  await using client = await connect();
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain(`carrel://${domain}/guides/install`);
  const { contents } = await client.readResource({ uri: `carrel://${domain}/guides/install` });
  expect(contents).toEqual([
    expect.objectContaining({ mimeType: 'text/markdown', text: expect.stringContaining('# Install Tidewater') }),
  ]);
  expect((await client.readResource({ uri: `carrel://${domain}/` })).contents[0]).toMatchObject({
    text: expect.stringContaining('Tidewater moves files'),
  });
});

test('answers of the protocol count among those that run at once, until they end or their client leaves', async () => {
  const { services } = server;
  const options = { ...services.options, streamsPerKey: 2 };
  const signals: AbortSignal[] = [];
  const answer: Assistant['answer'] = async (_domain, _question, signal) => {
    signals.push(signal);
    return { events: hanging(signal), language: 'en' };
  };
  const api = createApi({ ...services, options, assistant: { ...services.assistant, answer } });
  const { secret, key: asking } = await services.keys.create(
    { organization: 'default', kind: 'assistant', name: 'test', domains: [domain] },
    { unlimited: true },
  );
  const ask = async (signal?: AbortSignal) => {
    const params = { name: 'ask', arguments: { question: 'Which port?' } };
    const response = await api.request(`/mcp/${domain}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal,
    });
    return response.text();
  };
  const leaving = new AbortController();
  const open = [ask(leaving.signal), ask(leaving.signal)].map((asked) => asked.catch(() => 'left'));
  await expect.poll(() => signals.length).toBe(2);
  expect(await ask()).toContain('2 answers are already running with this key.');
  expect(signals).toHaveLength(2);
  leaving.abort();
  await Promise.all(open);
  const last = ask();
  await expect.poll(() => signals.length).toBe(3);
  // Nor does one go on whose key is revoked.
  await services.keys.revoke('default', asking.id);
  expect(await last).not.toContain('result');
  await expect.poll(() => signals[2]!.aborted).toBe(true);
});

describe('what cannot be done is said', () => {
  test.each<[string, string, object, string]>([
    ['an unknown page', 'read_page', { path: '../../secret' }, 'There is no page "../../secret"'],
    ['a place behind the end', 'read_page', { path: 'guides/install', offset: 1e6 }, 'you asked for what follows them'],
    ['an empty question', 'ask', { question: ' ' }, 'question'],
    ['a query of 100 KB', 'search', { query: 'x'.repeat(60_000) }, 'query'],
    ['a million pages to skip', 'list_pages', { offset: 1e6 }, 'There are 5 pages.'],
  ])('%s', async (_, tool, input, message) => {
    await using client = await connect();
    expect(await call(client, tool, input)).toEqual({ text: expect.stringContaining(message), isError: true });
  });

  test('a wrong key, a site without an export and a site of others', async () => {
    await expect(connect({ bearer: 'svc_dsc_wrong' })).rejects.toThrow();
    await expect(connect({ site: 'empty.example.com' })).rejects.toThrow(/SiteWithoutExport|no export/);
    await expect(connect({ site: 'other.example.com' })).rejects.toThrow(/SiteUnknown|no site/);
  });

  test('the limits of the assistant', async () => {
    await using client = await connect();
    const asked = [];
    for (let i = 0; i < 14; i++) asked.push(await call(client, 'ask', { question: 'Which port?' }));
    expect(asked.at(-1)).toEqual({ text: expect.stringMatching(/questions|again in/i), isError: true });
  });
});

test('the list of all pages, which may be long, counts as a page that is read', async () => {
  await using client = await connect();
  const lists = async () => {
    for (let i = 0; i < 45; i++) expect((await client.listResources()).resources.length).toBeGreaterThan(5);
  };
  await expect(lists()).rejects.toThrow(/again in/i);
});

test('a page of another origin may connect from a browser', async () => {
  const response = await server.api.request(`/mcp/${domain}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://x.example.com' },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
});
