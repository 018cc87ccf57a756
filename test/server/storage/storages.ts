import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { createDiskStorage } from '../../../server/storage/disk-storage.ts';
import { createS3Storage } from '../../../server/storage/s3-storage.ts';
import type { Secrets } from '../../../server/platform/secrets.ts';
import type { Storage } from '../../../server/storage/storage.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { s3Credentials, startS3Server, type S3Server } from './s3-server.ts';

export const secrets: Secrets = ['a secret of at least 32 characters'];

/** Describes the same behavior on both kinds of storage, each empty. */
export function eachStorage(tests: (open: () => Promise<Storage>) => void): void {
  describe('disk', () => {
    tests(openDisk);
  });
  describe('s3', () => {
    let server: S3Server;
    useS3Credentials();
    beforeAll(async () => {
      server = await startS3Server();
    });
    afterAll(() => server.end());
    tests(() => openS3(server));
  });
}

export async function openDisk(): Promise<Storage> {
  return createDiskStorage({ folder: await temporaryFolder(), publicUrl: 'http://api.test', secrets, now: Date.now });
}

/** Each under a prefix of its own. */
export async function openS3({ endpoint, bucket }: Pick<S3Server, 'endpoint' | 'bucket'>): Promise<Storage> {
  const prefix = randomBytes(4).toString('hex');
  return createS3Storage({ bucket, endpoint, prefix, cacheFolder: await temporaryFolder(), now: Date.now });
}

/** In the environment of this test file, where the AWS SDK looks. */
export function useS3Credentials(credentials: Record<string, string> = s3Credentials): void {
  const before = { ...process.env };
  beforeAll(() => void Object.assign(process.env, credentials));
  afterAll(() => {
    for (const name of Object.keys(credentials)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
}

/** An empty folder that is gone after the last test of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-storage-'));
  atFileEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A file somewhere, with its digest. */
export async function makeFile(content: string | Uint8Array): Promise<{ file: string; sha256: string; size: number }> {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, content);
  return { file, sha256: digestOf(content), size: Buffer.byteLength(content) };
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export async function textOf(storage: Storage, key: string, range?: { start: number; end: number }): Promise<string | undefined> {
  const stored = await storage.get(key);
  return stored && new Response(await stored.read(range)).text();
}
