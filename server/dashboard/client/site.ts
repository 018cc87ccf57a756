// The view of a site: its URL, its exports, and a form to start one.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { announce, button, element, externalLink, replace } from './element.ts';
import { count, time } from './format.ts';
import { jobCard } from './job.ts';
import { sourceText } from './overview.ts';
import { attempt, chip, field, form, section } from './parts.ts';
import { problemsBadge } from './problems.ts';
import { mayWrite, type Session } from './session.ts';

export async function siteView(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const site = await client.call<SiteAnswer>('GET', `/v1/sites/${encodeURIComponent(domain)}`, { signal });
  const facts = element('dl', { class: 'facts' });
  const shown = element('div');
  let leaving = new AbortController();
  const jobs = await jobsSection(session, site, signal, showJob);
  body.replaceChildren(
    facts,
    mayWrite(session) ? section('start', 'Start an export', undefined, startForm(session, site, started)) : '',
    section('job', 'Export', undefined, shown),
    jobs.section,
  );
  await showFacts();
  if (jobs.newest()) showJob(jobs.newest()!);
  else shown.replaceChildren(element('p', { class: 'empty' }, 'No exports yet.'));

  async function showFacts(): Promise<void> {
    const { activeJob, address } = await client.call<SiteAnswer>('GET', `/v1/sites/${encodeURIComponent(domain)}`, { signal });
    const active = activeJob ? await client.call<JobObject>('GET', `/v1/static-export/jobs/${activeJob}`, { signal }) : undefined;
    const fact = (name: string, ...value: (Node | string)[]) => element('div', element('dt', name), element('dd', ...value));
    replace(
      facts,
      fact('URL', active ? externalLink(address, address, { 'data-focus': 'address' }) : 'available after the first export'),
      fact('Exported', ...(active?.finishedAt ? [time(active.finishedAt), ` · version ${active.version}`] : ['not yet'])),
      fact('Source', sourceText(site)),
    );
  }

  function showJob(job: JobObject): void {
    const onEnd = () => void Promise.all([jobs.load(), showFacts()]).catch(() => undefined);
    leaving.abort();
    leaving = new AbortController();
    replace(shown, jobCard(session, job, AbortSignal.any([signal, leaving.signal]), { onChange: jobs.update, onEnd }));
  }

  async function started(job: JobObject): Promise<void> {
    announce('The export is queued.');
    showJob(job);
    await jobs.load();
  }
}

function startForm({ client }: Session, { domain }: SiteAnswer, onStarted: (job: JobObject) => Promise<void>): HTMLElement {
  const version = element('input', { autocomplete: 'off', maxlength: 64 });
  const language = element('input', { autocomplete: 'off', maxlength: 35, placeholder: 'all' });
  const paths = element('textarea', { rows: 3, placeholder: 'all pages', spellcheck: 'false' });
  const fields = [
    element(
      'details',
      element('summary', 'Version, language and pages'),
      element(
        'div',
        { class: 'fields' },
        field('Version', version, 'Your own label. Defaults to a hash of the content.'),
        field('Language', language, 'A language code such as en. Defaults to all.'),
      ),
      field('Pages', paths, 'One path per line, such as guides/install. Defaults to all.'),
    ),
  ];
  const start = async (): Promise<void> => {
    const wanted = paths.value.split('\n').flatMap((line) => line.trim() || []);
    const body = {
      domain,
      ...(version.value.trim() && { version: version.value.trim() }),
      ...(language.value.trim() && { language: language.value.trim() }),
      ...(wanted.length > 0 && { paths: wanted }),
    };
    await onStarted(await client.call<JobObject>('POST', '/v1/static-export/jobs', { body }));
  };
  return form('Start export', start, fields);
}

const pageLength = 10;

async function jobsSection({ client }: Session, { domain }: SiteAnswer, signal: AbortSignal, onChoose: (job: JobObject) => void) {
  let jobs: JobObject[] = [];
  const list = element('ul', { class: 'rows' });
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
    replace(list, ...jobs.map(row));
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
  /** Updates a job in the list. */
  const update = (job: JobObject) => {
    jobs = jobs.map((one) => (one.jobId === job.jobId ? job : one));
    show();
  };
  await load();
  return { section: section('jobs', 'All exports', undefined, list, output, more), load, update, newest: () => jobs[0] };

  function row(job: JobObject): HTMLElement {
    const onclick = () => {
      onChoose(job);
      document.querySelector<HTMLElement>('#job-title')!.scrollIntoView({ block: 'start' });
      announce(`Export ${job.jobId} is shown.`);
    };
    const choose = element(
      'button',
      { type: 'button', onclick, class: 'plain', 'data-focus': job.jobId, 'aria-label': `Show export ${job.jobId}` },
      element('code', job.jobId),
    );
    return element(
      'li',
      element(
        'div',
        choose,
        ' ',
        chip(job.status),
        ' ',
        problemsBadge(job),
        element(
          'p',
          { class: 'muted' },
          time(job.createdAt),
          ` · ${count(job.pageCount, 'page')}`,
          job.version ? ` · version ${job.version}` : '',
        ),
      ),
    );
  }
}
