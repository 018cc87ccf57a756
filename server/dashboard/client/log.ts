import type { Client } from './client.ts';
import { element } from './element.ts';

const pause = 1000;

/** The log of a job. While it is open, it loads new lines at most once a second, and the rest when the job has ended. */
export function jobLog(
  client: Client,
  path: string,
  signal: AbortSignal,
): { details: HTMLElement; refresh(ended: boolean): void } {
  const text = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Log of the export' });
  const details = element('details', { class: 'log' }, element('summary', {}, 'Log'), text);
  let cursor = '0';
  let due: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  details.addEventListener('toggle', () => void read());
  signal.addEventListener('abort', () => clearTimeout(due));

  return {
    details,
    refresh(ended) {
      isEnded = ended;
      if (ended) clearTimeout(due);
      if (ended) void read();
    },
  };

  async function read(): Promise<void> {
    clearTimeout(due);
    if (!details.open || signal.aborted) return;
    try {
      const asked = cursor;
      const response = await client.open(`${path}/log?after=${asked}`, signal);
      const piece = await response.text();
      // Another read was faster.
      if (asked !== cursor) return;
      cursor = response.headers.get('x-log-cursor') ?? cursor;
      const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 4;
      text.append(piece);
      if (text.textContent === '' && isEnded) text.textContent = 'The log is empty.';
      if (atEnd) text.scrollTop = text.scrollHeight;
    } catch {
      // The next read tries again; the job's events report the error.
    }
    if (!isEnded && !signal.aborted) due = setTimeout(() => void read(), pause);
  }
}
