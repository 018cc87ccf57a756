import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packBundle } from '../../support/pack-bundle.ts';
import { manifestFormat, type Manifest } from '../../../integration/manifest.ts';
import type { Job } from '../../../server/jobs/model/job.ts';
import { storeExport } from '../../../server/storage/store-export.ts';
import type { Services } from '../../../server/services.ts';
import { digestOf, temporaryFolder } from './storages.ts';
import { writeFiles } from '../../support/write-files.ts';

export interface MadeExport {
  folder: string;
  archive: string;
  manifest: Manifest;
}

/** An export folder with these files, and its archive. */
export async function makeExport(
  files: Record<string, string | Uint8Array>,
  version = 'v1',
  more: Partial<Manifest> = {},
): Promise<MadeExport> {
  const place = await temporaryFolder();
  const folder = join(place, 'export');
  writeFiles(folder, files);
  const manifest: Manifest = {
    format: manifestFormat,
    site: 'Docs',
    version,
    deployment: 'client-hosted',
    generator: 'carrel/test',
    entry: 'index.html',
    indexes: [],
    pages: [],
    redirects: [],
    files: Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, { sha256: digestOf(content), size: Buffer.byteLength(content) }]),
    ),
    ...more,
  };
  await writeFile(join(folder, 'carrel.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'carrel.config.js'), 'window.carrelConfig = {};\n');
  const archive = join(place, 'bundle.zip');
  await packBundle(folder, archive);
  return { folder, archive, manifest };
}

/** Registers a site, unless it is. */
export async function registerSite(services: Services, domain: string, organization = 'default'): Promise<void> {
  if (!(await services.organizations.get(organization)))
    await services.organizations.create({ id: organization, name: organization, plan: 'enterprise' });
  const settings = { builder: 'docs', deployment: 'client-hosted' } as const;
  await services.sites.put({ domain, organization, source: { type: 'folder', path: '/docs' }, settings });
}

/** A job of a registered site as a worker runs it, from queued to completed, without the exporter. */
export async function runJob(services: Services, domain: string, made: MadeExport, organization = 'default'): Promise<Job> {
  const job = await services.jobs.create({ organization, domain, request: {} });
  await completeJob(services, await startJob(services, job.id), made);
  return (await services.jobs.get(job.id))!;
}

export async function startJob(services: Services, id: string): Promise<Job> {
  return (await services.jobs.start(id))!;
}

export async function completeJob(services: Services, job: Job, made: MadeExport): Promise<boolean> {
  const { folder, archive, manifest } = made;
  const kept = await storeExport(services, { domain: job.domain, folder, archive });
  const result = {
    version: manifest.version,
    pages: 1,
    files: Object.keys(manifest.files).length,
    bytes: 1,
    warnings: {},
    commit: job.request.commit,
    ...kept,
  };
  return services.jobs.complete({ id: job.id, attempt: job.attempt }, result);
}
