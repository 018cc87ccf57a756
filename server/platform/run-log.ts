// The log of a run: the output of its programs, stored in the job as it arrives, without secrets and up to a maximum size.

export type RunLog = ReturnType<typeof createRunLog>;

export interface RunLogOptions {
  keep: (text: string) => Promise<void>;
  /** Called when a piece cannot be stored; the run continues. */
  onError: (error: unknown) => void;
  /** Folder of the run: in the log, paths start from it. */
  folder: string;
}

const largestLog = 1024 * 1024;
const longestLine = 8192;
const millisecondsBetween = 500;

// Colors, titles and other control sequences for terminals; file names may contain them, too.
const terminalOrders = /(?:\x1b\[|\x9b)[0-9;:<=>?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;
// Remaining control characters, and those that change the direction of text.
const notForTerminals = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

export function createRunLog({ keep, onError, folder }: RunLogOptions) {
  let line = '';
  let waiting = '';
  let room = largestLog;
  let secrets: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let kept = Promise.resolve();

  const clean = (text: string): string => {
    let cleaned = text.replaceAll(`${folder}/`, '').replaceAll(/(?<=:\/\/)[^\s/@:]*:[^\s/@]*(?=@)/g, '***');
    for (const secret of secrets) cleaned = cleaned.replaceAll(secret, '***');
    return cleaned.replaceAll(terminalOrders, '').replaceAll(notForTerminals, '');
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    kept = kept.then(() => keep(text)).catch(onError);
  };
  const add = (text: string): void => {
    if (room <= 0) return;
    const cleaned = clean(text);
    room -= Buffer.byteLength(cleaned);
    waiting += room > 0 ? cleaned : 'The log is cut here: it is over 1 MB.\n';
    timer ??= setTimeout(flush, millisecondsBetween);
  };

  return {
    /** Returns a text as the log would show it. */
    clean,
    /** Output of a program, in pieces of any size. */
    write(text: string): void {
      // Only whole lines are searched, since a secret may arrive in two pieces.
      line += text;
      const end = line.lastIndexOf('\n') + 1;
      if (end > 0) add(line.slice(0, end));
      line = line.slice(end);
      if (line.length <= longestLine) return;
      add(`${line.slice(0, longestLine)} …\n`);
      line = line.slice(-longestLine / 2);
    },
    /** A line from Carrel itself. */
    say: (text: string): void => add(`${text}\n`),
    /** Adds texts that the log must not show. */
    hide(more: string[]): void {
      // A longer secret may contain a shorter one. One or two letters are not a secret, since they occur everywhere.
      secrets = [...secrets, ...more].filter((secret) => secret.length > 2).sort((a, b) => b.length - a.length);
    },
    /** Stores the rest; resolves when everything is stored. */
    async end(): Promise<void> {
      if (line !== '') add(`${line}\n`);
      line = '';
      flush();
      await kept;
    },
  };
}
