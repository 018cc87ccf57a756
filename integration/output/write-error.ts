import { ExportError } from '../errors.ts';

/** Runs work on the disk; its errors become ones that say what to do about `out`. */
export function guarded<T>(out: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(out, error);
  }
}

/** The error of a file system as one that says what to do. */
export function writeError(out: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (diskFull.has(code)) {
    return new ExportError(
      'DiskFull',
      `There is no room left on the disk of "${out}". What was there before is unchanged.`,
      'Free some space or choose an output on another disk.',
      { cause: error },
    );
  }
  if (notWritable.has(code)) {
    return new ExportError(
      'OutputNotWritable',
      `"${out}" cannot be written: ${message}.`,
      'Choose a folder that this user may write to, in a folder that it may write to as well.',
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
