// The sites of an organization as a table, which follows exports that are running.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { addSite } from './add-site.ts';
import { button, element, externalLink, replace, type Child, textInput } from './element.ts';
import { duration } from './duration.ts';
import { count, time } from './format.ts';
import { icon } from './icons.ts';
import { bindFilter, pagedList, pageOf } from './list.ts';
import { readFailures } from './model-failures.ts';
import { field } from './form.ts';
import { chip, copyIcon, emptyState, menu, section, table, tableRow } from './parts.ts';
import { problemsBadge } from './problems.ts';
import { mayWrite, type Session } from './session.ts';
import { findJob, isUnfinished, latestJobs, polled, startExport } from './site-jobs.ts';
import { removeSite } from './site-settings.ts';
import { builders, select } from './source-fields.ts';
import { toast } from './toast.ts';

/** From this number of sites on, they can be searched and filtered. */
const many = 10;
const states = {
  running: 'Exporting or queued',
  live: 'Live',
  failed: 'Export failed',
  none: 'Not exported',
  model: 'Model fails',
};
type State = keyof typeof states;

export async function sitesTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  /** The exports that are served, by ID: a completed one does not change. */
  const served = new Map<string, JobObject | undefined>();
  const add = button('Add a site', () => void addSite(session), { class: 'primary' });
  const search = textInput({ type: 'search', placeholder: 'Name or source' });
  const state = select({ '': 'All', ...states }, '');
  const finder = element('div.fields.filters', field('Find a site', search), field('State', state));
  const number = element('p.hint', { role: 'status' });
  const rows = element('tbody');
  const head = ['Site', 'Status', 'Source', 'Last export', ''];
  const list = element('div.sites', table('Table of the sites', head, rows));
  const unmatched = emptyState(
    'No site matches',
    'Search for another part of its name, its repository or its folder, or choose all.',
  );
  const none = emptyState(
    'No sites yet',
    'A site is a docs folder that the server exports, serves and searches.',
    [
      ['Connect your docs', 'A git repository with its branch, or a folder on the server.'],
      ['Watch the first export', 'It starts by itself and lists what to fix, by file and line.'],
      ['Share it', 'Open the site at its URL, or download it as a zip that works offline.'],
    ],
    mayWrite(session) ? button('Add your first site', () => void addSite(session), { class: 'primary' }) : undefined,
  );
  let sites: SiteAnswer[] = [];
  let latest = new Map<string, JobObject>();
  let failing = new Set<string>();
  const paged = pagedList<SiteAnswer>({
    ...{ name: 'sites', more: 'Show more sites', pageLength: 50, show },
    read(cursor, limit) {
      const found = sites.filter(isWanted);
      number.textContent =
        found.length > 0 && found.length < sites.length ? `${count(found.length, 'site')} of ${sites.length}` : '';
      return pageOf(found, cursor, limit);
    },
  });
  bindFilter(search, 'search', paged.reload);
  bindFilter(state, 'state', paged.reload);
  const load = polled(read, signal);
  await load();
  const parts = [finder, number, list, paged.element, unmatched, none];
  body.replaceChildren(section('sites', 'Sites', mayWrite(session) ? add : undefined, ...parts));

  /** Whether an export is running. */
  async function read(): Promise<boolean> {
    [{ sites }, latest, failing] = await Promise.all([
      client.call<{ sites: SiteAnswer[] }>('GET', '/v1/sites', { signal }),
      latestJobs(session, signal),
      readFailures(session, signal).then((failures) => new Set(failures.map(({ domain }) => domain))),
    ]);
    const known = [...latest.values()];
    const unread = sites.flatMap(({ activeJob }) => (activeJob === null || served.has(activeJob) ? [] : activeJob));
    await Promise.all(unread.map(async (id) => served.set(id, await findJob(session, id, known, signal))));
    await paged.load();
    return known.some(isUnfinished);
  }

  function isWanted(site: SiteAnswer): boolean {
    const { domain, source } = site;
    const text = `${domain} ${Object.values(locationOf(source)).join('/')}`.toLowerCase();
    return (
      text.includes(search.value.trim().toLowerCase()) && (state.value === '' || statesOf(site).includes(state.value as State))
    );
  }

  function statesOf({ domain, activeJob }: SiteAnswer): State[] {
    const job = latest.get(domain);
    const made: State = isUnfinished(job)
      ? 'running'
      : job?.status === 'failed'
        ? 'failed'
        : activeJob === null
          ? 'none'
          : 'live';
    return failing.has(domain) ? [made, 'model'] : [made];
  }

  function show(shown: SiteAnswer[]): void {
    finder.hidden = sites.length < many;
    list.hidden = shown.length === 0;
    unmatched.hidden = sites.length === 0 || shown.length > 0;
    add.hidden = sites.length === 0;
    none.hidden = sites.length > 0;
    // An open menu belongs to a row.
    if (list.querySelector('.menu:popover-open')) return;
    replace(rows, ...shown.map((site) => row(site, latest.get(site.domain), served.get(site.activeJob ?? ''))));
  }

  function row(site: SiteAnswer, latest: JobObject | undefined, active: JobObject | undefined): HTMLElement {
    const { domain, address } = site;
    const hasFailed = latest?.status === 'failed' && active !== undefined;
    const start = async () => {
      await startExport(session, domain);
      toast(`The export of ${domain} has started.`);
      await load();
    };
    const run = button('Export', () => void start().catch((error: Error) => toast(error.message)), {
      'data-focus': `export ${domain}`,
      'aria-label': `Export ${domain}`,
    });
    const link = (text: string, tab?: string) => element('a', { href: session.path(domain, tab), 'data-inside': true }, text);
    const actions = [
      active && externalLink(address, 'Open site'),
      link('Exports', 'exports'),
      link('Warnings', 'warnings'),
      link('Settings', 'settings'),
      mayWrite(session) && button('Remove…', () => removeSite(session, domain, load), { class: 'danger-text' }),
    ].filter((action) => action !== false && action !== undefined);
    return tableRow(
      head,
      [
        element('a.name', { href: session.path(domain), 'data-inside': true, 'data-focus': domain }, domain),
        active &&
          element(
            'span.with-icon.address',
            externalLink(address, address.replace(/^https?:\/\//, ''), { 'data-focus': `address ${domain}` }),
            copyIcon(address, `Copy the address of ${domain}`),
          ),
      ],
      element(
        'td',
        statusChip(latest, active),
        hasFailed && element('p.hint', 'Still serves the one before'),
        failing.has(domain) && element('p.hint', 'Its model fails'),
      ),
      sourceLine(site),
      exportLine(latest ?? active),
      element('div', mayWrite(session, domain) && run, menu(`Actions for ${domain}`, actions)),
    );
  }
}

export function statusChip(latest: JobObject | undefined, active: JobObject | undefined): HTMLElement {
  if (latest?.status === 'running') return chip('running', `Exporting ${Math.floor(latest.progress)} %`);
  if (latest?.status === 'queued') return chip('queued', 'Queued');
  if (latest?.status === 'failed') return chip('failed', 'Export failed');
  return active ? chip('completed', 'Live') : chip('canceled', 'Not exported');
}

/** "just now · 3.2 s · 57 pages", and the number of warnings. */
function exportLine(job: JobObject | undefined): HTMLElement {
  if (!job) return element('span.muted', 'None yet');
  const parts: Child[] = [duration(job), job.status !== 'failed' && count(job.pageCount, 'page')];
  return element(
    'span.export-line',
    element('span', time(job.finishedAt ?? job.createdAt), ...parts.filter(Boolean).map((part) => ` · ${part as string}`)),
    problemsBadge(job),
  );
}

/** Where a repository or a folder is, and the part that tells it from others: "git.example.com" and "team/docs", "/srv" and "docs". */
function locationOf(source: SiteAnswer['source']): { parent: string; name: string } {
  const path = source.type === 'git' ? source.url.replace(/^(?:https|ssh):\/\/(?:[^@/]*@)?|\/*(?:\.git)?\/*$/g, '') : source.path;
  const [, parent = '', name = path] = (source.type === 'git' ? /^([^/]*)\/(.*)$/s : /^(.*)[/\\]([^/\\]+)$/s).exec(path) ?? [];
  return { parent, name };
}

/** The source with an icon: its repository, host and branch, or its folder. */
export function sourceLine({ source, builder }: SiteAnswer): HTMLElement {
  const isGit = source.type === 'git';
  const { parent, name } = locationOf(source);
  const about = [
    parent,
    isGit && (source.ref ?? 'default branch'),
    isGit && source.folder,
    builder !== 'docs' && builders[builder],
  ];
  return element(
    'span.with-icon.source',
    { title: isGit ? source.url : source.path },
    icon(isGit ? 'branch' : 'folder'),
    element(
      'span',
      element('span.path', name),
      element('span.muted', about.filter((part) => part !== false && part !== undefined && part !== '').join(' · ')),
    ),
  );
}
