// One storage, in a process of its own (storage.ts): keeps the export of a folder, then sends its archive to a reader in another process.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { getRequestListener } from '@hono/node-server';
import type { Api } from '../../server/http/api.ts';
import { addBundleRoutes } from '../../server/jobs/routes/bundle-routes.ts';
import type { Secrets } from '../../server/platform/secrets.ts';
import { createDiskStorage } from '../../server/storage/disk-storage.ts';
import { storeExport, type StoreParts } from '../../server/storage/store-export.ts';
import { archiveKey, bundleFileName } from '../../server/storage/storage-keys.ts';
import { createS3Storage } from '../../server/storage/s3-storage.ts';
import type { Storage } from '../../server/storage/storage.ts';
import type { Services } from '../../server/services.ts';

const folder = process.argv[2]!;
const { CARREL_BENCH_STORAGE: kind, CARREL_BENCH_ENDPOINT: endpoint } = process.env;
const [secrets, jobId, now] = [['a secret for the bench'] as Secrets, 'se_0123456789abcdef', Date.now];
let peak = 0;
const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const storage: Storage =
  kind === 's3'
    ? createS3Storage({ bucket: 'exports', endpoint, cacheFolder: path.join(folder, 'cache'), now })
    : createDiskStorage({ folder: path.join(folder, 'storage'), publicUrl, secrets, now });
await storage.check();
const idle = process.memoryUsage.rss();

const services = { storage, sites: { get: async () => undefined } } as unknown as StoreParts;
const made = { folder: path.join(folder, 'export'), archive: path.join(folder, 'bundle.zip') };
const kept = await measured('kept', () => storeExport(services, { domain: 'bench.test', ...made }));

const job = { id: jobId, domain: 'bench.test', result: { version: '1', ...kept }, expiredAt: null };
const api = new OpenAPIHono() as Api;
addBundleRoutes(api, { storage, secrets, now, jobs: { get: async () => job } } as unknown as Services);
server.on('request', getRequestListener(api.fetch));
const link = await storage.link(archiveKey(job.domain, kept.archive.sha256), {
  jobId,
  fileName: bundleFileName(job.domain, '1'),
  expires: new Date(now() + 600_000),
});
const reader = `const h = require('crypto').createHash('sha256');
  fetch(${JSON.stringify(link)}).then(async (a) => { for await (const b of a.body) h.update(b); console.log(h.digest('hex')); });`;
const digest = await measured('sent to a reader', async () => {
  const child = spawn(process.execPath, ['-e', reader], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += String(bytes)));
  await new Promise((resolve) => child.once('close', resolve));
  return output.trim();
});
if (digest !== kept.archive.sha256) throw new Error(`What was read is not what was kept: ${digest}`);
clearInterval(sampler);
server.close();
server.closeAllConnections();

async function measured<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  peak = 0;
  const started = performance.now();
  const result = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const above = ((Math.max(peak, idle) - idle) / 2 ** 20).toFixed(0);
  console.log(`${storage.kind}: ${what} in ${seconds} s, ${above} MB above idle (${(idle / 2 ** 20).toFixed(0)} MB)`);
  return result;
}
