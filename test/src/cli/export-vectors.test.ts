import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ExportReport } from '../../../integration/export/export-site.ts';
import { parseManifest } from '../../../server/storage/read-manifest.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { openEmbeddingServer } from '../../support/embedding-server.ts';
import { carrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

const server = await openEmbeddingServer();
const untouched = structuredClone(server.answers);
beforeEach(() => {
  Object.assign(server.answers, structuredClone(untouched));
  server.requests.length = 0;
});
afterAll(() => server[Symbol.asyncDispose]());

function docs(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'docs'));
  writeFileSync(join(root, 'docs/index.md'), '# Home\n\nWelcome.\n\n## Accounts\n\nErase an account.\n');
  writeFileSync(join(root, 'docs/pay.md'), '# Pay\n\nEach month an invoice comes.\n');
  return root;
}

async function run(root: string, args: string[] = [], url = server.url) {
  const own = ['--embeddings-url', url, '--embeddings-model', 'small', '--cache', 'cache', '--report', 'report.json'];
  const environment = { ...process.env, CARREL_EMBEDDINGS_KEY: 'secret' };
  const { code, stderr } = await carrel(['export', 'docs', '--out', 'site', ...own, ...args], { cwd: root, env: environment });
  const report = JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')) as ExportReport;
  return { code, stderr, report, manifest: parseManifest(readFileSync(join(root, 'site/carrel.json'), 'utf8'), '') };
}

test('an export has a vector of each section, and the next one asks only for what changed', async () => {
  const root = docs();
  const { code, report, manifest } = await run(root);
  expect([code, report.warnings]).toEqual([0, []]);
  expect(manifest.vectors).toEqual({ model: 'small', dimension: 32, folder: '_carrel/vectors' });
  expect(manifest.files['_carrel/vectors/en.bin']?.size).toBe(report.sections * 32);
  expect(report.sections).toBe(3);
  expect(server.requests.map(({ model, authorization }) => [model, authorization])).toEqual([['small', 'Bearer secret']]);
  const files = filesOf(join(root, 'site'));

  await run(root);
  expect(server.requests).toHaveLength(1);
  expect(filesOf(join(root, 'site'))).toEqual(files);

  writeFileSync(join(root, 'docs/pay.md'), '# Pay\n\nEach year an invoice comes.\n');
  await run(root);
  expect(server.requests[1]?.input).toEqual(['Pay\nEach year an invoice comes.']);
});

test('a model that has another dimension now makes all vectors again', async () => {
  const root = docs();
  await run(root);
  server.answers.dimension = 48;
  writeFileSync(join(root, 'docs/pay.md'), '# Pay\n\nEach year an invoice comes.\n');
  const { manifest, report } = await run(root);
  expect(manifest.vectors?.dimension).toBe(48);
  expect(manifest.files['_carrel/vectors/en.bin']?.size).toBe(report.sections * 48);
});

test.each<[string, string | undefined, () => void, string]>([
  ['is gone', 'http://127.0.0.1:9/v1', () => {}, 'it did not answer'],
  ['refuses', undefined, () => (server.answers.refuses = { status: 401, times: 9 }), 'it answered 401'],
])('a model that %s costs the export its vectors, with a warning, and nothing else', async (_, url, prepare, reason) => {
  const root = docs();
  prepare();
  const { code, manifest, report } = await run(root, [], url);
  expect(code).toBe(0);
  expect(manifest.vectors).toBeUndefined();
  expect(manifest.pages).toHaveLength(2);
  expect(report.warnings).toEqual([
    expect.objectContaining({ kind: 'embeddings-failed', severity: 'warning', message: expect.stringContaining(reason) }),
  ]);
  expect(JSON.stringify(report)).not.toContain('secret');
});

test('a folder of HTML has vectors too', async () => {
  const root = temporaryFolder();
  writeFiles(root, { 'docs/index.html': '<!doctype html><title>Home</title><main><h1>Home</h1><p>Erase an account.</p></main>' });
  const args = ['export', 'docs', '--out', 'site', '--embeddings-url', server.url, '--embeddings-model', 'small'];
  const { code } = await carrel(args, { cwd: root, env: { ...process.env, XDG_CACHE_HOME: join(root, 'cache') } });
  expect(code).toBe(0);
  const manifest = parseManifest(readFileSync(join(root, 'site/carrel.json'), 'utf8'), '');
  expect(manifest.files['_carrel/vectors/en.bin']?.size).toBe(32);
});

test('half of the options is refused', async () => {
  const { code, stderr } = await carrel(['export', 'docs', '--embeddings-url', server.url], { cwd: docs() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--embeddings-model NAME')]);
});
