// Whether the pages a job is asked for exist, as far as this can be known before it runs.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../errors.ts';
import { readManifest } from '../links/read-manifest.ts';
import type { Services } from '../services.ts';
import type { RegisteredSite } from '../sites/sites.ts';

/** Throws `ApiError` 400 `PathUnknown`. */
export type CheckPaths = (site: RegisteredSite, paths: string[]) => Promise<void>;

// Manifests of this many exports stay read: their digest says what they hold, so they never grow old.
const mostManifests = 16;

/**
 * Pages of a docs folder on this machine are known from the site's active export and from the folder itself, which may hold newer ones.
 * Whatever cannot be looked up here (another machine's folder, a git source, an Astro project, a site without a whole export) is left to
 * the job, which fails with a readable error.
 */
export function createPathCheck({ jobs, storage, log }: Pick<Services, 'jobs' | 'storage' | 'log'>): CheckPaths {
  const pathsByDigest = new Map<string, Promise<Set<string>>>();

  async function readPaths(domain: string, digest: string): Promise<Set<string>> {
    const manifest = await readManifest(storage, domain, digest);
    if (!manifest) throw new Error(`There is no manifest ${digest} of "${domain}".`);
    return new Set(manifest.pages.map(({ path }) => path));
  }

  function exportedPaths(domain: string, digest: string): Promise<Set<string>> {
    const known = pathsByDigest.get(digest);
    if (known) return known;
    const paths = readPaths(domain, digest);
    paths.catch(() => pathsByDigest.delete(digest));
    pathsByDigest.set(digest, paths);
    if (pathsByDigest.size > mostManifests) pathsByDigest.delete(pathsByDigest.keys().next().value!);
    return paths;
  }

  return async ({ domain, source, settings, activeJob }, paths) => {
    if (source.type !== 'folder' || settings.builder !== 'docs' || activeJob === null) return;
    const active = await jobs.get(activeJob);
    if (!active?.result) return;
    const folder = await stat(source.path).catch(() => undefined);
    if (!folder?.isDirectory()) return;
    const exported = await exportedPaths(domain, active.result.manifest).catch((error: unknown) => {
      log.warn({ err: error, domain }, 'the paths of a job were not checked: the active export could not be read');
    });
    if (!exported) return;
    for (const path of paths) {
      if (!exported.has(path) && !(await isPageFile(source.path, path)))
        throw new ApiError(
          400,
          'PathUnknown',
          `"${domain}" has no page "${path}". Correct the path, or leave "paths" out to export all pages.`,
        );
    }
  };
}

const endings = ['.mdx', '.md'];

async function isPageFile(folder: string, path: string): Promise<boolean> {
  const candidates = endings.flatMap((ending) => [`${path}${ending}`, join(path, `index${ending}`)]);
  const found = await Promise.all(candidates.map((file) => stat(join(folder, file)).catch(() => undefined)));
  return found.some((file) => file?.isFile());
}
