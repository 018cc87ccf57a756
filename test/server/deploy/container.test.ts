import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { archiveOf, manifestOf } from '../../integration/output/archives.ts';
import { refuse, send, startBundleServer } from '../active-exports/bundle-server.ts';
import { makeVolume, readImage, runContainer } from './container.ts';
import { helmBinary } from './helm.ts';
import { addressOf, expectStop, onFreePort, runPod } from './pod.ts';

beforeAll(() => void helmBinary(), 300_000);

async function bundleOf(version: string): Promise<Buffer> {
  const files = { 'index.html': `<!doctype html><title>Home</title><p>Version ${version}</p>`, 'noise.bin': 'x'.repeat(1000) };
  return readFileSync(await archiveOf({ ...files, 'carrel.json': manifestOf(files, version) }));
}

describe('the pod of the chart', () => {
  test('serves the bundle of a real link, and again when the link is dead', async () => {
    const server = await startBundleServer(send(await bundleOf('1')));
    const volume = await makeVolume();
    const first = await runPod({ bundleUrl: server.link }, volume);
    const address = await addressOf(first, '1');
    expect(await (await fetch(address)).text()).toContain('Version 1');
    expect((await fetch(`${address}/.carrel/live`)).status).toBe(200);
    expect((await fetch(`${address}/.carrel/ready`)).status).toBe(200);
    await expectStop(first);
    expect(readdirSync(join(volume.data, 'bundle')).sort()).toEqual(['kept.json', 'sites']);

    server.answer = refuse(403, '{"error":"The link has expired.","code":"LinkExpired"}');
    const second = await runPod({ bundleUrl: server.link }, volume);
    expect(await (await fetch(await addressOf(second, '1'))).text()).toContain('Version 1');
    expect(second.output()).toContain('Warning: The link to the bundle is dead');
    expect(second.output()).toContain('Serving the stored copy instead: Docs, version 1');
    await expectStop(second);
  });

  test('fails with what to do where there is neither link nor copy', async () => {
    const server = await startBundleServer(refuse(403));
    const pod = await runPod({ bundleUrl: server.link }, await makeVolume());
    expect(await pod.ended).toBe(1);
    expect(pod.output()).toContain('Error (BundleLinkDead)');
    expect(pod.output()).toContain('POST /v1/static-export/jobs/{jobId}/bundle');
    expect(pod.output()).not.toMatch(/SECRET|\n {4}at /);
  });

  test('refuses another version than the pinned one', async () => {
    const server = await startBundleServer(send(await bundleOf('2')));
    const pod = await runPod({ bundleUrl: server.link, version: '1' }, await makeVolume());
    expect(await pod.ended).toBe(1);
    expect(pod.output()).toContain('is version "2"; version "1" is pinned');
  });

  test('goes on with the download after it was killed', async () => {
    const bundle = await bundleOf('1');
    const half = Math.floor(bundle.length / 2);
    const server = await startBundleServer((_, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': bundle.length });
      response.write(bundle.subarray(0, half));
    });
    const volume = await makeVolume();
    const first = await runPod({ bundleUrl: server.link }, volume);
    await untilSize(join(volume.data, 'bundle/download.part'), half);
    first.child.kill('SIGKILL');
    await first.ended;

    server.answer = send(bundle);
    const second = await runPod({ bundleUrl: server.link }, volume);
    expect(await (await fetch(await addressOf(second, '1'))).text()).toContain('Version 1');
    expect(server.requests[1]!.range).toBe(`bytes=${half}-`);
    await expectStop(second);
  });

  test('is stopped while it is still fetching', async () => {
    const server = await startBundleServer(() => {});
    const pod = await runPod({ bundleUrl: server.link }, await makeVolume());
    await pod.untilTold(/Downloading the bundle/);
    await expectStop(pod);
  });

  test('fetches again on SIGHUP', async () => {
    const server = await startBundleServer(send(await bundleOf('1')));
    const pod = await runPod({ bundleUrl: server.link }, await makeVolume());
    const address = await addressOf(pod, '1');
    server.answer = send(await bundleOf('2'), { tag: '"2"' });
    pod.child.kill('SIGHUP');
    await pod.untilTold(/Now serving Docs, version 2/);
    expect(await (await fetch(address)).text()).toContain('Version 2');
    await expectStop(pod);
  });
});

test('the compose file of a site runs it as well', async () => {
  const file = join(import.meta.dirname, '../../../server/deploy/site.compose.yaml');
  const { command, environment, volumes, read_only: isReadOnly } = parse(readFileSync(file, 'utf8')).services.site;
  expect([isReadOnly, volumes]).toEqual([true, ['kept:/data']]);
  expect(Object.keys(environment)).toEqual([
    'CARREL_BUNDLE_URL',
    'CARREL_BUNDLE_VERSION',
    'CARREL_REQUIRE_SIGNATURE',
    'CARREL_ALLOW_HOSTS',
    'CARREL_ASSISTANT_URL',
    'CARREL_ASSISTANT_DOMAIN',
    'CARREL_ASSISTANT_KEY',
  ]);
  const server = await startBundleServer(send(await bundleOf('1')));
  // As compose passes what is not set: empty.
  const values = { ...Object.fromEntries(Object.keys(environment).map((name) => [name, ''])), CARREL_BUNDLE_URL: server.link };
  const site = runContainer(onFreePort(command), values, await makeVolume());
  expect(await (await fetch(await addressOf(site, '1'))).text()).toContain('Version 1');
  await expectStop(site);
});

test('the image is not run by root, and has a command for the server', async () => {
  const { user, command, environment } = readImage();
  expect(user).toBe('1000:1000');
  expect(command).toEqual(['server']);
  expect(environment).toMatchObject({ CARREL_DATA: '/data', CARREL_BUNDLE_KEEP: '/data/bundle', XDG_CACHE_HOME: '/data/cache' });
  const help = runContainer([...command, '--help'], {}, await makeVolume());
  expect(await help.ended).toBe(0);
  expect(help.output()).toContain('Usage: carrel server');
});

/** Resolves when a file has so many bytes: what a process does to a disk is told by nobody. */
async function untilSize(file: string, bytes: number): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(file).length).toBe(bytes), { timeout: 60_000, interval: 20 });
}
