import type { JobObject } from '../../server/jobs/model/object.ts';

const stages: Record<NonNullable<JobObject['stage']>, string> = {
  fetch: 'Fetching',
  read: 'Reading',
  render: 'Rendering',
  index: 'Indexing',
  write: 'Writing',
  archive: 'Archiving',
};

/** Shows the progress of a job and its download: one updating line in a terminal, otherwise one line per step. */
export function jobPrinter(output: NodeJS.WriteStream): {
  job(job: JobObject): void;
  download(done: number, total: number): void;
  end(): void;
} {
  let last = '';
  const show = (step: string, percent: number, more: string) => {
    const line = output.isTTY ? `${step.padEnd(12)}${bar(percent)} ${Math.floor(percent)} %${more}` : step;
    if (line === last) return;
    output.write(output.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    last = line;
  };
  return {
    job({ status, stage, progress, pageCount }) {
      if (status === 'queued') show('Waiting', progress, '');
      else if (status === 'running' && stage)
        show(stages[stage], progress, pageCount > 0 ? `  ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}` : '');
    },
    download(done, total) {
      show('Downloading', total > 0 ? (done / total) * 100 : 100, `  ${megabytes(done)} of ${megabytes(total)} MB`);
    },
    end() {
      if (output.isTTY && last) output.write('\r\x1b[K');
      last = '';
    },
  };
}

function bar(percent: number): string {
  const width = 24;
  const filled = Math.round((percent / 100) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
