// Opens the embedded database of a data folder, says "open" or the code of the refusal, and keeps it until its input ends.
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';

try {
  const database = await openDatabase({ dataFolder: process.argv[2]!, log: createLog('silent') });
  console.log('open');
  process.stdin.resume();
  process.stdin.once('end', async () => {
    await database.close();
    process.exit();
  });
} catch (error) {
  console.log((error as { code?: string }).code);
}
