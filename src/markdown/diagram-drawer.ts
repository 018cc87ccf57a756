// Mermaid diagrams → SVG, drawn by a process of its own: what a diagram does there can be ended and reaches nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { HighlightCache } from './highlight/highlight.ts';

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
  /** Of a drawing: a few large ones would make a page that browsers do not open. */
  characters: number;
}

const usualLimits: DrawingLimits = { milliseconds: 30_000, megabytes: 512, characters: 1_000_000 };
/** How many diagrams a run may lose to the limits before it leaves the others to the reader's browser. */
const mostLost = 3;
/** After this time without a diagram, the process ends. */
const idleMilliseconds = 10_000;

interface DrawingProcess {
  child?: ChildProcess;
  idle?: NodeJS.Timeout;
  /** It draws one diagram after the other. */
  last: Promise<unknown>;
}

/** By what it starts with. The states of a preview share one, which takes 150 MB and a second to start. */
const processes = new Map<string, DrawingProcess>();

function processOf(program: DrawingProgram, { megabytes }: DrawingLimits): DrawingProcess {
  const key = JSON.stringify([program, megabytes]);
  const known = processes.get(key) ?? { last: Promise.resolve() };
  processes.set(key, known);
  return known;
}

/** A function that draws the diagrams of a page. */
export function createDiagramDrawer(
  paths: DrawingProgram,
  cache?: HighlightCache,
  limits = usualLimits,
): (sources: string[]) => Promise<Drawings> {
  const version = `${basename(paths.program)} ${basename(paths.mermaid)}`;
  const running = processOf(paths, limits);
  let lost = 0;

  const end = (): void => {
    running.child?.kill('SIGKILL');
    running.child = undefined;
  };

  async function draw(source: string): Promise<Drawing> {
    const key = hash('sha256', `${version}\n${source}`, 'base64url');
    const stored = cache?.get(key);
    if (stored !== undefined) return JSON.parse(stored) as Drawing;
    if (lost >= mostLost) return { fault: `${mostLost} others were not drawn within the limits`, isInSource: false };
    clearTimeout(running.idle);
    if (running.child?.connected === false) running.child = undefined;
    running.child ??= start(paths, limits);
    const { drawing, isLost } = await ask(running.child, source, limits);
    if (isLost) {
      lost++;
      end();
      // It is not cached: on another machine the limits may suffice.
      return drawing;
    }
    running.idle = setTimeout(end, idleMilliseconds).unref();
    cache?.set(key, JSON.stringify(drawing));
    return drawing;
  }

  async function drawAll(sources: string[]): Promise<Drawings> {
    const drawings = new Map<string, Drawing>();
    for (const source of new Set(sources)) drawings.set(source, await draw(source));
    return drawings;
  }

  return (sources) => {
    if (sources.length === 0) return Promise.resolve(new Map());
    const drawings = running.last.then(() => drawAll(sources));
    running.last = drawings.catch(() => undefined);
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

interface Answer {
  drawing: Drawing;
  /** Whether the process must be ended, or has ended. */
  isLost: boolean;
}

function ask(child: ChildProcess, source: string, { milliseconds, megabytes, characters }: DrawingLimits): Promise<Answer> {
  return new Promise((resolve) => {
    const finish = (drawing: Drawing, isLost: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => {});
      child.channel?.unref();
      resolve({ drawing, isLost });
    };
    const fail = (fault: string, isInSource: boolean): void => finish({ fault, isInSource }, true);
    const timer = setTimeout(() => fail(`it takes more than ${milliseconds / 1000} s to draw`, true), milliseconds);
    child.channel?.ref();
    child.once('message', (drawing: Drawing) => {
      const isTooLarge = 'svg' in drawing && drawing.svg.length > characters;
      finish(isTooLarge ? { fault: `its drawing has more than ${characters} characters`, isInSource: true } : drawing, false);
    });
    child.once('exit', (code, signal) => {
      // V8 aborts a process without memory; Windows gives that a code.
      if (signal === 'SIGABRT' || code === 134) fail(`it needs more than ${megabytes} MB to draw`, true);
      else fail(`the program that draws ended with ${signal ?? `code ${code}`}`, false);
    });
    child.once('error', ({ message }) => fail(`the program that draws did not start: ${message}`, false));
    // The end of the process says more than a message that does not reach it.
    child.send({ source }, () => {});
  });
}
