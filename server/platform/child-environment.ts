import { join } from 'node:path';

/** The environment of a job's programs, which inherits nothing from the server. `folder` is the run's own. */
export function runEnvironment(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'temporary'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}
