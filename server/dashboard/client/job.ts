// A live view of one export: progress and stages, log, a cancel button, and the download when it is completed.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { BundleObject } from '../../jobs/routes/bundle-routes.ts';
import { Fault, type Client } from './client.ts';
import { announce, button, element, externalLink, muted } from './element.ts';
import { duration, span } from './duration.ts';
import { count, size, time } from './format.ts';
import { icon } from './icons.ts';
import { chip, confirm, faultMessage, attempt } from './parts.ts';
import { problemsBadge, problemsList } from './problems.ts';
import { mayWrite, type Session } from './session.ts';

const stages = ['fetch', 'read', 'render', 'index', 'write', 'archive'];
const ends = ['completed', 'failed', 'canceled'];

export interface JobListeners {
  /** Called with each state that the card shows. */
  onChange(job: JobObject): void;
  onEnd(): void;
}

/** Follows the job until it ends or the signal aborts. */
export function jobCard(session: Session, first: JobObject, signal: AbortSignal, { onChange, onEnd }: JobListeners): HTMLElement {
  const { client } = session;
  const path = `/v1/static-export/jobs/${first.jobId}`;
  const bar = element('progress', { max: 100, 'aria-label': 'Progress of the export' });
  const percent = element('span.percent');
  const steps = stages.map((stage) => ({ item: element('li'), stage }));
  const state = element('p');
  const fault = element('div');
  const problems = element('div');
  const download = element('div');
  const askToCancel = () =>
    confirm(
      'Cancel this export?',
      'Its progress is lost. The site keeps its previous export.',
      'Cancel the export',
      async () => show(await client.call<JobObject>('POST', `${path}/cancel`)),
      { no: 'Keep exporting' },
    );
  const cancel = button('Cancel the export', askToCancel);
  const log = jobLog(client, path, signal);
  const progress = element('div.progress', bar, percent);
  const card = element(
    'article.card',
    { 'aria-label': `Export ${first.jobId}` },
    state,
    progress,
    element('ol.stages', { 'aria-label': 'Stages' }, ...steps.map(({ item }) => item)),
    fault,
    problems,
    download,
    mayWrite(session, first.domain) && cancel,
    log.details,
  );
  let latest: JobObject | undefined;
  show(first);
  if (!ends.includes(first.status)) void follow();
  return card;

  async function follow(): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        for await (const job of client.events<JobObject>(`${path}/events`, signal)) {
          failures = 0;
          show(job);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Fault && error.status >= 400 && error.status < 500)
          return fault.replaceChildren(faultMessage(error));
        failures += 1;
      }
      if (latest && ends.includes(latest.status)) return;
      // The connection broke, or the server was stopped: the next stream starts with the current state.
      await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** failures, 15_000)));
    }
  }

  function show(job: JobObject): void {
    if (latest && ends.includes(latest.status)) return;
    // Only few jobs print.
    const at = job.stage ? stages.indexOf(job.stage === 'print' ? 'write' : job.stage) : -1;
    bar.value = job.progress;
    bar.className = job.status;
    percent.textContent = `${Math.floor(job.progress)} %`;
    for (const [index, { item, stage }] of steps.entries()) {
      const isAt = index === at;
      const hasFailed = isAt && job.status === 'failed';
      const isDone = job.status === 'completed' || index < at;
      item.className = hasFailed ? 'failed' : isDone ? 'done' : '';
      const mark = element('span.mark', { 'aria-hidden': 'true' }, hasFailed ? icon('cross') : isDone && icon('check'));
      item.replaceChildren(mark, element('span.name', stage, hasFailed && element('span.visually-hidden', ' failed')));
      item.ariaCurrent = isAt && job.status === 'running' ? 'step' : null;
    }
    const badge = problemsBadge(job);
    const took = duration(job);
    const text = element(
      'span.muted',
      count(job.pageCount, 'page'),
      ' · started ',
      time(job.createdAt),
      job.startedBy !== null && ` by ${job.startedBy}`,
      took !== undefined && ` · took ${took}`,
      job.version !== null && ` · version ${job.version}`,
      job.groups !== null && ` · for ${job.groups.join(', ')}`,
    );
    state.replaceChildren(chip(job.status), ...(badge ? [badge] : []), text);
    const ended = ends.includes(job.status);
    cancel.hidden = ended;
    log.refresh(ended);
    // The stages say where it failed.
    progress.hidden = ended;
    if (job.status === 'failed') log.details.open = true;
    if (job.status === 'failed')
      fault.replaceChildren(
        faultMessage(new Fault(0, { error: job.error ?? 'The export failed.', code: job.errorCode ?? 'JobFailed' })),
      );
    if (job.status === 'completed') problems.replaceChildren(problemsList(client, path, job, signal));
    if (job.status === 'completed')
      download.replaceChildren(
        job.expiredAt
          ? muted('The files of this export were deleted when newer exports replaced it.')
          : bundleLinks(session, first, signal),
      );
    if (latest && (latest.status !== job.status || latest.stage !== job.stage)) announce(sentence(job));
    onChange(job);
    if (latest && ended) onEnd();
    latest = job;
  }
}

function sentence(job: JobObject): string {
  if (job.status === 'running' && job.stage) return `The export is running: ${job.stage}.`;
  return job.status === 'failed' ? 'Export failed.' : `The export is ${job.status}.`;
}

type Downloadable = Pick<JobObject, 'domain' | 'jobId' | 'formats'>;

/** Buttons that request download links, which expire: to the bundle, and to the books that were requested. */
export function bundleLinks(session: Session, job: Downloadable, signal: AbortSignal): HTMLElement {
  if (!mayWrite(session, job.domain)) return muted('To get a download link, sign in with a key that has the scope write.');
  return element('div.group', ...[undefined, ...(job.formats ?? [])].map((format) => fileLink(session, job, signal, format)));
}

function fileLink(session: Session, { jobId }: Downloadable, signal: AbortSignal, format?: string): HTMLElement {
  const query = format === undefined ? '' : `?format=${format}`;
  const name = format === undefined ? '' : `${format.toUpperCase()} of `;
  const output = element('div');
  const link = element('div.download');
  const request = async () =>
    show(await session.client.call<BundleObject>('POST', `/v1/static-export/jobs/${jobId}/bundle${query}`));
  const label = format === undefined ? 'Get a download link' : `Get a link to the ${format.toUpperCase()}`;
  const ask = button(label, () => void attempt(ask, output, request), { class: format === undefined ? 'primary' : '' });
  let timer: ReturnType<typeof setInterval> | undefined;
  signal.addEventListener('abort', () => clearInterval(timer));
  return element('div', link, output, ask);

  function show({ bundleUrl, expiresAt, sizeBytes, sha256, version }: BundleObject): void {
    if (signal.aborted) return;
    clearInterval(timer);
    const left = element('span.muted');
    const updateCountdown = () => {
      const seconds = (new Date(expiresAt).getTime() - Date.now()) / 1000;
      if (seconds > 0) return void (left.textContent = `The link expires in ${span(seconds)}.`);
      clearInterval(timer);
      link.replaceChildren(element('p', 'The link has expired. Get a new one; the export itself is still available.'));
      announce('The download link has expired.');
    };
    link.replaceChildren(
      element('p', externalLink(bundleUrl, `Download ${name}version ${version} (${size(sizeBytes)})`, { class: 'strong' })),
      element('p', left),
      element('p.digest', 'SHA-256 ', element('code', sha256)),
    );
    ask.textContent = 'Get a new link';
    ask.classList.remove('primary');
    announce('The download link is ready.');
    timer = setInterval(updateCountdown, 1000);
    updateCountdown();
  }
}

const pause = 1000;

/** The log of a job. While it is open, it loads new lines at most once a second, and the rest when the job has ended. */
function jobLog(
  client: Client,
  path: string,
  signal: AbortSignal,
): { details: HTMLDetailsElement; refresh(ended: boolean): void } {
  const text = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Log of the export' });
  const details = element('details.log', element('summary', 'Log'), text);
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
