import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const keptFor = 30 * 24 * 60 * 60 * 1000;

/** Removes mirrors that nothing was fetched into for a month: of sites that are gone or have moved. `now` in milliseconds since 1970. */
export async function removeOldMirrors(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const mirror = join(folder, name);
    const { mtimeMs } = await stat(join(mirror, 'FETCH_HEAD')).catch(() => stat(mirror));
    if (now - mtimeMs > keptFor) await rm(mirror, { recursive: true, force: true });
  }
}
