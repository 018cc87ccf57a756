import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../integration/errors.ts';
import { writeError } from '../../integration/output/write-error.ts';
import { stateFile } from './target-state.ts';
import { notAnExport, type Target } from './target.ts';

const stagingFolder = '.carrel-publish';

/**
 * A folder, such as the document root of a web server or a mounted share. Each file is written beside the others and renamed, and the folder
 * itself stays. Throws `ExportError` `TargetNotExport`, `OutputNotWritable`, `DiskFull`.
 */
export async function openFolderTarget(root: string): Promise<Target> {
  const all = await readdir(root).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw writeError(root, error);
  });
  const names = all.filter((name) => name !== stagingFolder);
  if (names.length > 0 && !names.includes('carrel.json') && !names.includes(stateFile))
    throw notAnExport(`"${root}"`, names, 'Choose an empty folder, or one to which an export was published.');
  const staging = join(root, stagingFolder);
  let count = 0;
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw writeError(root, error);
    });

  return {
    shown: root,
    lanes: 4,
    read: (path) => guarded(readFile(join(root, path)).catch(undefinedIfMissing)),
    find: (path) => guarded(digestOf(join(root, path)).then((sha256) => ({ sha256 }), undefinedIfMissing)),
    put: (file, signal) =>
      guarded(
        (async () => {
          const target = join(root, file.path);
          const beside = join(staging, String(count++));
          await mkdir(staging, { recursive: true });
          await pipeline(file.stream(), createWriteStream(beside), { signal });
          await mkdir(dirname(target), { recursive: true });
          await rename(beside, target);
        })(),
      ),
    async remove(path) {
      await guarded(rm(join(root, path), { force: true }));
      // Folders that became empty.
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
        if (
          !(await rmdir(join(root, folder)).then(
            () => true,
            () => false,
          ))
        )
          return;
      }
    },
    close: () => rm(staging, { recursive: true, force: true }),
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
  throw error;
}

async function digestOf(file: string): Promise<string> {
  if (!(await stat(file)).isFile()) throw Object.assign(new Error('not a file'), { code: 'ENOENT' });
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}
