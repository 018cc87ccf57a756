import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Manifest } from '../../../integration/manifest.ts';
import { activate, writeIndexedExport } from '../../support/indexed-export.ts';
import { temporaryFolder } from '../storage/storages.ts';
import { openEmbeddingServer } from '../../support/embedding-server.ts';
import { type AssistantSite, domain, openAssistantSite } from './assistant-site.ts';
import { openModelServer, textAnswer } from './model-server.ts';

const model = await openModelServer(textAnswer('Open the settings [1].'));
const server = await openEmbeddingServer();
const untouched = structuredClone(server.answers);
beforeEach(() => {
  Object.assign(server.answers, structuredClone(untouched));
  server.requests.length = 0;
});
afterAll(() => Promise.all([model.close(), server[Symbol.asyncDispose]()]));

const pages = [
  { path: '', title: 'Home', markdown: 'Welcome to the harbour.\n' },
  { path: 'accounts', title: 'Accounts', markdown: '## Erase\n\nErase it in the settings.\n' },
  { path: 'boats', title: 'Boats', markdown: '## Sails\n\nHoist the sails before noon.\n' },
];
const embeddings = { url: server.url, model: 'small' };
const options = { embeddingsUrl: server.url, embeddingsModel: 'small' };
// No word of the docs, but one with the same meaning.
const question = 'Entferne Konto';

const found = async ({ assistant }: AssistantSite) =>
  (await assistant.search(domain, { query: 'delete', limit: 10, filter: {} }))?.map(({ page }) => page);

test('a search finds what has other words than the query', async () => {
  const site = await openAssistantSite(pages, { embeddings, ...options });
  expect((await found(site))?.[0]).toBe('accounts');
  expect(await found(await openAssistantSite(pages))).toEqual([]);
});

test('a model reads what means the same as the question, also in another language', async () => {
  const { ask } = await openAssistantSite(pages, {
    embeddings,
    ...options,
    assistant: { model: { baseUrl: model.url, model: 'scripted' } },
  });
  const { text, sources } = await ask(question);
  expect(text).toBe('Open the settings [1].');
  expect(sources.map(({ id }) => id)).toEqual(['accounts#erase']);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('Erase it in the settings.');
});

test('a query is sent once, and a model that fails is left alone for a while', async () => {
  const site = await openAssistantSite(pages, { embeddings, ...options });
  server.requests.length = 0;
  await found(site);
  await found(site);
  expect(server.requests.map(({ input }) => input)).toEqual([['delete']]);
  server.answers.refuses = { status: 500, times: 1 };
  const search = (query: string) => site.assistant.search(domain, { query, limit: 3, filter: {} });
  expect((await search('hoist sails'))?.[0]?.page).toBe('boats');
  await search('erase');
  expect(server.requests.map(({ input }) => input)).toEqual([['delete'], ['hoist sails']]);
});

describe('search is by words, and the log says why, when', () => {
  const warnings = (site: AssistantSite) => {
    const reported: string[] = [];
    vi.spyOn(site.services.log, 'warn').mockImplementation((_: unknown, message?: string) => void reported.push(message ?? ''));
    return reported;
  };

  test.each<[string, () => void, string]>([
    ['the endpoint hangs', () => (server.answers.hangs = true), 'the embedding model failed'],
    ['the endpoint refuses', () => (server.answers.refuses = { status: 401, times: 9 }), 'the embedding model failed'],
    ['its vectors have another dimension', () => (server.answers.dimension = 48), 'the vectors of an export cannot be used'],
  ])('%s', async (_, prepare, message) => {
    const site = await openAssistantSite(pages, { embeddings, ...options });
    const reported = warnings(site);
    prepare();
    const results = await site.assistant.search(domain, { query: 'hoist sails', limit: 3, filter: {} });
    expect(results?.map(({ page }) => page)).toEqual(['boats']);
    expect(reported).toEqual([expect.stringContaining(message)]);
  });

  test('the export has vectors of another model', async () => {
    const site = await openAssistantSite(pages, { embeddings, ...options, embeddingsModel: 'large' });
    const reported = warnings(site);
    expect(await found(site)).toEqual([]);
    expect(reported).toEqual([expect.stringContaining('another embedding model')]);
    expect(server.requests.every(({ model: asked }) => asked === 'small')).toBe(true);
  });

  test('the endpoint is gone', async () => {
    const site = await openAssistantSite(pages, { embeddings, ...options, embeddingsUrl: 'http://127.0.0.1:9/v1' });
    const reported = warnings(site);
    expect(await found(site)).toEqual([]);
    expect(reported).toEqual([expect.stringContaining('the embedding model failed')]);
  });
});

describe('what one site or reader does costs no other the search by meaning', () => {
  const search = ({ assistant }: AssistantSite, query: string, of = domain) =>
    assistant.search(of, { query, limit: 3, filter: {} }).then((results) => results?.map(({ page }) => page));

  test.each<[string, { dimension?: number; vectors?: Partial<Manifest['vectors']> }]>([
    ['whose manifest names another dimension', { vectors: { dimension: 2 } }],
    ['whose manifest names a huge dimension', { vectors: { dimension: Number.MAX_SAFE_INTEGER } }],
    ['whose manifest names a folder above it', { vectors: { folder: '../../_carrel/vectors' } }],
    ['with vectors of another dimension', { dimension: 48 }],
  ])('an export %s', async (_, { dimension = 32, vectors }) => {
    const site = await openAssistantSite(pages, { embeddings, ...options });
    await site.configure(undefined, { domain: 'other.test' });
    server.answers.dimension = dimension;
    const made = await writeIndexedExport(await temporaryFolder(), pages, { embeddings });
    Object.assign(made.manifest.vectors!, vectors);
    await writeFile(join(made.folder, 'carrel.json'), JSON.stringify(made.manifest));
    await activate(site.services, { domain: 'other.test' }, made);
    site.clock.now += 1001;
    server.answers.dimension = 32;
    for (const query of ['hoist sails', 'sails']) expect(await search(site, query, 'other.test')).toEqual(['boats']);
    expect((await search(site, 'delete'))?.[0]).toBe('accounts');
  });

  test('a query that the endpoint refuses', async () => {
    const site = await openAssistantSite(pages, { embeddings, ...options });
    server.answers.refuses = { status: 413, times: 1 };
    expect(await search(site, 'hoist sails {}[]')).toEqual(['boats']);
    expect((await search(site, 'delete'))?.[0]).toBe('accounts');
  });
});

test('quotes are never chosen by meaning: they have the words of the question', async () => {
  const { ask } = await openAssistantSite(pages, { embeddings, ...options });
  expect((await ask(question)).sources).toEqual([]);
});
