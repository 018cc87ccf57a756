// The exports of a site: the one that is followed, and all of them.
import type { JobObject } from '../../jobs/model/job-object.ts';
import { announce, button, element, replace } from './element.ts';
import { count, duration, time } from './format.ts';
import { jobCard } from './job.ts';
import { attempt, chip, emptyState, field, formDialog, section, table } from './parts.ts';
import { problemsBadge } from './problems.ts';
import { mayWrite, type Session } from './session.ts';
import { startExport } from './site-jobs.ts';
import { toast } from './toast.ts';

const pageLength = 10;

export async function exportsTab(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const shown = element('div');
  let leaving = new AbortController();
  const options = button('Export with options…', () => exportPart(session, domain, started));
  const jobs = await jobsSection(session, domain, signal, showJob);
  const newest = jobs.newest();
  if (newest) showJob(newest);
  else shown.replaceChildren(emptyState('No exports yet', 'Press Export now. You can follow it here, with its log.'));
  body.replaceChildren(section('job', 'Export', mayWrite(session) ? options : undefined, shown), jobs.section);

  function showJob(job: JobObject): void {
    const onEnd = () => void jobs.load().catch(() => undefined);
    leaving.abort();
    leaving = new AbortController();
    replace(shown, jobCard(session, job, AbortSignal.any([signal, leaving.signal]), { onChange: jobs.update, onEnd }));
  }

  async function started(job: JobObject): Promise<void> {
    toast('The export has started.');
    showJob(job);
    await jobs.load();
  }
}

/** A form with the version, the language and the pages of an export. */
function exportPart(session: Session, domain: string, onDone: (job: JobObject) => Promise<void>): void {
  const version = element('input', { autocomplete: 'off', maxlength: 64, autofocus: true });
  const language = element('input', { autocomplete: 'off', maxlength: 35, placeholder: 'all' });
  const paths = element('textarea', { rows: 3, placeholder: 'all pages', spellcheck: 'false' });
  const fields = [
    element(
      'div',
      { class: 'fields' },
      field('Version', version, 'Your own label. Defaults to a hash of the content.'),
      field('Language', language, 'A language code such as en. Defaults to all.'),
    ),
    field('Pages', paths, 'One path per line, such as guides/install. Defaults to all.'),
    element('p', { class: 'hint' }, 'Only an export of the whole site is served at its address; others can be downloaded.'),
  ];
  formDialog('Export with options', fields, {
    go: 'Start export',
    work() {
      const wanted = paths.value.split('\n').flatMap((line) => line.trim() || []);
      return startExport(session, domain, {
        ...(version.value.trim() && { version: version.value.trim() }),
        ...(language.value.trim() && { language: language.value.trim() }),
        ...(wanted.length > 0 && { paths: wanted }),
      });
    },
    onDone,
  });
}

async function jobsSection({ client }: Session, domain: string, signal: AbortSignal, onChoose: (job: JobObject) => void) {
  let jobs: JobObject[] = [];
  const rows = element('tbody');
  const output = element('div');
  let cursor: string | undefined;
  const read = (query: string) =>
    client.call<{ jobs: JobObject[]; cursor?: string }>(
      'GET',
      `/v1/static-export/jobs?domain=${encodeURIComponent(domain)}&limit=${pageLength}${query}`,
      { signal },
    );
  const show = () => {
    more.hidden = cursor === undefined;
    whole.hidden = jobs.length === 0;
    replace(rows, ...jobs.map(row));
  };
  /** Shows the newest jobs, or those after `known`. */
  const load = async (known: JobObject[] = [], query = '') => {
    const page = await read(query);
    jobs = [...known, ...page.jobs];
    cursor = page.cursor;
    show();
  };
  const loadMore = () => void attempt(more, output, () => load(jobs, `&cursor=${encodeURIComponent(cursor ?? '')}`));
  const more = button('Show older exports', loadMore, { hidden: true });
  const head = ['Started', 'Status', 'Commit', 'Version', 'Duration', 'Pages', 'Issues', ''];
  const whole = section('jobs', 'All exports', undefined, table('Table of the exports', head, rows), output, more);
  /** Updates a job in the list. */
  const update = (job: JobObject) => {
    jobs = jobs.map((one) => (one.jobId === job.jobId ? job : one));
    show();
  };
  await load();
  return { section: whole, load, update, newest: () => jobs[0] };

  function row(job: JobObject): HTMLElement {
    const onclick = () => {
      onChoose(job);
      document.querySelector<HTMLElement>('#job-title')!.scrollIntoView({ block: 'start' });
      announce(`Export ${job.jobId} is shown.`);
    };
    return element(
      'tr',
      element('th', { scope: 'row' }, time(job.createdAt)),
      element('td', chip(job.status)),
      element(
        'td',
        { 'data-label': 'Commit' },
        job.commit === null ? '' : element('code', { title: job.commit }, job.commit.slice(0, 8)),
      ),
      element('td', { 'data-label': 'Version' }, job.version === null ? '' : element('code', { class: 'version' }, job.version)),
      element('td', { 'data-label': 'Duration', class: 'number' }, duration(job)),
      element('td', { class: 'number' }, job.status !== 'failed' && count(job.pageCount, 'page')),
      element('td', problemsBadge(job) || (job.problems ? element('span', { class: 'muted' }, 'none') : '')),
      element(
        'td',
        { class: 'row-actions' },
        button('Show', onclick, { 'data-focus': job.jobId, 'aria-label': `Show export ${job.jobId}` }),
      ),
    );
  }
}
