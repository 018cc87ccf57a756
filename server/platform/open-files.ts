import { readFileSync } from 'node:fs';

/** How many files and sockets this process may have open; infinite where the system does not say. */
export function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
    return Number(soft);
  } catch {
    return Infinity;
  }
}
