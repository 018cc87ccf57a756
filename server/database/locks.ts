// The embedded database takes no lock of its own: two processes in one folder lose each other's rows without an error. Containers that share a
// volume do not see each other's sockets, so the holder also keeps rewriting a file. The holder is alive when the file changes while it is
// watched: no clocks are compared, as lock libraries do with the time of the file.
import { createHash, randomUUID } from 'node:crypto';
import { realpathSync, rmSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, connect, type Server } from 'node:net';
import { tmpdir, hostname } from 'node:os';
import { join } from 'node:path';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode, ExportError } from '../../integration/errors.ts';
import { writeError } from '../../integration/output/write-error.ts';
import { jsonValue } from '../../integration/text/json.ts';

/**
 * Locks a folder for this process; returns a function that releases it. Throws an `ExportError` with code `DataInUse` when another process
 * has the lock. The lock ends with the process, even if that is killed. Its file names the `instance`.
 */
export async function lockFolder(folder: string, instance: string = randomUUID()): Promise<() => Promise<void>> {
  const real = realpathSync(folder);
  const address = addressOf(createHash('sha256').update(real).digest('hex').slice(0, 32));
  const server = (await listen(address)) ?? (await listenAgain(address));
  if (!server) throw dataInUseError(folder);
  try {
    const release = await lockBetweenMachines(real, instance);
    if (!release) throw dataInUseError(folder);
    return async () => {
      await release();
      await close(server);
    };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function dataInUseError(folder: string): ExportError {
  return new ExportError(
    'DataInUse',
    `Another process uses the embedded database in "${folder}".`,
    'Stop that server first, or use another data folder (CARREL_DATA). Several servers can share a PostgreSQL database (DATABASE_URL).',
  );
}

/** A name that the system itself releases when the process ends, on systems that have such names. */
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

/** A socket in the file system remains when its process is killed; it is removed when no process answers. */
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

/** Milliseconds. A holder that was suspended for longer than a watch has lost its folder. */
const beat = 1_000;
const watch = 5 * beat;
const fileName = 'carrel.lock';

const holderSchema = z.object({ machine: z.string().optional(), id: z.string().optional() });

/**
 * Returns a function that releases the folder; undefined when a process on another machine or in another container has the lock.
 * Throws `ExportError`: `DiskFull`, `OutputNotWritable`.
 */
export async function lockBetweenMachines(
  folder: string,
  instance: string,
  here = machine(),
): Promise<(() => Promise<void>) | undefined> {
  const file = join(folder, fileName);
  const found = await read(file);
  // On this machine the socket decides, and it was free: the file belongs to a killed process.
  const isElsewhere = found !== undefined && holderSchema.safeParse(jsonValue(found)).data?.machine !== here;
  if (isElsewhere) {
    for (let waited = 0; waited < watch; waited += beat) {
      await pause(beat);
      const now = await read(file);
      if (now !== undefined && now !== found) return undefined;
    }
  }
  let count = 0;
  let text = '';
  const nextText = () => (text = JSON.stringify({ machine: here, id: instance, count: (count += 1) }));
  // Renamed into place: of two machines that write at the same time, one stands in the file, never a mixture of both.
  const draft = join(folder, `${fileName}.${randomUUID()}`);
  const write = async () => {
    await writeFile(draft, nextText(), { mode: 0o600 });
    await rename(draft, file);
  };
  try {
    if (found === undefined) await writeFile(file, nextText(), { mode: 0o600, flag: 'wx' });
    else await write();
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return await lockBetweenMachines(folder, instance, here);
    throw writeError(file, error);
  }
  // Two machines may have watched the same file: the one that wrote last has the lock.
  if (isElsewhere) {
    await pause(beat);
    if ((await read(file)) !== text) return undefined;
  }
  await removeDrafts(folder);
  // A full disk makes a beat fail; the next one may succeed.
  let last = Promise.resolve();
  const timer = setInterval(() => void (last = write().catch(() => {})), beat).unref();
  return async () => {
    clearInterval(timer);
    await last;
    await Promise.all([rm(file, { force: true }), rm(draft, { force: true })]);
  };
}

/** Removes what killed holders had begun to write. The holder is alone, so no draft is in use. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(`${fileName}.`));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

/** The instance that has the lock of a folder, or had it when it was killed. */
export async function lockingInstance(folder: string): Promise<string | undefined> {
  // The holder may be writing the file at this moment.
  for (let tries = 0; tries < 5; tries++) {
    const text = await read(join(folder, fileName));
    if (text === undefined) return undefined;
    const holder = holderSchema.safeParse(jsonValue(text)).data;
    if (holder) return holder.id;
    await pause(beat / 20);
  }
  return undefined;
}

/** The same text for all processes that see each other's sockets. */
function machine(): string {
  const parts = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/net')),
  ];
  return parts.join(' ');
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
