// Run with a folder on a disk of a few MB: keeps an export that is too large for it, then one that is not, and tells what came of it.
import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskStorage } from '../../../server/storage/disk-storage.ts';
import { storeExport, type StoreParts } from '../../../server/storage/store-export.ts';
import { fileKey, manifestKey } from '../../../server/storage/storage-keys.ts';
import { makeExport } from './exports.ts';
import { digestOf } from './storages.ts';

const folder = process.argv[2]!;
const storage = createDiskStorage({ folder, publicUrl: '', secrets: [''], now: Date.now });
// On disk neither the jobs nor the sites are asked.
const services = { storage } as StoreParts;
const described = (error: Error & { status?: number }) => ({ name: error.name, status: error.status, message: error.message });

const film = randomBytes(5 * 1024 * 1024);
const large = await makeExport({ 'a.txt': 'small', 'film.mp4': film });
const first = await storeExport(services, { domain: 'docs.test', ...large }).catch(described);
const half = await storage.get(fileKey('docs.test', digestOf(film)));
const manifest = await storage.get(manifestKey('docs.test', digestOf(JSON.stringify(large.manifest))));
const leftovers = await readdir(join(folder, '.new'));

const filler = join(folder, 'filler');
await writeFile(filler, Buffer.alloc(8 * 1024 * 1024)).catch(() => {});
const check = await storage.check().then(() => 'well', described);
await rm(filler);
await storage.check();
const small = await makeExport({ 'index.html': 'home' });
const second = await storeExport(services, { domain: 'docs.test', ...small }).then(() => 'kept', described);
console.log(JSON.stringify({ first, half: half ?? null, manifest: manifest ?? null, leftovers, check, second }));
