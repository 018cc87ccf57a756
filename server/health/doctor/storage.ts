// Whether exports can be stored: a file is written, read and removed again.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createS3Storage } from '../../storage/s3-storage.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { checkClock } from './clock.ts';
import { examine, fail, ok, reasonOf, warn, type Finding } from './finding.ts';

/** The disk is the data folder's check; a bucket is tried, and its service's clock compared. */
export async function checkStorage(options: ServerOptions, now: () => number): Promise<Finding[]> {
  const { role, s3Bucket: bucket, s3Endpoint: endpoint, s3Prefix: prefix } = options;
  if (bucket === undefined) return [await examine('storage', 1, () => (role === 'all' ? inFolder : inSharedFolder))];
  const folder = mkdtempSync(join(tmpdir(), 'carrel-doctor-'));
  try {
    const tried = await examine('storage', 30, async () => {
      const storage = await createS3Storage({ bucket, endpoint, prefix, cacheFolder: join(folder, 'cache'), now });
      const probe = randomBytes(16).toString('hex');
      const key = `doctor/${probe}`;
      writeFileSync(join(folder, 'probe'), probe);
      try {
        await storage.put(key, join(folder, 'probe'));
        const kept = await storage.get(key);
        const read = kept && (await text(await kept.read()));
        if (read !== probe) return fail(`The bucket "${bucket}" does not give back what was put.`, 'Look at its policies.');
        await storage.remove([key]);
        return ok(`The bucket "${bucket}" takes, gives and removes files`);
      } catch (error) {
        return fail(`The bucket "${bucket}" refuses: ${reasonOf(error)}.`, advice);
      }
    });
    return endpoint ? [tried, ...(await serviceClock(endpoint, now))] : [tried];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const inFolder = ok('Exports are kept in the data folder');
const inSharedFolder = warn(
  'Exports are kept in the data folder, which every process of this server must see.',
  'Put it on a disk that they share, or set CARREL_S3_BUCKET.',
);

const advice =
  'Look at CARREL_S3_BUCKET, CARREL_S3_ENDPOINT, and the credentials and region of the AWS SDK (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION); they need PutObject, GetObject and DeleteObject.';

/** Every HTTP answer bears the time, also a refusal. */
async function serviceClock(endpoint: string, now: () => number): Promise<Finding[]> {
  const before = now();
  const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const date = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(date) ? [] : [await checkClock('storage-clock', 'bucket', date, before, now())];
}
