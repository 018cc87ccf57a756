// Writes a small export for the assistant quickly: the real index and the Markdown of each page, one HTML page for all, and no archive.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { instructionsFile, manifestFormat, playgroundFile, type Manifest } from '../../integration/manifest.ts';
import { createIndexBuilder } from '../../integration/search/builder.ts';
import type { EmbeddingModel } from '../../integration/remote/embeddings.ts';
import { writeVectors } from '../../integration/export/vectors.ts';
import type { Section } from '../../integration/search/index-options.ts';
import { createEmbed } from '../../server/platform/embed.ts';
import { storeExport } from '../../server/storage/store-export.ts';
import type { Services } from '../../server/services.ts';

/** A page: a title, and Markdown with headings of the second level and fenced code. */
export interface PlainPage {
  path: string;
  title: string;
  markdown: string;
  /** @default that of the export */
  language?: string;
  docsVersion?: string;
  tag?: string;
}

export interface IndexedExportOptions {
  site?: string;
  version?: string;
  language?: string;
  /** The format in the manifest; older manifests have none. */
  defaults?: Pick<Manifest, 'defaultLanguage' | 'defaultDocsVersion'>;
  /** Content of the list of servers. */
  playground?: string;
  /** Makes vectors of the sections. */
  embeddings?: EmbeddingModel;
  /** The author's instructions to a model. */
  instructions?: string;
}

/** Writes an export folder. */
export async function writeIndexedExport(
  place: string,
  pages: PlainPage[],
  { site = 'Docs', version = '1', language = 'en', defaults = {}, ...more }: IndexedExportOptions = {},
): Promise<{ folder: string; manifest: Manifest }> {
  const { playground, embeddings, instructions } = more;
  const folder = join(place, 'export');
  const files: Manifest['files'] = {};
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    files[path] = { sha256: createHash('sha256').update(content).digest('hex'), size: Buffer.byteLength(content) };
  };
  const kindOf = (page: PlainPage) => ({
    language: page.language ?? language,
    ...(page.docsVersion === undefined ? {} : { docsVersion: page.docsVersion }),
  });
  const indexes: (Manifest['indexes'][number] & { builder: ReturnType<typeof createIndexBuilder> })[] = [];
  for (const page of pages) {
    const { path, title, markdown } = page;
    const kind = kindOf(page);
    const name = [kind.language, kind.docsVersion].filter((part) => part !== undefined).join('-');
    let index = indexes.find(({ folder: known }) => known === `_carrel/search/${version}/${name}`);
    if (!index) indexes.push((index = { ...kind, folder: `_carrel/search/${version}/${name}`, builder: createIndexBuilder() }));
    index.builder.addPage({ page: path, title, tag: page.tag, sections: sectionsOf(path, title, markdown, kind.language) });
    await write(`${path === '' ? 'index' : path}.md`, `# ${title}\n\n${markdown}`);
  }
  if (instructions !== undefined) await write(instructionsFile, instructions);
  if (playground !== undefined) await write(playgroundFile, playground);
  await write('index.html', '<!doctype html><title>Page</title>');
  for (const { builder, folder: place } of indexes)
    for (const [name, content] of builder.finish()) await write(`${place}/${name}`, content);
  const unwritten: Promise<void>[] = [];
  const { vectors } = embeddings
    ? await writeVectors(
        indexes.map((index) => ({ ...index, pages: [] })),
        {
          folder: { staging: folder, write: (path, content) => void unwritten.push(write(path, content)) },
          embeddings: { model: embeddings, embed: createEmbed(embeddings) },
        },
      )
    : {};
  await Promise.all(unwritten);
  const manifest: Manifest = {
    ...{ format: manifestFormat, site, version, deployment: 'client-hosted', generator: 'carrel/test', entry: 'index.html' },
    ...defaults,
    ...(vectors && { vectors }),
    indexes: indexes.map(({ builder: _, ...index }) => index),
    // The files of the pages, which no test opens.
    pages: pages.map((page) => ({
      path: page.path,
      file: page.path === '' ? 'index.html' : `${page.path}/index.html`,
      title: page.title,
      ...kindOf(page),
    })),
    redirects: [],
    files,
  };
  await writeFile(join(folder, 'carrel.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'carrel.config.js'), '');
  return { folder, manifest };
}

/** Activates an export of a site, as the worker does at the end of a job. */
export async function activate(
  services: Services,
  { organization = 'default', domain, groups }: { organization?: string; domain: string; groups?: string[] },
  made: Awaited<ReturnType<typeof writeIndexedExport>>,
): Promise<void> {
  const whole = groups && ((await services.sites.load(domain))?.activeJob ?? undefined);
  const { id } = await services.jobs.create({ organization, domain, request: groups ? { groups, whole } : {} });
  const job = (await services.jobs.start(id))!;
  // No test opens the archive.
  const archive = join(made.folder, 'carrel.json');
  const kept = await storeExport(services, { domain, folder: made.folder, archive });
  const { version, pages, files } = made.manifest;
  const counts = { pages: pages.length, files: Object.keys(files).length, bytes: 1, warnings: {} };
  await services.jobs.complete({ id, attempt: job.attempt }, { version, ...counts, ...kept });
}

function sectionsOf(page: string, title: string, markdown: string, language: string): Section[] {
  return markdown.split(/^(?=## )/m).map((part): Section => {
    const [, heading] = /^## (.*)\n/.exec(part) ?? [];
    const code = [...part.matchAll(/^```.*\n([^]*?)^```/gm)].map(([, content]) => content!.trim()).join('\n');
    const text = part
      .replace(/^## .*\n/, '')
      .replace(/^```[^]*?^```/gm, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim();
    const id = heading === undefined ? page : `${page}#${slug(heading)}`;
    return { id, page, title, headings: heading === undefined ? [] : [heading], text, code, language };
  });
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
