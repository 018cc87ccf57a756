// A live view of one export: progress and stages, log, a cancel button, and the download when it is completed.
import type { JobObject } from '../../jobs/model/object.ts';
import { bundleLink } from './bundle.ts';
import { Fault } from './client.ts';
import { announce, element } from './element.ts';
import { count, time } from './format.ts';
import { jobLog } from './log.ts';
import { chip, confirm, faultMessage } from './parts.ts';
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
  const percent = element('span', { class: 'percent' });
  const steps = stages.map((stage) => ({ item: element('li', {}, stage), stage }));
  const state = element('p');
  const fault = element('div');
  const problems = element('div');
  const download = element('div');
  const cancel = element('button', { type: 'button' }, 'Cancel the export');
  const log = jobLog(client, path, signal);
  const card = element(
    'article',
    { class: 'card', 'aria-label': `Export ${first.jobId}` },
    state,
    element('div', { class: 'progress' }, bar, percent),
    element('ol', { class: 'stages', 'aria-label': 'Stages' }, ...steps.map(({ item }) => item)),
    fault,
    problems,
    download,
    mayWrite(session) && cancel,
    log.details,
  );
  let latest: JobObject | undefined;
  cancel.addEventListener('click', () =>
    confirm('Cancel this export?', 'Its progress is lost. The site keeps its previous export.', 'Cancel the export', async () => {
      show(await client.call<JobObject>('POST', `${path}/cancel`));
    }),
  );
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
    const at = job.stage ? stages.indexOf(job.stage) : -1;
    bar.value = job.progress;
    bar.className = job.status;
    percent.textContent = `${Math.floor(job.progress)} %`;
    for (const [place, { item, stage }] of steps.entries()) {
      const isAt = place === at;
      const hasFailed = isAt && job.status === 'failed';
      item.className = hasFailed ? 'failed' : job.status === 'completed' || place < at ? 'done' : '';
      item.textContent = hasFailed ? `${stage} failed` : stage;
      item.ariaCurrent = isAt && job.status === 'running' ? 'step' : null;
    }
    const badge = problemsBadge(job);
    state.replaceChildren(
      chip(job.status),
      ...(badge ? [' ', badge] : []),
      ` ${count(job.pageCount, 'page')} · started `,
      time(job.createdAt),
      job.version ? ` · version ${job.version}` : '',
      ' · ',
      element('code', {}, job.jobId),
    );
    const ended = ends.includes(job.status);
    cancel.hidden = ended;
    log.refresh(ended);
    if (job.status === 'failed')
      fault.replaceChildren(
        faultMessage(new Fault(0, { error: job.error ?? 'The export failed.', code: job.errorCode ?? 'JobFailed' })),
      );
    if (job.status === 'completed') problems.replaceChildren(problemsList(client, path, job, signal));
    if (job.status === 'completed')
      download.replaceChildren(
        job.expiredAt
          ? element('p', { class: 'muted' }, 'Its files were removed after newer exports.')
          : bundleLink(session, path, signal),
      );
    if (latest && (latest.status !== job.status || latest.stage !== job.stage)) announce(sentence(job));
    onChange(job);
    if (latest && ended) onEnd();
    latest = job;
  }
}

function sentence(job: JobObject): string {
  if (job.status === 'running' && job.stage) return `The export is running: ${job.stage}.`;
  return job.status === 'failed' ? 'The export failed.' : `The export is ${job.status}.`;
}
