import { writeSync } from 'node:fs';
import type { Progress } from '../../integration/progress.ts';

const names: Record<Progress['stage'], string> = {
  read: 'Reading',
  render: 'Rendering',
  index: 'Indexing',
  write: 'Writing',
  archive: 'Archiving',
};

/** Shows progress: one moving line on a terminal, one line a finished stage elsewhere, and JSON lines on a descriptor when asked. */
export function progressPrinter(
  descriptor: number | undefined,
  output: NodeJS.WriteStream,
): { update(progress: Progress): void; end(): void } {
  let last = '';
  const show = output.isTTY ? showMoving : showFinished;
  return {
    update(progress) {
      if (descriptor !== undefined) writeSync(descriptor, `${JSON.stringify(progress)}\n`);
      const line = show(output, progress, last);
      if (line !== undefined) last = line;
    },
    end() {
      if (output.isTTY && last) output.write('\r\x1b[K');
      last = '';
    },
  };
}

function showMoving(output: NodeJS.WriteStream, { stage, done, total }: Progress, last: string): string | undefined {
  const width = 24;
  const filled = total ? Math.round((done / total) * width) : width;
  const line = `${names[stage].padEnd(10)} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${total}`;
  if (line === last) return undefined;
  output.write(`\r\x1b[K${line}`);
  return line;
}

function showFinished(output: NodeJS.WriteStream, { stage, done, total }: Progress, last: string): string | undefined {
  if (done < total) return undefined;
  const line = `${names[stage]}: ${total}`;
  if (line === last) return undefined;
  output.write(`${line}\n`);
  return line;
}
