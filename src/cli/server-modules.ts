import { ExportError } from '../../integration/errors.ts';
import { carrelVersion, isPublished } from '../version.ts';

// A published Carrel contains this code, and @carrel/server brings the packages that it imports: databases and clients of storage
// have more than everything that an export needs.

export const loadServer = () => loaded(() => import('../../server/server.ts'));

export const loadDoctor = () => loaded(() => import('../../server/health/doctor/examine-server.ts'));

export const loadDatabase = () =>
  loaded<DatabaseModules>(async () => ({
    ...(await import('../../server/database/open-database.ts')),
    ...(await import('../../server/database/migrate.ts')),
    ...(await import('../../server/database/backup.ts')),
    ...(await import('../../server/database/restore.ts')),
    ...(await import('../../server/database/sealed-texts.ts')),
    ...(await import('../../server/platform/secrets.ts')),
    ...(await import('../../server/jobs/queue/queue.ts')),
    ...(await import('../../server/platform/log.ts')),
  }));

type DatabaseModules = typeof import('../../server/database/open-database.ts') &
  typeof import('../../server/database/migrate.ts') &
  typeof import('../../server/database/backup.ts') &
  typeof import('../../server/database/sealed-texts.ts') &
  typeof import('../../server/platform/secrets.ts') &
  typeof import('../../server/database/restore.ts') &
  typeof import('../../server/jobs/queue/queue.ts') &
  typeof import('../../server/platform/log.ts');

async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new ExportError(
      'ServerNotInstalled',
      'This needs the package @carrel/server, which is not installed.',
      isPublished
        ? `Install it beside Carrel: npm install @carrel/server@${carrelVersion}`
        : `In a clone of Carrel, run npm pack --workspace server. Beside Carrel, install the file: npm install ./carrel-server-${carrelVersion}.tgz`,
      { cause },
    );
  }
}
