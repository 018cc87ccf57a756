// Downloads the bundle of a job and verifies it.
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { ExportError } from '../../integration/errors.ts';
import { removeLeftovers } from '../../integration/output/output-path.ts';
import { guarded } from '../../integration/output/write-error.ts';
import type { BundleObject } from '../../server/jobs/routes/bundle-routes.ts';
import { fetchBundle, forgetDownload } from '../../server/active-exports/fetch-bundle.ts';
import type { ApiClient } from './api-client.ts';

export interface DownloadOptions {
  client: ApiClient;
  jobId: string;
  /** The file to write. It appears completely or stays unchanged. */
  out: string;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
  /** As for `fetchBundle`. */
  waits?: number[];
}

/**
 * Downloads the bundle of a completed job. Resumes after a broken connection and replaces an expired link.
 * Throws `ExportError`: `BundleDigestWrong`, `BundleNotWhole`, and the errors of `fetchBundle`, `verifyBundle` and the client.
 */
export async function downloadBundle({ client, jobId, out, signal, onProgress, waits }: DownloadOptions): Promise<BundleObject> {
  const folder = join(dirname(out), `.${basename(out)}.carrel-new-${process.pid}`);
  guarded(out, () => {
    removeLeftovers(dirname(out), basename(out), out, process.pid);
    mkdirSync(folder, { recursive: true });
  });
  try {
    for (let bytes = -1; ;) {
      const link = await ask(client, jobId, signal);
      try {
        const archive = await fetchWhole(link, { folder, signal, onProgress, waits });
        guarded(out, () => renameSync(archive, out));
        return link;
      } catch (error) {
        if (!(error instanceof ExportError && error.code === 'BundleLinkDead')) throw error;
        // A link can expire during a slow download. If the last link brought no bytes, the next one would not either.
        const before = bytes;
        bytes = statSync(join(folder, 'download.part'), { throwIfNoEntry: false })?.size ?? 0;
        if (bytes === before) throw error;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(client: ApiClient, jobId: string, signal: AbortSignal): Promise<BundleObject> {
  return client.json<BundleObject>('POST', `/v1/static-export/jobs/${jobId}/bundle`, { signal, waits: [500, 1000, 2000, 5000] });
}

type FetchOptions = Pick<DownloadOptions, 'signal' | 'onProgress' | 'waits'> & { folder: string };

async function fetchWhole(link: BundleObject, { folder, signal, onProgress, waits }: FetchOptions): Promise<string> {
  const fetched = await fetchBundle({
    url: link.bundleUrl,
    folder,
    maxBytes: link.sizeBytes,
    signal,
    waits,
    onProgress: (done) => onProgress(done, link.sizeBytes),
  });
  const archive = (fetched as Exclude<typeof fetched, 'unchanged'>).archive;
  const { size } = statSync(archive);
  if (size !== link.sizeBytes || (await digestOf(archive)) !== link.sha256) {
    await forgetDownload(folder);
    throw new ExportError(
      'BundleDigestWrong',
      `The download is not the bundle of the job "${link.jobId}": its hash does not match.`,
      'Run the command again. If the error persists, something between this machine and the server changes the bytes.',
    );
  }
  const [problem] = await verifyBundle(archive);
  if (problem) {
    throw new ExportError(
      'BundleNotWhole',
      `The bundle of the job "${link.jobId}" is damaged: ${problem.message}`,
      'Start a new export. If the error persists, the storage of the server is damaged.',
    );
  }
  return archive;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
