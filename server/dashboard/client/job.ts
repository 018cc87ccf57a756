// One export as it goes: progress and stages, log, cancel, and the download once it is completed.
import type { JobObject } from '../../exports/job-object.ts';
import { bundleLink } from './bundle.ts';
import { Fault } from './client.ts';
import { announce, element } from './element.ts';
import { count, time } from './format.ts';
import { jobLog } from './log.ts';
import { chip, confirm, faultMessage } from './parts.ts';
import { mayWrite, type Session } from './session.ts';

const stages = ['fetch', 'read', 'render', 'index', 'write', 'archive'];
const ends = ['completed', 'failed', 'canceled'];

/** Follows the job until it ends or the signal comes. */
export function jobCard(session: Session, first: JobObject, signal: AbortSignal, onEnd: () => void): HTMLElement {
  const { client } = session;
  const path = `/v1/static-export/jobs/${first.jobId}`;
  const bar = element('progress', { max: 100, 'aria-label': 'Progress of the export' });
  const percent = element('span', { class: 'percent' });
  const steps = stages.map((stage) => element('li', {}, stage));
  const state = element('p');
  const fault = element('div');
  const download = element('div');
  const cancel = element('button', { type: 'button' }, 'Cancel the export');
  const log = jobLog(client, path, signal);
  const card = element(
    'article',
    { class: 'card', 'aria-label': `Export ${first.jobId}` },
    state,
    element('div', { class: 'progress' }, bar, percent),
    element('ol', { class: 'stages', 'aria-label': 'Stages' }, ...steps),
    fault,
    download,
    mayWrite(session) && cancel,
    log.details,
  );
  let told: JobObject | undefined;
  cancel.addEventListener('click', () =>
    confirm(
      'Cancel this export?',
      'What it has done so far is dropped. The site keeps its former export.',
      'Cancel the export',
      async () => {
        show(await client.call<JobObject>('POST', `${path}/cancel`));
      },
    ),
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
      if (told && ends.includes(told.status)) return;
      // The connection broke, or the server was stopped: events begin again with the present state.
      await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** failures, 15_000)));
    }
  }

  function show(job: JobObject): void {
    if (told && ends.includes(told.status)) return;
    const at = job.stage ? stages.indexOf(job.stage) : -1;
    bar.value = job.progress;
    percent.textContent = `${Math.floor(job.progress)} %`;
    for (const [place, step] of steps.entries()) {
      step.className = job.status === 'completed' || place < at ? 'done' : '';
      step.ariaCurrent = place === at && job.status === 'running' ? 'step' : null;
    }
    state.replaceChildren(
      chip(job.status),
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
    if (job.status === 'completed')
      download.replaceChildren(
        job.expiredAt
          ? element('p', { class: 'muted' }, 'Its files were removed, as newer exports had come.')
          : bundleLink(session, path, signal),
      );
    if (told && (told.status !== job.status || told.stage !== job.stage)) announce(sentence(job));
    if (told && ended) onEnd();
    told = job;
  }
}

function sentence(job: JobObject): string {
  return job.status === 'running' && job.stage ? `The export is running: ${job.stage}.` : `The export is ${job.status}.`;
}
