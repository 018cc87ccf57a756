// The embedded database takes no lock of its own: two processes in one folder lose each other's rows without a word.
import { createHash, randomUUID } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { createServer, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { lockBetweenMachines } from './lock-file.ts';

/**
 * Holds a folder for this process: returns what releases it. Throws an `ExportError` with code `DataInUse` when another one has it.
 * The lock ends with the process, however that ends. Its file names the `instance`.
 */
export async function lockFolder(folder: string, instance: string = randomUUID()): Promise<() => Promise<void>> {
  const real = realpathSync(folder);
  const address = addressOf(createHash('sha256').update(real).digest('hex').slice(0, 32));
  const server = (await listen(address)) ?? (await listenAgain(address));
  if (!server) throw dataInUse(folder);
  try {
    const release = await lockBetweenMachines(real, instance);
    if (!release) throw dataInUse(folder);
    return async () => {
      await release();
      await close(server);
    };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function dataInUse(folder: string): ExportError {
  return new ExportError(
    'DataInUse',
    `Another process has the embedded database in "${folder}" open.`,
    'Stop that server first, or give this one another data folder (CARREL_DATA). Several servers can share a PostgreSQL database (DATABASE_URL).',
  );
}

/** A name that the system itself releases when the process ends, where the system has such names. */
function addressOf(name: string): string {
  if (process.platform === 'linux') return `\0carrel-${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\carrel-${name}`;
  return join(tmpdir(), `carrel-${name}.sock`);
}

/** Undefined when the address is taken. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(address, () => resolve(server.unref()));
  });
}

/** A socket in the file system stays when its process is killed; then no one answers, and it is removed. */
async function listenAgain(address: string): Promise<Server | undefined> {
  if (process.platform === 'linux' || process.platform === 'win32') return undefined;
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(address, () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
  if (isAlive) return undefined;
  rmSync(address, { force: true });
  return listen(address);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
