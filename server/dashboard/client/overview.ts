// The view of an organization: its sites, keys, webhooks, sessions, audit log and usage, each in a tab.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { AccountAnswer } from '../../organizations/organization-routes.ts';
import { auditTab } from './audit-log.ts';
import { element } from './element.ts';
import { count } from './format.ts';
import { keysTab } from './keys.ts';
import { emptyState, facts, section } from './parts.ts';
import type { Session, Tab } from './session.ts';
import { sessionsTab } from './sessions.ts';
import { sitesTab } from './sites.ts';
import { webhooksTab } from './webhooks.ts';

export const organizationTabs: Record<string, { name: string; show: Tab }> = {
  sites: { name: 'Sites', show: sitesTab },
  keys: { name: 'Keys', show: keysTab },
  webhooks: { name: 'Webhooks', show: webhooksTab },
  sessions: { name: 'Sessions', show: sessionsTab },
  audit: { name: 'Audit log', show: auditTab },
  usage: { name: 'Usage', show: usageTab },
};

async function usageTab({ client }: Session, body: Element, signal: AbortSignal): Promise<void> {
  const [account, { jobs }] = await Promise.all([
    client.call<AccountAnswer>('GET', '/v1/account', { signal }),
    client.call<{ jobs: JobObject[] }>('GET', '/v1/static-export/jobs?limit=100', { signal }),
  ]);
  const { keysPerHour } = account.limits;
  const counted = (status: string) => jobs.filter((job) => job.status === status).length;
  const stored = jobs.filter((job) => job.status === 'completed' && job.expiredAt === null).length;
  body.replaceChildren(
    section(
      'usage',
      'Usage',
      undefined,
      account.features.staticExport
        ? ''
        : emptyState('Exports are off', `The plan "${account.organization.plan}" does not include static export.`),
      facts(
        ['Active exports', `${count(counted('running'), 'running', 'running')}, ${count(counted('queued'), 'queued', 'queued')}`],
        ['Stored exports', count(stored, 'export')],
        ['Keys created in the past hour', `${keysPerHour.used} of ${keysPerHour.limit}`],
      ),
      element('p', { class: 'hint' }, 'Exports are those among the latest 100.'),
    ),
  );
}
