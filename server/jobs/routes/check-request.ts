// Checks whether the requested pages and language of a job exist, as far as this can be known before it runs.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { ApiError } from '../../platform/errors.ts';
import { readManifest } from '../../storage/read-manifest.ts';
import type { Logger } from '../../platform/log.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Jobs } from '../model/jobs.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import type { JobRequest } from '../model/job.ts';
import { jsonValue, listOf, objectOf } from '../../../integration/text/json.ts';

/** Throws `ApiError` 400 `PathUnknown`, `LanguageUnknown`. */
export type CheckRequest = (site: RegisteredSite, request: JobRequest) => Promise<void>;

// Number of exports whose paths stay in memory. Their key is a digest of the content, so they are never out of date.
const mostManifests = 16;

/**
 * The pages of a docs folder on this machine are known from the folder itself, which may contain newer pages than the site's active export,
 * and from that export, which also contains the pages generated from API specifications. What cannot be looked up here (a folder on another
 * machine, a git source, an Astro project, specifications that were never exported) is left to the job, which fails before it renders a page.
 */
export function createRequestCheck({ jobs, storage, log }: { jobs: Jobs; storage: Storage; log: Logger }): CheckRequest {
  const pathsByDigest = new LRUCache<string, Promise<Set<string>>>({ max: mostManifests });

  async function readPaths(domain: string, digest: string): Promise<Set<string>> {
    const manifest = await readManifest(storage, domain, digest);
    if (!manifest) throw new Error(`There is no manifest ${digest} of "${domain}".`);
    return new Set(manifest.pages.map(({ path }) => path));
  }

  function pathsOf(domain: string, digest: string): Promise<Set<string>> {
    const known = pathsByDigest.get(digest);
    if (known) return known;
    const paths = readPaths(domain, digest);
    paths.catch(() => pathsByDigest.delete(digest));
    pathsByDigest.set(digest, paths);
    return paths;
  }

  async function exportedPaths({ domain, activeJob }: RegisteredSite): Promise<Set<string> | undefined> {
    const active = activeJob === null ? undefined : await jobs.get(activeJob);
    if (!active?.result) return undefined;
    return await pathsOf(domain, active.result.manifest).catch((error: unknown) => {
      log.warn({ err: error, domain }, 'the active export could not be read to check the paths of a job');
      return undefined;
    });
  }

  return async (site, { paths = [], language }) => {
    const { domain, source, settings } = site;
    if (source.type !== 'folder' || settings.builder !== 'docs') return;
    const folder = await stat(source.path).catch(() => undefined);
    if (!folder?.isDirectory()) return;
    const config = await readConfig(source.path);
    const languages = languagesIn(config);
    if (language !== undefined && languages.size > 0 && !languages.has(languageTag(language)))
      throw new ApiError(
        'LanguageUnknown',
        `"${domain}" has no language "${language}"; it has ${[...languages].map((one) => `"${one}"`).join(', ')}. Correct "language", or omit it to export all languages.`,
      );
    if (paths.length === 0) return;
    const exported = await exportedPaths(site);
    if (!exported && mayMakePages(config)) return;
    for (const path of paths) {
      if (!exported?.has(path) && !(await isPageFile(source.path, path, config === undefined)))
        throw new ApiError(
          'PathUnknown',
          `"${domain}" has no page "${path}". Correct the path, or omit "paths" to export all pages.`,
        );
    }
  };
}

/** Text of the docs configuration; undefined if there is none. */
async function readConfig(folder: string): Promise<string | undefined> {
  for (const name of ['docs.json', 'mint.json']) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Whether a configuration may generate pages without a file: from API specifications, or from other files that it refers to. */
function mayMakePages(config = ''): boolean {
  return /"(?:openapi|asyncapi|graphql|\$ref)"/.test(config);
}

/** The languages in a `docs.json`, as tags; empty if they are not certain, and then any language may be requested. */
function languagesIn(config = '{}'): Set<string> {
  if (config.includes('"$ref"')) return new Set();
  // The job reports the errors of the configuration.
  const { languages } = objectOf(objectOf(jsonValue(config)).navigation);
  const named = listOf(languages).map((entry) => objectOf(entry).language);
  return new Set(named.flatMap((language) => (typeof language === 'string' ? [languageTag(language)] : [])));
}

/** Whether the page has a Markdown file: its own, or the index of a folder, which may be a README if there is no configuration. */
async function isPageFile(folder: string, path: string, readmeIsIndex: boolean): Promise<boolean> {
  const inFolder = await pagesIn(join(folder, path));
  if (inFolder.some((name) => name === 'index' || (readmeIsIndex && /^readme$/i.test(name)))) return true;
  return path !== '' && (await pagesIn(join(folder, dirname(path)))).includes(basename(path));
}

/** Names of the Markdown files in a folder, without extensions. */
async function pagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.mdx?$/i.test(name)).map((name) => name.replace(/\.mdx?$/i, '').normalize('NFC'));
}
