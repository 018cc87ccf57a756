// Messages from an exporter to the program that started it: JSON objects, one a line, on a file descriptor that this program opened
// (`--progress-fd`). `progress` comes while it works; at the end come a `problem` for each issue and one `report`, or one `error`.
import { writeSync } from 'node:fs';
import { z } from 'zod';
import { type Problem, severities } from './diagnostics.ts';
import { errorCode, ExportError } from './errors.ts';
import { jsonValue } from './text/json.ts';

export const stages = ['read', 'render', 'index', 'write', 'print', 'archive'] as const;

/** Progress of an export: counts work done, never time. */
export interface Progress {
  stage: (typeof stages)[number];
  done: number;
  total: number;
}

const count = z.number().int().min(0);

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), stage: z.enum(stages), done: z.number().min(0), total: z.number().min(0) }),
  z.object({
    type: z.literal('problem'),
    kind: z.string(),
    severity: z.enum(severities),
    page: z.string().optional(),
    line: count.optional(),
    column: count.optional(),
    message: z.string(),
    hint: z.string().optional(),
    suggestion: z.string().optional(),
  }),
  /** All that `--report` writes, but for the list of problems. */
  z.looseObject({ type: z.literal('report'), version: z.string().min(1), pages: count, files: count, bytes: count }),
  z.object({
    type: z.literal('error'),
    code: z.string().regex(/^[A-Za-z]{1,64}$/),
    message: z.string(),
    hint: z.string().optional(),
    /** External requests, of an export that failed because of them. */
    egress: z.array(z.unknown()).optional(),
  }),
]);

export type ExportMessage = z.infer<typeof messageSchema>;

/**
 * Reads a line. Undefined when it is broken, and when its type is not known: a newer exporter may say more than this version can use,
 * and what this version needs from it is a `report` or an exit code.
 */
export function readExportMessage(line: string): ExportMessage | undefined {
  return messageSchema.safeParse(jsonValue(line)).data;
}

export type ExportMessages = ReturnType<typeof exportMessages>;

/** Writes messages to a descriptor. When no one reads it any more, the messages are lost and the export continues. */
export function exportMessages(descriptor: number) {
  let isRead = true;
  const write = (type: ExportMessage['type'], content: object): void => {
    if (isRead) isRead = writeLine(descriptor, `${JSON.stringify({ type, ...content })}\n`, type === 'progress');
  };
  return {
    progress: (progress: Progress): void => write('progress', progress),
    report({ warnings, ...report }: { version: string; pages: number; files: number; bytes: number; warnings: Problem[] }): void {
      for (const problem of warnings) write('problem', problem);
      write('report', report);
    },
    /** Writes an `ExportError`; any other error is a fault of the program and only belongs in its log. */
    error(error: unknown): void {
      if (!(error instanceof ExportError)) return;
      const { code, message, hint } = error;
      write('error', { code, message, hint, ...('egress' in error && { egress: error.egress }) });
    },
  };
}

/** False when no one reads the descriptor. A line that may be lost is dropped when a pipe is full and does not block. */
function writeLine(descriptor: number, line: string, mayBeLost: boolean): boolean {
  const bytes = Buffer.from(line);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') return false;
      if (mayBeLost && written === 0) return true;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millisecondsBetweenTries);
    }
  }
  return true;
}

const millisecondsBetweenTries = 10;
