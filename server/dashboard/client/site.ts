// The view of a site: its actions, and its tabs.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { SiteExportAnswer } from '../../jobs/routes/export-routes.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { analyticsTab } from './site-analytics.ts';
import { assistantTab } from './site-assistant.ts';
import { audiencesSection } from './audiences.ts';
import { exportsTab } from './exports.ts';
import { button, element, externalLink, replace, type Child, muted } from './element.ts';
import { duration } from './duration.ts';
import { count, time } from './format.ts';
import { icon } from './icons.ts';
import { bundleLinks } from './job.ts';
import { attempt, copyIcon, emptyState, facts, notice, section, skeleton } from './parts.ts';
import { previewsSection } from './previews.ts';
import { problemsBadge } from './problems.ts';
import { mayWrite, tabLink, type Session, type Tab } from './session.ts';
import { failureNotices, readFailures } from './model-failures.ts';
import { scheduleText, settingsTab, visibilities } from './site-settings.ts';
import { heldBack, readExports } from './site-exports.ts';
import { findJob, isUnfinished, polled, startExport } from './site-jobs.ts';
import { sourceLine, statusChip } from './sites.ts';
import { toast } from './toast.ts';
import { warningsTab } from './warnings.ts';

type SiteTab = (session: Session, domain: string, body: Element, signal: AbortSignal) => Promise<void>;

export function siteTabs(domain: string): Record<string, { name: string; show: Tab }> {
  const of = (tab: SiteTab): Tab => {
    return (session, body, signal) => tab(session, domain, body, signal);
  };
  return {
    overview: { name: 'Overview', show: of(overviewTab) },
    exports: { name: 'Exports', show: of(exportsTab) },
    warnings: { name: 'Warnings', show: of(warningsTab) },
    assistant: { name: 'Assistant', show: of(assistantTab) },
    analytics: { name: 'Analytics', show: of(analyticsTab) },
    settings: { name: 'Settings', show: of(settingsTab) },
  };
}

/** The buttons beside the name of a site. */
export function siteActions(session: Session, domain: string, signal: AbortSignal): HTMLElement | false {
  if (!mayWrite(session, domain)) return false;
  const output = element('div');
  const start = async () => {
    await startExport(session, domain);
    if (signal.aborted) return;
    toast('The export has started.');
    session.go(session.path(domain, 'exports'));
  };
  const run = button('Export now', () => void attempt(run, output, start), { class: 'primary' });
  return element('div.site-actions', output, run);
}

async function overviewTab(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const notices = element('div.group');
  const about = element('div');
  const shown = element('div');
  /** The job whose export is shown: the frame and the download link stay as long as it is the same. */
  let framed: string | undefined;
  const load = polled(read, signal);
  const audiences = audiencesSection(session, domain, signal);
  const previews = await previewsSection(session, domain, signal);
  await load();
  body.replaceChildren(element('div.side', notices, shown), audiences.element, previews);

  /** Whether an export is running. */
  async function read(): Promise<boolean> {
    const [site, { jobs }, stored, failures] = await Promise.all([
      client.call<SiteAnswer>('GET', `/v1/sites/${encodeURIComponent(domain)}`, { signal }),
      client.call<{ jobs: JobObject[] }>('GET', `/v1/static-export/jobs?domain=${encodeURIComponent(domain)}&limit=10`, {
        signal,
      }),
      readExports(session, domain, signal),
      readFailures(session, signal),
    ]);
    await audiences.load(site.address);
    const active = await findJob(session, site.activeJob, jobs, signal);
    const [latest] = jobs;
    const ofModel = failureNotices(failures, domain, link('settings', 'Check the model'));
    replace(notices, ...proofNotice(session, site, load), ...ofModel, ...noticesOf(latest, active, stored));
    replace(about, siteFacts(site, latest, active));
    if (!active) shown.replaceChildren(element('div.side', firstExport(session, domain, latest), about));
    else if (framed !== active.jobId) {
      const side = [about, section('download', 'Download', undefined, download(session, active, signal))];
      shown.replaceChildren(element('div.site-overview', preview(site), element('div.side', ...side)));
      framed = active.jobId;
    }
    return isUnfinished(latest);
  }

  function link(tab: string, text: Child): HTMLElement {
    return element('a', { href: session.path(domain, tab), 'data-inside': true, 'data-focus': `to ${tab}` }, text);
  }

  /** Why readers do not see the latest state of the docs. */
  function noticesOf(latest: JobObject | undefined, active: JobObject | undefined, stored: SiteExportAnswer[]): HTMLElement[] {
    const held = heldBack(stored);
    const made = held ? [notice(held.reason, link('exports', 'Show the exports'))] : [];
    if (latest?.status !== 'failed' || !active) return made;
    const text = [
      element('strong', 'The latest export failed, '),
      time(latest.finishedAt ?? latest.createdAt),
      '. Readers see the one before. ',
    ];
    const failed = notice([...text, latest.error ?? ''], link('exports', 'Show the export'));
    failed.classList.add('failed');
    return [failed, ...made];
  }

  function siteFacts(site: SiteAnswer, latest: JobObject | undefined, active: JobObject | undefined): HTMLElement {
    const { address } = site;
    const url = [externalLink(address, address, { 'data-focus': 'address' }), copyIcon(address, 'Copy the URL')];
    const badge = active && problemsBadge(active);
    return facts(
      ['Status', statusChip(latest, active), isUnfinished(latest) && link('exports', 'Follow it')],
      active !== undefined && ['URL', element('span.with-icon', ...url)],
      ['Source', sourceLine(site)],
      active !== undefined && ['Served export', ...exportFacts(active), badge && link('warnings', badge)],
      ['Schedule', scheduleText(site.schedule), ' ', link('settings', 'Change')],
      site.visibility !== 'public' && [
        'Readers',
        visibilities[site.visibility],
        site.audiences && ` (also those of ${site.audiences.map(({ groups }) => groups.join(' and ')).join('; ')})`,
      ],
    );
  }
}

/** The record that the DNS has to have before the site is served. */
function proofNotice(session: Session, { domain, proof }: SiteAnswer, load: () => Promise<void>): HTMLElement[] {
  if (!proof) return [];
  const output = element('div');
  const prove = async () => {
    await session.client.call('POST', `/v1/sites/${encodeURIComponent(domain)}/proof`);
    toast(`${domain} is served.`);
    await load();
  };
  const check = button('Check the record', () => void attempt(check, output, prove), { 'data-focus': 'proof' });
  const record = [element('code', proof.value), copyIcon(proof.value, 'Copy the record'), ' at ', element('code', proof.name)];
  const text = ['This site is not served yet: show that the domain is yours, with the TXT record ', ...record, '.'];
  return [notice(text, mayWrite(session, domain) && element('div', check, output))];
}

function exportFacts(job: JobObject): Child[] {
  const parts = [duration(job), count(job.pageCount, 'page'), job.version !== null && `version ${job.version}`];
  return [
    element(
      'span',
      job.finishedAt === null ? '' : time(job.finishedAt),
      ...parts.filter(Boolean).map((part) => ` · ${String(part)}`),
    ),
    job.commit !== null && element('span', 'Commit ', element('code', { title: job.commit }, job.commit.slice(0, 8))),
  ];
}

function firstExport(session: Session, domain: string, latest: JobObject | undefined): HTMLElement {
  const seen = tabLink(session, domain, 'exports', 'Show the exports', { class: 'button' });
  if (latest?.status === 'failed')
    return emptyState('The first export failed', latest.error ?? 'Its log has the details.', [], seen);
  if (latest) return emptyState('The first export is on its way', 'The site appears here when it is completed.', [], seen);
  return emptyState('Not exported yet', 'The site appears here after its first export: press Export now.');
}

/**
 * The site in a frame. Its scripts run in their own origin; a site in the dashboard's own one could read its page, so it is not framed.
 * Frames of the site may neither leave the frame nor ask for anything.
 */
function preview({ domain, address, visibility }: SiteAnswer): HTMLElement {
  const open = externalLink(address, 'Open site ', { class: 'button' });
  open.append(icon('external'));
  // A frame of another origin has no session of a reader.
  if (visibility !== 'public' || new URL(address).origin === location.origin) return element('div.preview', open);
  const frame = element('iframe', {
    src: address,
    title: `Preview of ${domain}`,
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    referrerpolicy: 'no-referrer',
  });
  const loading = skeleton(6);
  frame.addEventListener('load', () => loading.remove());
  return element('div.preview', element('div.frame', loading, frame), open);
}

function download(session: Session, job: JobObject, signal: AbortSignal): HTMLElement {
  if (job.expiredAt !== null) return muted('The files of this export were deleted.');
  return element('div.group', muted('A zip that works from disk, offline, and on any host.'), bundleLinks(session, job, signal));
}
