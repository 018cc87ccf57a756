// The view of an organization: its sites, members, keys, webhooks, sessions, audit log and usage, each in a tab; for operators, all organizations.
import type { AccountAnswer } from '../../members/account-routes.ts';
import type { UsageAnswer } from '../../organizations/organization-routes.ts';
import { auditTab } from './audit-log.ts';
import { count, size } from './format.ts';
import { keysTab } from './keys.ts';
import { membersTab } from './members.ts';
import { organizationsTab } from './organizations.ts';
import { emptyState, facts, section } from './parts.ts';
import { isOperator, type Session, type Tab } from './session.ts';
import { sessionsTab } from './sessions.ts';
import { sitesTab } from './sites.ts';
import { webhooksTab } from './webhooks.ts';

export function organizationTabs(session: Session): Record<string, { name: string; show: Tab }> {
  return {
    sites: { name: 'Sites', show: sitesTab },
    members: { name: 'Members', show: membersTab },
    keys: { name: 'Keys', show: keysTab },
    webhooks: { name: 'Webhooks', show: webhooksTab },
    sessions: { name: 'Sessions', show: sessionsTab },
    audit: { name: 'Audit log', show: auditTab },
    usage: { name: 'Usage', show: usageTab },
    ...(isOperator(session) && { organizations: { name: 'Organizations', show: organizationsTab } }),
  };
}

async function usageTab({ client }: Session, body: Element, signal: AbortSignal): Promise<void> {
  const [account, { jobs, exports, model }] = await Promise.all([
    client.call<AccountAnswer>('GET', '/v1/account', { signal }),
    client.call<UsageAnswer>('GET', '/v1/usage', { signal }),
  ]);
  const { keysPerHour } = account.limits;
  const tokens = (number: number, kind: string) => `${number.toLocaleString('en')} ${kind}`;
  body.replaceChildren(
    section(
      'usage',
      'Usage',
      undefined,
      account.features.staticExport
        ? ''
        : emptyState('Exports are off', `The plan "${account.organization.plan}" does not include static export.`),
      facts(
        ['Active exports', `${count(jobs.running, 'running', 'running')}, ${count(jobs.queued, 'queued', 'queued')}`],
        [
          'Ended exports',
          `${tokens(jobs.completed, 'completed')}, ${tokens(jobs.failed, 'failed')}, ${tokens(jobs.canceled, 'canceled')}`,
        ],
        ['Stored exports', `${count(exports.stored, 'export')}, bundles of ${size(exports.bundleBytes)}`],
        ['Unpacked', `${size(exports.exportBytes)}; exports of a site share their equal files`],
        [
          `Model, ${model.days} days`,
          `${count(model.answers, 'answer')}, ${tokens(model.inputTokens, 'tokens in')}, ${tokens(model.outputTokens, 'out')}`,
        ],
        ['Keys created in the past hour', `${keysPerHour.used} of ${keysPerHour.limit}`],
      ),
    ),
  );
}
