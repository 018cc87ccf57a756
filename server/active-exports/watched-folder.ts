// Bundles and deltas that appear in a folder, such as from a stick: each is taken once, when it is whole.
import { hash } from 'node:crypto';
import { type Stats, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode, errorMessage, ExportError } from '../../integration/errors.ts';
import { signatureFile, type Manifest } from '../../integration/manifest.ts';
import { deltaHeader } from '../../integration/output/delta.ts';
import { openBundle, type Bundle } from '../../integration/output/open-bundle.ts';
import { readSignature } from '../../integration/output/signature.ts';
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

const takenSchema = z.strictObject({
  format: z.literal(1),
  /** The state of each file that was taken, and the digest of the manifest of its export. */
  files: z.record(z.string(), z.strictObject({ state: z.string(), manifest: z.string() })),
});
type Taken = z.infer<typeof takenSchema>['files'];

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

/** Between two tries to take a file that was not readable, or found no room. */
const millisecondsBetween = 30_000;

export function watchFolder(options: WatchOptions): WatchedFolder {
  const { watch, keep, version, signal, say, warn } = options;
  const rules = rulesOf(options);
  const counts = { taken: 0, refused: 0 };
  const notTaken = createNotTaken(options.now);
  const tellOnce = createTeller();

  /** Stores the export of a file, unless it is stored already; undefined where the base of a delta is missing still. */
  async function store(
    name: string,
    current: StoredBundle | undefined,
    lost: Set<string>,
  ): Promise<{ manifest: string; next?: StoredBundle } | undefined> {
    const file = join(watch, name);
    const known = (await recordsOf(keep)).filter(({ folder }) => !lost.has(folder));
    const header = await deltaHeader(file);
    const digest = header?.to.manifest ?? (await manifestOf(file));
    if (known.some(({ manifestHash }) => manifestHash === digest)) return { manifest: digest };
    if (header && header.from.manifest !== current?.manifestHash) {
      tellOnce(say, `"${name}" is a delta for version ${shownName(header.from.version)}: it waits until that is served.`);
      return undefined;
    }
    const served = current && rules.keys ? await signingTime(keep, current) : undefined;
    const accept = (manifest: Manifest, signedAt?: Date) => {
      refuseOther(name, manifest.version, version);
      if (served) refuseEarlier(name, served, signedAt);
      options.accept?.(manifest);
    };
    const next = await storeBundle(keep, file, {
      ...{ state: { address: name }, rules, signal, accept, now: options.now(), keepLast: options.keepLast ?? 2 },
      ...(header && { base: current }),
    });
    await checkSwapped(options, next, current);
    return { manifest: next.manifestHash, next };
  }

  async function takeAll(settled: Found[], taken: Taken): Promise<Looked> {
    const onDamage = (damage: ExportError) => tellOnce(warn, errorText(damage));
    // Every file of it is read, since the disk may have been written to while no process ran.
    let current = await readStored(keep, { rules, version, onDamage });
    const lost = await forgetLost(keep, current, taken);
    let left = settled.filter((found) => notTaken.isLeft(found, taken));
    const waits: Found[] = [];
    // A delta that was stored may be what another one waits for.
    for (let isDone = false; !isDone;) {
      isDone = true;
      waits.length = 0;
      for (const found of left) {
        signal?.throwIfAborted();
        try {
          const stored = await store(found.name, current, lost);
          if (!stored) {
            waits.push(found);
            continue;
          }
          const { manifest, next } = stored;
          taken[found.name] = { state: found.state, manifest };
          if (next) {
            [current, isDone] = [next, false];
            counts.taken++;
            say(`"${found.name}" is stored: ${described(next)}; every file matches its hash in the manifest.`);
          }
        } catch (error) {
          signal?.throwIfAborted();
          // It is tried again: the disk may have room then, or the stick be back.
          if (!(error instanceof ExportError) || ['DiskFull', 'OutputNotWritable'].includes(error.code)) {
            notTaken.postpone(found);
            tellOnce(warn, `"${found.name}" is tried again. ${errorText(error)}`);
            continue;
          }
          counts.refused++;
          notTaken.refuse(found);
          warn(`"${found.name}" was refused. ${errorText(error)}`);
        }
        left = left.filter((other) => other !== found);
      }
    }
    return { current, waits };
  }

  return {
    counts,
    take: createTake({ watch, keep, signal, notTaken, takeAll, warn: (line) => tellOnce(warn, line) }),
  };
}

/** Tells each line once. */
function createTeller() {
  const told = new Set<string>();
  return (tell: (line: string) => void, line: string) => {
    if (!told.has(line)) tell(line);
    told.add(line);
  };
}

/** The files that were not taken: only of this process, and while they are there. A stick comes back, and the next process can have other keys. */
function createNotTaken(now: () => number) {
  const refused = new Map<string, string>();
  const tried = new Map<string, number>();
  return {
    refuse: ({ name, state }: Found) => void refused.set(name, state),
    postpone: ({ name }: Found) => void tried.set(name, now()),
    // The clock may be set back.
    isLeft: ({ name, state }: Found, taken: Taken) =>
      taken[name]?.state !== state &&
      refused.get(name) !== state &&
      Math.abs(now() - (tried.get(name) ?? -Infinity)) >= millisecondsBetween,
    forgetOthers(names: ReadonlyMap<string, string>) {
      for (const list of [refused, tried]) for (const name of list.keys()) if (!names.has(name)) list.delete(name);
    },
  };
}

interface TakeParts extends Pick<WatchOptions, 'watch' | 'keep' | 'signal' | 'warn'> {
  notTaken: ReturnType<typeof createNotTaken>;
  /** Takes what is left of these files, and notes those that were taken or refused. */
  takeAll(settled: Found[], taken: Taken): Promise<Looked>;
}

interface Looked {
  current: StoredBundle | undefined;
  /** Deltas whose base is not served. Others that are left are tried again. */
  waits: Found[];
}

/** A look at the folder, which is cheap while nothing appears: with others that store into the same folder, only one takes it at a time. */
function createTake({ watch, keep, signal, notTaken, takeAll, warn }: TakeParts): WatchedFolder['take'] {
  const look = createLooks(watch);
  let current: StoredBundle | undefined;
  let waiting = '';
  return async () => {
    guarded(keep, () => mkdirSync(keep, { recursive: true }));
    const { names, settled } = look(warn);
    notTaken.forgetOthers(names);
    const readTaken = async () => (await readRecord(join(keep, 'taken.json'), takenSchema))?.files ?? {};
    const leftOf = (taken: Taken) => settled.filter((found) => notTaken.isLeft(found, taken));
    const waitingOf = (left: Found[]) => left.map(({ name, state }) => `${name}:${state}`).join('\n');
    const [stored] = await recordsOf(keep);
    const isSame = current !== undefined && stored?.folder === current.folder;
    if (isSame && waitingOf(leftOf(await readTaken())) === waiting) return current;
    return withStoreLock(
      keep,
      async () => {
        const taken = await readTaken();
        const looked = await takeAll(settled, taken);
        current = looked.current;
        const there = Object.fromEntries(Object.entries(taken).filter(([name]) => names.has(name)));
        await writeRecord(join(keep, 'taken.json'), { format: 1, files: there });
        waiting = waitingOf(looked.waits);
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
      const entry = entryOf(join(folder, name));
      if (!entry?.isFile()) continue;
      const state = `${entry.size}:${entry.mtimeMs}`;
      names.set(name, state);
      if (before.get(name) === state) settled.push({ name, state, time: entry.mtimeMs });
    }
    before = names;
    return { names, settled: settled.sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1)) };
  };
}

function entryOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    // It was removed, or may not be looked at.
    return undefined;
  }
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

/** Rolls back to the intact bundle, and forgets that those that were newer, or all without one, were taken. The folders of what is lost. */
async function forgetLost(keep: string, current: StoredBundle | undefined, taken: Taken): Promise<Set<string>> {
  const records = await recordsOf(keep);
  const lost = current
    ? records.slice(
        0,
        records.findIndex(({ folder }) => folder === current.folder),
      )
    : records;
  if (current) await rollBackTo(keep, current);
  for (const [name, { manifest }] of Object.entries(taken))
    if (!current || lost.some(({ manifestHash }) => manifestHash === manifest)) delete taken[name];
  return new Set(lost.map(({ folder }) => folder));
}

/** Throws `ExportError` `BundleRefused` for an export that was signed before the one that is served, or at an unknown time. */
function refuseEarlier(name: string, served: Date, signedAt: Date | undefined): void {
  if (signedAt && signedAt >= served) return;
  throw new ExportError(
    'BundleRefused',
    `"${name}" was signed ${signedAt ? `on ${signedAt.toISOString()}, before` : 'without a time, unlike'} what is served (${served.toISOString()}).`,
    'Sign the older export again to go back to it.',
  );
}

/** When a stored bundle was signed. Its signature was checked. */
async function signingTime(keep: string, { folder }: StoredBundle): Promise<Date | undefined> {
  return readSignature(await readFile(join(keep, 'sites', folder, signatureFile), 'utf8'))?.time;
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
