import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packBundle } from '../support/pack-bundle.ts';
import { s3Credentials, startS3Server } from '../server/storage/s3-server.ts';

/** Memory that keeping an export of `megabytes` and downloading its archive take, on disk and on S3. */
export async function benchStorage({ megabytes }: { megabytes: number }): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-storage-'));
  try {
    await makeLargeExport(folder, megabytes);
    await runBench(folder, { CARREL_BENCH_STORAGE: 'disk' });
    const server = await startS3Server();
    await runBench(folder, { CARREL_BENCH_STORAGE: 's3', CARREL_BENCH_ENDPOINT: server.endpoint, ...s3Credentials });
    await server.end();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, so that only the storage's memory counts. */
async function runBench(folder: string, environment: Record<string, string>): Promise<void> {
  const script = path.join(import.meta.dirname, 'storage-run.ts');
  const child = spawn(process.execPath, [script, folder], { stdio: 'inherit', env: { ...process.env, ...environment } });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${script} ended with ${String(code)}.`);
}

/** Pictures of 100 KB, which do not get smaller in the archive. */
async function makeLargeExport(folder: string, megabytes: number): Promise<void> {
  const files: Record<string, { sha256: string; size: number }> = {};
  await mkdir(path.join(folder, 'export'));
  for (let at = 0; at < megabytes * 10; at++) {
    const bytes = randomBytes(102_400);
    files[`${at}.png`] = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
    await writeFile(path.join(folder, 'export', `${at}.png`), bytes);
  }
  const manifest = {
    ...{ format: 1, site: 'Bench', version: '1', deployment: 'client-hosted', generator: 'carrel/bench', entry: 'index.html' },
    ...{ indexes: [], pages: [], redirects: [], files },
  };
  await writeFile(path.join(folder, 'export/carrel.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'export/carrel.config.js'), '');
  await packBundle(path.join(folder, 'export'), path.join(folder, 'bundle.zip'));
}
