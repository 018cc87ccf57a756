import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { clashes } from '../../integration/output/check-entries.ts';
import { manifestSchema, type Deployment, type Manifest } from '../../integration/manifest.ts';
import { ExportError } from '../../integration/errors.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import { shownName } from '../../integration/text/shown.ts';
import { openBundleFiles } from './bundle.ts';
import { openFolder } from './folder.ts';

/** A site that is ready to be read: an export folder, or the archive of one. */
export interface OpenedSite {
  name: string;
  deployment: Deployment;
  /** Of a site with a theme of its own: the hosts that its pages may ask. */
  guest?: Manifest['guest'];
  /** The file at a path as `sitePath` gives it, or undefined where there is none. Throws nothing for strange paths. */
  file(path: string): Promise<SiteFile | undefined>;
  /** Of an archive: reads every file, and gives what is wrong. */
  verify?(): Promise<Problem[]>;
}

export interface SiteFile {
  path: string;
  size: number;
  /** Changes whenever the bytes do; without quotes. */
  tag: string;
  /** The bytes from `start` to `end`, both included; a large file comes as a stream. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>;
}

/** Where the files of a site are. */
export type SiteFiles = Pick<OpenedSite, 'file'>;

/**
 * Opens an export folder or a bundle for reading.
 * Throws `ExportError`: `SiteNotFound`, `NotASite` (a folder that is no export), `ManifestInvalid`, `BundleUnsafe`, and what `openBundle` throws for an archive.
 */
export async function openSite(source: string): Promise<OpenedSite> {
  const root = await realpath(source).catch(() => undefined);
  if (root === undefined) throw new ExportError('SiteNotFound', `There is no folder or archive "${source}".`, 'Check the path.');
  if (!(await stat(root)).isDirectory()) {
    const { manifest, file, verify } = await openBundleFiles(source);
    return { name: manifest.site, deployment: manifest.deployment, guest: manifest.guest, file, verify };
  }
  const files = openFolder(root);
  const manifest = await readManifest(files, source);
  if (!manifest && !(await files.file('index.html'))) throw await notASite(source, files);
  const [clash] = clashes(Object.keys(manifest?.files ?? {}));
  if (clash) throw new ExportError('BundleUnsafe', `"${source}" is not opened. ${clash}`, 'Export the site again.');
  const { site = path.basename(root), deployment = 'client-hosted', guest } = manifest ?? {};
  return { name: site, deployment, guest, file: files.file };
}

async function readManifest(files: SiteFiles, source: string): Promise<Manifest | undefined> {
  const file = await files.file('carrel.json');
  if (!file) return undefined;
  const text = await new Response(await file.read(0, file.size - 1)).text();
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ExportError(
    'ManifestInvalid',
    `carrel.json in "${source}" is not a manifest this version reads: ${shownName(issue?.path.join('.') || 'the whole')}: ${issue?.message}.`,
    'Export the site again, or serve it with the version of Carrel that made it.',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function notASite(source: string, files: SiteFiles): Promise<ExportError> {
  const isDocsFolder = (await files.file('docs.json')) ?? (await files.file('mint.json'));
  return new ExportError(
    'NotASite',
    `"${source}" is not an export: it has neither carrel.json nor index.html.`,
    isDocsFolder
      ? `It is a docs folder. Export it first: carrel export "${source}" --out site && carrel serve site`
      : 'Name the folder or the archive that "carrel export" wrote.',
  );
}
