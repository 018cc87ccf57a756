// The exports of a site: the one that is followed, all of them, and what differs between two.
import type { JobObject } from '../../jobs/model/job-object.ts';
import { compareView } from './compare.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { button, element, externalLink, replace } from './element.ts';
import { exportList } from './export-list.ts';
import { icon } from './icons.ts';
import { jobCard } from './job.ts';
import { field, formDialog, itemsOf } from './form.ts';
import { emptyState, section } from './parts.ts';
import { mayWrite, type Session } from './session.ts';
import { startExport } from './site-jobs.ts';
import { toast } from './toast.ts';

export async function exportsTab(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  if (new URLSearchParams(location.search).has('before')) return compareView(session, domain, body, signal);
  const shown = element('div');
  let leaving = new AbortController();
  const options = button('Export with options…', () => exportPart(session, domain, started));
  const latest = `/v1/static-export/jobs?domain=${encodeURIComponent(domain)}&limit=1`;
  const [
    jobs,
    { address },
    {
      jobs: [newest],
    },
  ] = await Promise.all([
    exportList(session, domain, signal, showJob),
    session.client.call<SiteAnswer>('GET', `/v1/sites/${encodeURIComponent(domain)}`, { signal }),
    // A filter may leave it out.
    session.client.call<{ jobs: JobObject[] }>('GET', latest, { signal }),
  ]);
  const open = externalLink(address, 'Open site ', { class: 'button' });
  open.append(icon('external'));
  showOpen();
  if (newest) showJob(newest);
  else shown.replaceChildren(emptyState('No exports yet', 'Press Export now. You can follow it here, with its log.'));
  body.replaceChildren(
    section('job', 'Export', element('div.actions', open, mayWrite(session, domain) && options), shown),
    jobs.section,
  );

  function showJob(job: JobObject): void {
    const onEnd = () => void jobs.load().then(showOpen, () => undefined);
    leaving.abort();
    leaving = new AbortController();
    replace(shown, jobCard(session, job, AbortSignal.any([signal, leaving.signal]), { onChange: jobs.update, onEnd }));
  }

  function showOpen(): void {
    open.hidden = !jobs.isServed();
  }

  async function started(job: JobObject): Promise<void> {
    toast('The export has started.');
    showJob(job);
    await jobs.load();
  }
}

/** A form with the version, the language, the readers and the pages of an export. */
function exportPart(session: Session, domain: string, onDone: (job: JobObject) => Promise<void>): void {
  const version = element('input', { autocomplete: 'off', maxlength: 64, autofocus: true });
  const language = element('input', { autocomplete: 'off', maxlength: 35, placeholder: 'all' });
  const groups = element('input', { autocomplete: 'off', placeholder: 'everybody', spellcheck: 'false' });
  const epub = element('input', { type: 'checkbox' });
  const paths = element('textarea', { rows: 3, placeholder: 'all pages', spellcheck: 'false' });
  const fields = [
    element(
      'div.fields',
      field('Version', version, 'Your own label. Defaults to a hash of the content.', 'version'),
      field('Language', language, 'A language code such as en. Defaults to all.', 'language'),
    ),
    field(
      'Groups',
      groups,
      'Also pages for readers in these groups, separated by commas. Defaults to what everybody may see.',
      'groups',
    ),
    field('Pages', paths, 'One path per line, such as guides/install. Defaults to all.', 'paths'),
    element('label', epub, ' Also as a book for e-readers, an EPUB'),
    element('p.hint', 'Only an export of the whole site for everybody is served at its address; others can be downloaded.'),
  ];
  formDialog('Export with options', fields, {
    go: 'Start export',
    work() {
      const wanted = itemsOf(paths.value, '\n');
      const readers = itemsOf(groups.value, ',');
      return startExport(session, domain, {
        ...(version.value.trim() && { version: version.value.trim() }),
        ...(language.value.trim() && { language: language.value.trim() }),
        ...(readers.length > 0 && { groups: readers }),
        ...(wanted.length > 0 && { paths: wanted }),
        ...(epub.checked && { formats: ['epub'] }),
      });
    },
    onDone,
  });
}
