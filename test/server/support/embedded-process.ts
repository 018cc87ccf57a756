// node --liftoff-only embedded-process.ts FOLDER: an empty embedded database as its first opening makes it, as the folder `database`
// and as `database.tar`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const folder = process.argv[2]!;
const dataDir = join(folder, 'database');
// As the server makes it.
await mkdir(dataDir, { mode: 0o700 });
const pglite = await PGlite.create({ dataDir });
const dump = await pglite.dumpDataDir('none');
await pglite.close();
await writeFile(join(folder, 'database.tar'), dump.stream());
