// The script of the manual, from a job of a real server to the pod that serves its bundle.
import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts';
import { smallServer } from '../faults/places.ts';
import { makeFolder } from '../hosting/small-site.ts';
import { addEmptyDatabase } from '../support/embedded.ts';
import { makeVolume, type Volume } from './container.ts';
import { chart, helm, helmBinary, render, resourcesIn } from './helm.ts';
import { addressOf, expectStop, runRendered } from './pod.ts';
import { writeFiles } from '../../support/write-files.ts';

const root = join(import.meta.dirname, '../../..');
let server: ServerProcess;
let data: string;
beforeAll(async () => {
  helmBinary();
  data = await mkdtemp(join(tmpdir(), 'carrel-pipeline-'));
  await addEmptyDatabase(data);
  server = await startServerProcess(data, { QUICK_EXPORT: '0' }, smallServer);
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await rm(data, { recursive: true, force: true });
});

/** Runs `publish.sh` of the manual with a `helm` that notes what it was asked for. */
async function publish(domain: string) {
  const folder = await makeFolder({});
  const [, script] = /```bash title="publish.sh"\n([\s\S]*?)```/.exec(readFileSync(join(root, 'src/manual/deploy.mdx'), 'utf8'))!;
  writeFileSync(join(folder, 'publish.sh'), script!);
  writeFiles(folder, { 'bin/helm': '#!/bin/sh\nprintf "%s\\n" "$@" > "$HELM_ASKED"\n' });
  chmodSync(join(folder, 'bin/helm'), 0o755);
  const asked = join(folder, 'asked');
  const child = spawn('bash', [join(folder, 'publish.sh'), domain], {
    cwd: root,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      API: server.address,
      CARREL_KEY: server.adminKey,
      POLL_SECONDS: '0.2',
      HELM_ASKED: asked,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [code, output] = await Promise.all([closed, text(child.stderr)]);
  return { code, output, asked: () => readFileSync(asked, 'utf8').trimEnd().split('\n') };
}

test('a job, its bundle, a roll-out, a site', async () => {
  const docs = await makeFolder({ 'index.md': '# Handbook\n\nThe words of the handbook.\n' });
  const site = { source: { type: 'folder', path: docs } };
  expect((await server.request('PUT', '/v1/sites/handbook.test', site)).ok).toBe(true);
  const { code, output, asked } = await publish('handbook.test');
  expect([code, output]).toEqual([0, '']);

  const [verb, install, release, folder, reuse, wait, timeout, minutes, ...values] = asked();
  expect([verb, install, release, reuse, wait, timeout, minutes]).toEqual(
    'upgrade --install docs --reuse-values --wait --timeout 30m'.split(' '),
  );
  expect(join(root, folder!)).toBe(chart);
  const resources = resourcesIn(await helm(['template', release!, chart, ...values]));
  const pod = runRendered(resources, await makeVolume());
  const home = await fetch(await addressOf(pod, 'quick'));
  expect(await home.text()).toContain('The words of the handbook.');
  await expectStop(pod);
});

test('a pod that is rescheduled requests its own link, and one whose key was revoked serves what it has', async () => {
  const docs = await makeFolder({ 'index.md': '# Fresh\n\nThe first words.\n' });
  await server.request('PUT', '/v1/sites/fresh.test', { source: { type: 'folder', path: docs } });
  expect((await publish('fresh.test')).code).toBe(0);
  const { secret: key, keyId } = (await (
    await server.request('POST', '/v1/keys', { kind: 'admin', name: 'pods' })
  ).json()) as Record<string, string>;
  const refresh = { enabled: true, apiUrl: server.address, domain: 'fresh.test', existingSecret: 'api' };
  const resources = await render({ staticExport: { enabled: true, refresh } });
  resources.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'api' }, stringData: { apiKey: key } });
  const serve = async (volume: Volume) => {
    const pod = runRendered(resources, volume);
    const home = await (await fetch(await addressOf(pod, 'quick'))).text();
    await expectStop(pod);
    expect(pod.output()).not.toContain(key);
    return { home, output: pod.output() };
  };
  const first = await makeVolume();
  expect((await serve(first)).home).toContain('The first words.');
  writeFileSync(join(docs, 'index.md'), '# Fresh\n\nThe second words.\n');
  expect((await publish('fresh.test')).code).toBe(0);
  expect((await serve(await makeVolume())).home).toContain('The second words.');

  expect((await server.request('DELETE', `/v1/keys/${keyId}`)).ok).toBe(true);
  const kept = await serve(first);
  expect(kept.home).toContain('The first words.');
  expect(kept.output).toMatch(
    /Warning: The API at \S+ refused to create a link to the bundle of the site "fresh\.test": it answered 401 \(/,
  );
  const empty = runRendered(resources, await makeVolume());
  expect(await empty.ended).toBe(1);
  expect(empty.output()).toContain('CARREL_BUNDLE_KEY');
  expect(empty.output()).not.toContain(key);
});

test('a job that cannot be started ends the script with the reason, and rolls out nothing', async () => {
  const { code, output, asked } = await publish('unknown.test');
  expect(code).not.toBe(0);
  expect(output).toMatch(/^curl: .* 40\d$/m);
  expect(asked).toThrow(/ENOENT/);
});
