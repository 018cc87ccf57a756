import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import type { Services } from '../services.ts';
import { writeBackup } from '../database/backup.ts';
import { makeRunFolder, removeRunFolder } from '../jobs/worker/run-folder.ts';
import { newRequestId } from '../platform/errors.ts';
import { adminRoutesOf } from '../organizations/admin-route.ts';

const route = adminRoutesOf<Services>('Server');

/** The backup of a running server, for operators, since it contains all organizations. */
export const getBackup = route('get /v1/backup', {
  summary: 'Download a backup of the database',
  description: 'Plain SQL, for `carrel restore`.',
  scope: 'operator',
  audit: 'backup.read',
  answers: { 200: { description: 'The backup.', content: { 'text/plain': { schema: z.string() } } } },
  async handle({ parts, context }) {
    const { file, size } = await backupFile(parts);
    return context.body(Readable.toWeb(file) as ReadableStream, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(size),
      'content-disposition': 'attachment; filename="carrel-backup.sql"',
      'cache-control': 'no-store',
    });
  },
});

/** A backup in an unlinked file: a slow reader would otherwise block the embedded database. */
async function backupFile({ database, options }: Services) {
  // If the server is killed meanwhile, the folder is removed at its next start.
  const folder = await makeRunFolder(join(options.data, 'work'), { id: newRequestId(), attempt: 1 });
  const path = join(folder, 'backup.sql');
  try {
    await writeBackup(database, path);
    const handle = await open(path);
    return { file: handle.createReadStream(), size: (await handle.stat()).size };
  } finally {
    await removeRunFolder(folder);
  }
}
