// What a site offers of itself as one file: books of its pages, and an archive of the site. They are files of the export.
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createProblem, type Problem } from '../diagnostics.ts';
import { ExportError } from '../errors.ts';
import { cachedJson, cacheFormat } from '../output/export-cache.ts';
import type { Incremental } from '../output/incremental.ts';
import { writeArchive } from '../output/write-archive.ts';
import { writeDownloadList, type OfferedDownload } from './site-files.ts';
import type { BookWriter, ExportOptions, FinishedExport } from './export-input.ts';

/** `seal` writes what an archive has besides: the manifest. */
export async function writeDownloads(
  { folder, take }: Incremental,
  exported: FinishedExport,
  { downloads, generator, label, cache, environment, signal, onProgress }: ExportOptions,
  seal: () => Promise<unknown>,
): Promise<Problem[]> {
  const files = [...folder.files].map(([path, { sha256 }]) => `${path}\n${sha256}`).sort();
  const { zip, from, ...books } = downloads!;
  const contents = hash(
    'sha256',
    [JSON.stringify([generator, label, from, environment?.SOURCE_DATE_EPOCH]), ...files].join('\n'),
  );
  const problems: Problem[] = [];
  const offered: OfferedDownload[] = [];
  // The archive is a whole site: it has a manifest of its own, without the downloads.
  const archive: BookWriter['write'] = async (_, file) => {
    const own = new Set(folder.files.keys());
    writeDownloadList(folder, []);
    await seal();
    const all = [...folder.files.keys()];
    const written = await writeArchive(folder.staging, all, file, { environment, signal });
    for (const path of all) if (!own.has(path)) folder.drop(path);
    return { written, problems: [] };
  };
  for (const [format, write] of Object.entries({ ...(zip && { zip: archive }), ...books })) {
    const path = `_carrel/downloads/docs.${format}`;
    const key = `download-${cacheFormat}/${hash('sha256', `${format} ${contents}`)}`;
    // What an earlier export made from the same files.
    let made = cachedJson<{ sha256: string; problems: Problem[] }>(cache?.get(key));
    if (!made || !take(path, made.sha256)) {
      const file = join(folder.staging, `.carrel-download.${format}`);
      const book = await write(exported, file, onProgress).catch(withoutBrowser);
      if ('kind' in book) {
        problems.push(book);
        continue;
      }
      book.written.commit();
      made = { sha256: folder.copy(path, file).sha256, problems: book.problems };
      rmSync(file);
      cache?.set(key, JSON.stringify(made));
    }
    problems.push(...made.problems);
    offered.push({ format, file: path.slice('_carrel/'.length), size: folder.files.get(path)!.size });
  }
  writeDownloadList(folder, offered);
  return problems;
}

/** A browser that cannot print a download is a problem of the export, and no end of it. */
function withoutBrowser(error: unknown): Problem {
  if (!(error instanceof ExportError && error.code.startsWith('Browser'))) throw error;
  return createProblem({
    kind: 'download-not-made',
    message: `Readers cannot download a PDF: ${error.message}`,
    hint: error.hint,
  });
}
