import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's cache folder: `$XDG_CACHE_HOME/carrel`, or else the default of the operating system. */
export function defaultCacheFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, 'carrel');
  if (platform === 'win32' && environment.LOCALAPPDATA) return join(environment.LOCALAPPDATA, 'carrel', 'cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'carrel');
  return join(homedir(), '.cache', 'carrel');
}
