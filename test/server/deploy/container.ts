// Runs a command as a container of our image would: the image's entry and environment, no other environment, a user that is not
// root where the tests run as root, in a folder nobody may write to; only what is mounted at /data can be written.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const program = join(root, 'src/cli/carrel.ts');
/** Compiled code, which each container would make anew in its volume. */
const code = join(root, 'node_modules/.cache/carrel-container');

export interface Image {
  entrypoint: string[];
  command: string[];
  environment: Record<string, string>;
  user: string;
}

/** What the last stage of our Dockerfile says. */
export function readImage(): Image {
  const text = readFileSync(join(root, 'server/deploy/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  const line = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(stage)![1]!;
  return {
    entrypoint: JSON.parse(line('ENTRYPOINT')) as string[],
    command: JSON.parse(line('CMD')) as string[],
    environment: Object.fromEntries(
      line('ENV')
        .split(/\s+/)
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]),
    ),
    user: line('USER'),
  };
}

export interface Container {
  child: ChildProcess;
  /** Everything it has told so far, on both outputs. */
  output(): string;
  /** Resolves when it has told something like this; rejects when it ends before. */
  untilTold(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<number | null>;
  /** What it left outside of its volume. */
  strays(): string[];
}

export interface Volume {
  /** What is mounted at /data. */
  data: string;
  /** The rest of its file system, as far as it is its own. */
  rest: string;
}

export async function makeVolume(): Promise<Volume> {
  const rest = await mkdtemp(join(tmpdir(), 'carrel-container-'));
  onTestFinished(() => rmSync(rest, { recursive: true, force: true }));
  const data = join(rest, 'data');
  mkdirSync(data);
  mkdirSync(join(rest, 'bin'));
  const script = `#!/bin/sh\nNODE_COMPILE_CACHE="${code}" exec "${process.execPath}" "${program}" "$@"\n`;
  writeFileSync(join(rest, 'bin/carrel'), script, { mode: 0o755 });
  mkdirSync(code, { recursive: true });
  if (user !== undefined) for (const folder of [data, code]) chownSync(folder, user, user);
  chmodSync(rest, 0o555);
  return { data, rest };
}

export function runContainer(args: string[], environment: Record<string, string>, { data, rest }: Volume): Container {
  const image = readImage();
  const [first, separator, command, ...more] = image.entrypoint;
  if (first !== 'tini' || separator !== '--' || command === undefined) throw new Error('The entry of the image is another one.');
  const given = { ...image.environment, ...environment };
  const mapped = Object.entries(given).map(([name, value]) => [name, value.replace(/^\/data(?=\/|$)/, data)]);
  const env = { ...Object.fromEntries(mapped), PATH: `${join(rest, 'bin')}:/usr/bin:/bin` };
  const child = spawn(command, [...more, ...args], { cwd: rest, env, uid: user, gid: user, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      for (const watcher of watchers) watcher();
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return {
    child,
    output: () => text,
    untilTold: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text);
          if (!found) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
        void ended.then((code) => reject(new Error(`It ended with ${code}:\n${text}`)));
      }),
    ended,
    strays: () => readdirSync(rest).filter((name) => name !== 'bin' && name !== 'data'),
  };
}

/** The image's user, where the tests may become it and it may read the sources. */
const user = process.getuid?.() === 0 && isReadable(root) && isReadable(process.execPath) ? 1000 : undefined;

function isReadable(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o005) === 0o005;
  return isOpen && (dirname(path) === path || isReadable(dirname(path)));
}
