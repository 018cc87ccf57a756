import { ExportError } from '../errors.ts';

/** Runs `work` and turns file-system errors into errors about `out` with a hint. */
export function guarded<T>(out: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(out, error);
  }
}

/** A file-system error as an `ExportError` with a hint. */
export function writeError(out: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (diskFull.has(code)) {
    return new ExportError(
      'DiskFull',
      `There is no room left on the disk of "${out}". What was there before is unchanged.`,
      'Free some space or choose a folder on another disk.',
      { cause: error },
    );
  }
  if (notWritable.has(code)) {
    return new ExportError(
      'OutputNotWritable',
      `"${out}" cannot be written: ${message}.`,
      'Choose a folder that you can write to. Its parent folder must be writable too.',
      { cause: error },
    );
  }
  return error;
}

const diskFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const notWritable = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EBUSY', 'EXDEV'],
  ...['ENOENT', 'EISDIR', 'ENAMETOOLONG', 'ELOOP', 'ENOTEMPTY', 'EINVAL', 'EIO', 'EMLINK'],
]);
