// node --liftoff-only embedded-process.ts FOLDER: an empty embedded database as its first opening makes it, as the folder `database`; and one
// with all tables, as `migrated.tar`.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { addTables } from './add-tables.ts';

const folder = process.argv[2]!;
const dataDir = join(folder, 'database');
// As the server makes it.
await mkdir(dataDir, { mode: 0o700 });
await (await PGlite.create({ dataDir })).close();

const dataFolder = join(folder, 'migrated');
await cp(dataDir, join(dataFolder, 'database'), { recursive: true });
await addTables(await openDatabase({ dataFolder, log: createLog('silent') }));
const migrated = await PGlite.create({ dataDir: join(dataFolder, 'database') });
await writeFile(join(folder, 'migrated.tar'), (await migrated.dumpDataDir('none')).stream());
await migrated.close();
await rm(dataFolder, { recursive: true });
