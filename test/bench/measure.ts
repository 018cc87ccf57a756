import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readExportMessage, type Progress } from '../../integration/export-messages.ts';

type Phase = Progress['stage'];

export interface Measured {
  /** User and system time of the program and all its children. */
  cpuSeconds: number;
  wallSeconds: number;
  /** Largest sum of resident memory over the program and its children, in bytes; 0 where there is no /proc. */
  peakMemory: number;
}

export interface MeasuredPhases extends Measured {
  /** The peak of memory by phase, of an exporter with `--progress-fd 4`. */
  peaks: Partial<Record<Phase, number>>;
}

/** The phase that follows once the work of one is done. What is written after the files of the docs is part of `write`. */
const following: Record<Phase, Phase> = {
  read: 'render',
  render: 'index',
  index: 'write',
  write: 'write',
  print: 'archive',
  archive: 'archive',
};

const sampleEvery = 50;

/** Runs a program to its end and measures it. Throws with its output when it fails. */
export async function measure(
  command: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<MeasuredPhases> {
  const started = performance.now();
  // The shell's `times` counts every child that was waited for, and theirs: Node itself only tells of its own process.
  const child = spawn('sh', ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh', command, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const output = collect(child.stdout!, child.stderr!);
  const times = collect(child.stdio[3] as NodeJS.ReadableStream);
  let phase: Phase = 'read';
  createInterface({ input: child.stdio[4] as NodeJS.ReadableStream }).on('line', (line) => {
    const message = readExportMessage(line);
    if (message?.type === 'progress') phase = message.done < message.total ? message.stage : following[message.stage];
  });
  const peaks: MeasuredPhases['peaks'] = {};
  const sampler = setInterval(() => (peaks[phase] = Math.max(peaks[phase] ?? 0, memoryOf(child.pid!))), sampleEvery);
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(sampler);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output().slice(-4000)}`);
  const wallSeconds = (performance.now() - started) / 1000;
  return { cpuSeconds: childrenTime(times()), wallSeconds, peakMemory: Math.max(0, ...Object.values(peaks)), peaks };
}

/** The second line of `times` is that of the shell's children: "1m2.34s 0m0.56s". */
function childrenTime(times: string): number {
  const line = times.trim().split('\n').at(-1) ?? '';
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

/** Resident memory of a process and all below it. Linux only. */
function memoryOf(pid: number): number {
  try {
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const below = children === '' ? [] : children.split(' ').map(Number);
    return below.reduce((sum, child) => sum + memoryOf(child), Number(resident) * 1024);
  } catch {
    // It has ended between two reads.
    return 0;
  }
}

function collect(...streams: NodeJS.ReadableStream[]): () => string {
  const chunks: Buffer[] = [];
  for (const stream of streams) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
