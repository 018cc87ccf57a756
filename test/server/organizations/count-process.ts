// One of several processes that ask as often as they can: 260 times, 20 at once; 500 may get through in all.
import { once } from 'node:events';
import { createLimits } from '../../../server/organizations/limits.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';

const database = await openDatabase({ dataFolder: '', log: createLog('silent'), databaseUrl: process.argv[2]! });
const limits = createLimits(database, 'secret', () => Date.parse('2030-01-01T10:30:00Z'));
await database.query('select 1');
console.log('ready');
await once(process.stdin, 'data');
let passed = 0;
for (let round = 0; round < 13; round++) {
  const each = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      limits.count([
        { name: 'organization', subject: 'team', most: 500, seconds: 3600 },
        { name: 'address', subject: `${process.pid}`, most: 10_000, seconds: 86_400 },
      ]),
    ),
  );
  passed += each.filter(({ status }) => status === 'fulfilled').length;
}
console.log(passed);
await database.close();
