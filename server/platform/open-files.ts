import { readFileSync } from 'node:fs';
import { errorCode } from '../../integration/errors.ts';

/** How many files and sockets this process may have open; infinite where the system does not say, and 0 where there are too many to read it. */
export function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
    return Number(soft);
  } catch (error) {
    return /^E[MN]FILE$/.test(errorCode(error) ?? '') ? 0 : Infinity;
  }
}
