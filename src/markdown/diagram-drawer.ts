// Mermaid diagrams → SVG, drawn by a process of its own: what a diagram does there can be ended and reaches nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { HighlightCache } from './highlight.ts';

/** A diagram, or why there is none. A fault in its source stays one in a reader's browser. */
export type Drawing = { svg: string; width: number } | { fault: string; isInSource: boolean };

/** Paths of the program that draws, and of Mermaid's script. Their names change with their contents. */
export interface DrawingProgram {
  program: string;
  mermaid: string;
}

/** By its source. */
export type Drawings = ReadonlyMap<string, Drawing>;

interface DrawingLimits {
  /** For one diagram. */
  milliseconds: number;
  megabytes: number;
}

const usualLimits: DrawingLimits = { milliseconds: 30_000, megabytes: 512 };
/** How many diagrams a run may lose to the limits before it leaves the others to the reader's browser. */
const mostLost = 3;
/** After this time without a diagram, the process ends. */
const idleMilliseconds = 10_000;

/** A function that draws the diagrams of a page. */
export function createDiagramDrawer(
  paths: DrawingProgram,
  cache?: HighlightCache,
  limits = usualLimits,
): (sources: string[]) => Promise<Drawings> {
  const version = `${basename(paths.program)} ${basename(paths.mermaid)}`;
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lost = 0;
  let last: Promise<unknown> = Promise.resolve();

  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };

  async function draw(source: string): Promise<Drawing> {
    const key = hash('sha256', `${version}\n${source}`, 'base64url');
    const stored = cache?.get(key);
    if (stored !== undefined) return JSON.parse(stored) as Drawing;
    if (lost >= mostLost) return { fault: `${mostLost} others needed too much time or memory`, isInSource: false };
    clearTimeout(idle);
    child ??= start(paths, limits);
    const answer = await ask(child, source, limits);
    if ('limit' in answer) {
      lost++;
      end();
      // It is not cached: on another machine the limits may suffice.
      return { fault: answer.limit, isInSource: true };
    }
    idle = setTimeout(end, idleMilliseconds).unref();
    cache?.set(key, JSON.stringify(answer));
    return answer;
  }

  async function drawAll(sources: string[]): Promise<Drawings> {
    const drawings = new Map<string, Drawing>();
    for (const source of new Set(sources)) drawings.set(source, await draw(source));
    return drawings;
  }

  // The process draws one after the other.
  return (sources) => {
    if (sources.length === 0) return Promise.resolve(new Map());
    const drawings = last.then(() => drawAll(sources));
    last = drawings;
    return drawings;
  };
}

/** It reads its own files alone, and does not keep this process from ending. */
function start({ program, mermaid }: DrawingProgram, { megabytes }: DrawingLimits): ChildProcess {
  const readable = [dirname(program), dirname(mermaid)].map((folder) => `--allow-fs-read=${folder}`);
  const child = fork(program, [mermaid], {
    // The time zone of a Gantt chart.
    env: { TZ: 'UTC' },
    execArgv: [`--max-old-space-size=${megabytes}`, '--permission', ...readable, '--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  child.unref();
  child.channel?.unref();
  return child;
}

function ask(
  child: ChildProcess,
  source: string,
  { milliseconds, megabytes }: DrawingLimits,
): Promise<Drawing | { limit: string }> {
  return new Promise((resolve) => {
    const finish = (answer: Drawing | { limit: string }): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => {});
      child.channel?.unref();
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ limit: `it takes more than ${milliseconds / 1000} s to draw` }), milliseconds);
    child.channel?.ref();
    child.once('message', (drawing: Drawing) => finish(drawing));
    const fail = () => finish({ limit: `it needs more than ${megabytes} MB to draw` });
    child.once('exit', fail);
    child.once('error', fail);
    child.send({ source }, (error) => error && fail());
  });
}
