// Bundles and deltas that appear in a folder, such as from a stick: each is taken once, when it is whole.
import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode, errorMessage, ExportError } from '../../integration/errors.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { deltaHeader } from '../../integration/output/delta.ts';
import { openBundle, type Bundle } from '../../integration/output/open-bundle.ts';
import { guarded } from '../../integration/output/write-error.ts';
import { shownName } from '../../integration/text/escape.ts';
import { readRecord, writeRecord } from '../platform/json-file.ts';
import { withStoreLock } from './bundle-lock.ts';
import { checkSwapped, described, errorText, refuseOther, rulesOf, type KeepOptions } from './obtain-bundle.ts';
import { readStored, recordsOf, rollBackTo, storeBundle, type StoredBundle } from './stored-bundle.ts';

export interface WatchOptions extends KeepOptions {
  /** The folder in which bundles and deltas (`*.zip`) appear. */
  watch: string;
}

const takenSchema = z.strictObject({ format: z.literal(1), files: z.record(z.string(), z.string()) });

/** A file that has not changed since the last look, and was not taken yet. */
interface Found {
  name: string;
  /** Its size and time: another file of the same name has another one. */
  state: string;
  time: number;
}

export interface WatchedFolder {
  /** Bundles and deltas that were stored, and those that were refused. */
  counts: { taken: number; refused: number };
  /** Takes what is new. The bundle to serve; undefined while there is none. */
  take(): Promise<StoredBundle | undefined>;
}

export function watchFolder(options: WatchOptions): WatchedFolder {
  const { watch, keep, version, signal, say, warn } = options;
  const rules = rulesOf(options);
  const counts = { taken: 0, refused: 0 };
  const told = new Set<string>();
  const tellOnce = (tell: (line: string) => void, line: string) => {
    if (!told.has(line)) tell(line);
    told.add(line);
  };

  /** Stores the export of a file; undefined where it is stored already, or the base of a delta is missing still. */
  async function store(name: string, current: StoredBundle | undefined): Promise<StoredBundle | 'waits' | undefined> {
    const file = join(watch, name);
    const known = await recordsOf(keep);
    const header = await deltaHeader(file);
    const digest = header?.to.manifest ?? (await manifestOf(file));
    if (known.some(({ manifestHash }) => manifestHash === digest)) return undefined;
    if (header && header.from.manifest !== current?.manifestHash) {
      tellOnce(say, `"${name}" is a delta for version ${shownName(header.from.version)}: it waits until that is served.`);
      return 'waits';
    }
    const accept = (manifest: Manifest, signedAt?: Date) => {
      refuseOther(name, manifest.version, version);
      if (signedAt && current?.signedAt !== undefined && signedAt < new Date(current.signedAt))
        throw new ExportError(
          'BundleRefused',
          `"${name}" was signed on ${signedAt.toISOString()}, before what is served (${current.signedAt}).`,
          'Sign the older export again to go back to it.',
        );
      options.accept?.(manifest);
    };
    const next = await storeBundle(keep, file, {
      ...{ state: { address: name }, rules, signal, accept, now: options.now(), keepLast: options.keepLast ?? 2 },
      ...(header && { base: current }),
    });
    await checkSwapped(options, next, current);
    return next;
  }

  async function takeAll(left: Found[], taken: Record<string, string>): Promise<StoredBundle | undefined> {
    const onDamage = (damage: ExportError) => tellOnce(warn, errorText(damage));
    // Every file of it is read, since the disk may have been written to while no process ran.
    let current = await readStored(keep, { rules, version, onDamage });
    if (current) await rollBackTo(keep, current);
    // A delta that was stored may be what another one waits for.
    for (let isDone = false; !isDone;) {
      isDone = true;
      for (const found of left) {
        signal?.throwIfAborted();
        try {
          const next = await store(found.name, current);
          if (next === 'waits') continue;
          if (next) {
            [current, isDone] = [next, false];
            counts.taken++;
            say(`"${found.name}" is stored: ${described(next)}; every file matches its hash in the manifest.`);
          }
        } catch (error) {
          if (!(error instanceof ExportError)) throw error;
          // It is tried again when the disk has room.
          if (['DiskFull', 'OutputNotWritable'].includes(error.code)) {
            tellOnce(warn, errorText(error));
            continue;
          }
          counts.refused++;
          warn(`"${found.name}" was refused. ${errorText(error)}`);
        }
        taken[found.name] = found.state;
        left = left.filter((other) => other !== found);
      }
    }
    return current;
  }

  return { counts, take: createTake({ watch, keep, signal, takeAll, warn: (line) => tellOnce(warn, line) }) };
}

interface TakeParts extends Pick<WatchOptions, 'watch' | 'keep' | 'signal' | 'warn'> {
  /** Takes these files, and notes those that were taken or refused. */
  takeAll(left: Found[], taken: Record<string, string>): Promise<StoredBundle | undefined>;
}

/** A look at the folder, which is cheap while nothing appears: with others that store into the same folder, only one takes it at a time. */
function createTake({ watch, keep, signal, takeAll, warn }: TakeParts): WatchedFolder['take'] {
  const look = createLooks(watch);
  let current: StoredBundle | undefined;
  let waiting = '';
  return async () => {
    guarded(keep, () => mkdirSync(keep, { recursive: true }));
    const { names, settled } = look(warn);
    const notTaken = async () => {
      const taken = (await readRecord(join(keep, 'taken.json'), takenSchema))?.files ?? {};
      return { taken, left: settled.filter(({ name, state }) => taken[name] !== state) };
    };
    const waitingOf = (left: Found[]) => left.map(({ name, state }) => `${name}:${state}`).join('\n');
    const [stored] = await recordsOf(keep);
    const isSame = current !== undefined && stored?.folder === current.folder;
    if (isSame && waitingOf((await notTaken()).left) === waiting) return current;
    return withStoreLock(
      keep,
      async () => {
        const { taken, left } = await notTaken();
        current = await takeAll(left, taken);
        const there = Object.fromEntries(Object.entries(taken).filter(([name]) => names.has(name)));
        await writeRecord(join(keep, 'taken.json'), { format: 1, files: there });
        waiting = waitingOf(left.filter(({ name, state }) => taken[name] !== state));
        return current;
      },
      { signal },
    );
  };
}

/** A look at a folder: the names of its archives, and those that have the size and time of the look before, the oldest first: a copy that goes on changes both. */
function createLooks(folder: string) {
  let before = new Map<string, string>();
  return (tell: (line: string) => void): { names: ReadonlyMap<string, string>; settled: Found[] } => {
    const names = new Map<string, string>();
    const settled: Found[] = [];
    for (const name of listed(folder, tell)) {
      const entry = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (!entry?.isFile()) continue;
      const state = `${entry.size}:${entry.mtimeMs}`;
      names.set(name, state);
      if (before.get(name) === state) settled.push({ name, state, time: entry.mtimeMs });
    }
    before = names;
    return { names, settled: settled.sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1)) };
  };
}

function listed(folder: string, tell: (line: string) => void): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[^.].*\.zip$/i.test(name));
  } catch (error) {
    // A stick that is pulled out comes back.
    tell(`The folder "${folder}" cannot be read: ${errorCode(error) === 'ENOENT' ? 'it does not exist' : errorMessage(error)}.`);
    return [];
  }
}

async function manifestOf(file: string): Promise<string> {
  let bundle: Bundle | undefined;
  try {
    bundle = await openBundle(file);
    return hash('sha256', await bundle.read('carrel.json'));
  } finally {
    bundle?.close();
  }
}
