import { fstatSync } from 'node:fs';
import type { Progress } from '../../integration/export-messages.ts';
import type { JobObject } from '../../server/jobs/model/job-object.ts';

/** Standard error or a replacement for it. */
export interface Terminal {
  isTTY: boolean;
  write(text: string): unknown;
}

const words: Record<Progress['stage'], { now: string; done: string; one: string; many: string }> = {
  read: { now: 'Reading', done: 'Read', one: 'page', many: 'pages' },
  render: { now: 'Rendering', done: 'Rendered', one: 'page', many: 'pages' },
  index: { now: 'Indexing', done: 'Built', one: 'search index', many: 'search indexes' },
  write: { now: 'Copying', done: 'Copied', one: 'file', many: 'files' },
  archive: { now: 'Archiving', done: 'Archived', one: 'file', many: 'files' },
  print: { now: 'Printing', done: 'Printed', one: 'part of the PDF', many: 'parts of the PDF' },
};

/** Shows progress: one updating line in a terminal, otherwise one line per finished stage. */
export function progressPrinter(output: Terminal): { update(progress: Progress): void; end(): void } {
  let last = '';
  const show = output.isTTY ? showMoving : showFinished;
  return {
    update(progress) {
      const line = show(output, progress, last);
      if (line !== undefined) last = line;
    },
    end() {
      if (output.isTTY && last) output.write('\r\x1b[K');
      last = '';
    },
  };
}

function showMoving(output: Terminal, { stage, done, total }: Progress, last: string): string | undefined {
  const line = `${words[stage].now.padEnd(10)} ${bar(total ? done / total : 1)} ${done} of ${counted(stage, total)}`;
  if (line === last) return undefined;
  output.write(`\r\x1b[K${line}`);
  return line;
}

function showFinished(output: Terminal, { stage, done, total }: Progress, last: string): string | undefined {
  if (done < total) return undefined;
  const line = `${words[stage].done} ${counted(stage, total)}`;
  if (line === last) return undefined;
  output.write(`${line}\n`);
  return line;
}

function counted(stage: Progress['stage'], total: number): string {
  return `${total} ${total === 1 ? words[stage].one : words[stage].many}`;
}

/** Whether a descriptor is a file, pipe or socket. Node's own descriptors are of other kinds. */
export function isWritable(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isFIFO() || stats.isSocket() || stats.isCharacterDevice();
  } catch {
    return false;
  }
}

const stages: Record<NonNullable<JobObject['stage']>, string> = {
  fetch: 'Fetching',
  read: 'Reading',
  render: 'Rendering',
  index: 'Indexing',
  write: 'Writing',
  print: 'Printing',
  archive: 'Archiving',
};

/** Shows the progress of a job and its download: one updating line in a terminal, otherwise one line per step. */
export function jobPrinter(output: NodeJS.WriteStream): {
  job(job: JobObject): void;
  download(done: number, total: number): void;
  end(): void;
} {
  const { show, end } = stepPrinter(output);
  return {
    job({ status, stage, progress, pageCount }) {
      if (status === 'queued') show('Waiting', progress, '');
      else if (status === 'running' && stage)
        show(stages[stage], progress, pageCount > 0 ? `  ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}` : '');
    },
    download(done, total) {
      show('Downloading', total > 0 ? (done / total) * 100 : 100, `  ${megabytes(done)} of ${megabytes(total)} MB`);
    },
    end,
  };
}

/** Shows the progress of an upload like that of a job. */
export function uploadPrinter(output: Terminal) {
  const { show, end } = stepPrinter(output);
  return {
    update({ files, bytes, ofFiles, ofBytes }: { files: number; bytes: number; ofFiles: number; ofBytes: number }): void {
      const share = ofFiles === 0 ? 1 : ofBytes === 0 ? files / ofFiles : bytes / ofBytes;
      const count = `${files} of ${ofFiles} ${ofFiles === 1 ? 'file' : 'files'}`;
      show('Uploading', share * 100, `  ${count}, ${megabytes(bytes)} of ${megabytes(ofBytes)} MB`);
    },
    end,
  };
}

/** One updating line in a terminal, otherwise one line per step. */
function stepPrinter(output: Terminal) {
  let last = '';
  return {
    show(step: string, percent: number, more: string): void {
      const line = output.isTTY ? `${step.padEnd(12)}${bar(percent / 100)} ${Math.floor(percent)} %${more}` : step;
      if (line === last) return;
      output.write(output.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
      last = line;
    },
    end(): void {
      if (output.isTTY && last) output.write('\r\x1b[K');
      last = '';
    },
  };
}

function bar(share: number): string {
  const width = 24;
  const filled = Math.round(share * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
