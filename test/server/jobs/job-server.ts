// The whole API with an organization's site over a real docs folder; every answer is held against both descriptions.
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../../../server/platform/options.ts';
import { manifestKey } from '../../../server/storage/storage-keys.ts';
import { checkResponse, type ApiDocument } from '../support/contract.ts';
import { openTestServer, type TestServer } from '../support/services.ts';
import { writeFiles } from '../../support/write-files.ts';
import { atFileEnd } from '../../support/at-file-end.ts';

export const jobsPath = '/v1/static-export/jobs';

export interface JobServer extends TestServer {
  folder: string;
  /** Starts a job and gives its id. */
  start(body?: object): Promise<string>;
  /** Keeps a manifest that lists pages; gives its digest. */
  keepManifest(domain: string, digest: string, paths: string[]): Promise<string>;
}

export async function openJobServer(overrides?: Partial<ServerOptions>): Promise<JobServer> {
  const server = await openTestServer(overrides);
  const folder = mkdtempSync(join(tmpdir(), 'carrel-jobs-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const page of ['index.mdx', 'guides/install.mdx', 'guides/new.md', 'reference/index.md', 'images/logo.svg'])
    writeFiles(folder, { [page]: '# Page\n' });
  const settings = { builder: 'docs', deployment: 'client-hosted' } as const;
  await server.services.sites.put({
    domain: 'docs.acme.com',
    organization: 'default',
    source: { type: 'folder', path: folder },
    settings,
  });
  await server.services.sites.put({
    domain: 'git.acme.com',
    organization: 'default',
    source: { type: 'git', url: 'https://git.example.com/docs.git' },
    settings,
  });
  await server.keyOf('other');
  await server.services.sites.put({
    domain: 'docs.other.com',
    organization: 'other',
    source: { type: 'folder', path: folder },
    settings,
  });

  const document = (await (await server.api.request('/openapi.json')).json()) as ApiDocument;
  const request: TestServer['request'] = async (method, path, ...rest) => {
    const response = await server.request(method, path, ...rest);
    await checkResponse(document, method, path, response);
    return response;
  };
  return {
    ...server,
    request,
    folder,
    async start(body = { domain: 'docs.acme.com' }) {
      const response = await request('POST', jobsPath, body);
      const { jobId } = (await response.json()) as { jobId: string };
      return jobId;
    },
    async keepManifest(domain, digest, paths) {
      const file = join(folder, `${digest}.json`);
      const pages = paths.map((path) => ({ path, file: `${path}.html`, title: path, language: 'en' }));
      const manifest = {
        format: 1,
        site: 'Acme',
        version: 'v1',
        deployment: 'client-hosted',
        generator: 'carrel/0',
        entry: 'index.html',
      };
      await writeFile(file, JSON.stringify({ ...manifest, indexes: [], pages, redirects: [], files: {} }));
      await server.services.storage.put(manifestKey(domain, digest), file);
      return digest;
    },
  };
}
