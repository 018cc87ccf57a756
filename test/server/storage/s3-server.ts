import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { freePort } from '../../support/listen.ts';

export interface S3Server {
  endpoint: string;
  bucket: string;
  /** Takes the server away: connections are cut, and new ones refused. */
  stop(): Promise<void>;
  /** Brings it back at the same address, with what it held. */
  start(): Promise<void>;
  /** The keys below a folder of the bucket, sorted: it cannot check signatures of lists with a prefix. */
  keys(folder: string): Promise<string[]>;
  end(): Promise<void>;
}

// Of the files in which s3rver stores contents.
const suffix = '._S3rver_object';

/** Credentials of s3rver; it checks signatures by them. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** A real S3 server that checks signatures, on a free port of 127.0.0.1. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-s3-'));
  const bucket = 'exports';
  const port = await freePort();
  let running: InstanceType<typeof S3rver> | undefined;
  const stop = async () => {
    const closed = running?.close();
    running?.httpServer?.closeAllConnections();
    await closed;
    running = undefined;
  };
  const start = async () => {
    running = new S3rver({
      address: '127.0.0.1',
      port,
      directory,
      silent: true,
      vhostBuckets: false,
      // Buckets are made when it starts: it cannot check the signature that asks for one.
      configureBuckets: [{ name: bucket }],
    });
    await running.run();
  };
  await start();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    stop,
    start,
    async keys(folder) {
      const entries = await readdir(join(directory, bucket, folder), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter(({ name }) => name.endsWith(suffix))
        .map(({ parentPath, name }) => relative(join(directory, bucket, folder), join(parentPath, name)).slice(0, -suffix.length))
        .sort();
    },
    async end() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
