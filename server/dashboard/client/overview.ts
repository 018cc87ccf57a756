// The view of an organization: its sites, current usage and limits, keys and webhooks.
import { announce, button, element, externalLink, replace } from './element.ts';
import { count, time } from './format.ts';
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { AccountAnswer } from '../../organizations/organization-routes.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import type { WebhookAnswer } from '../../webhooks/webhook-routes.ts';
import { keysSection, showSecret } from './keys.ts';
import { chip, confirm, field, formDialog, section } from './parts.ts';
import { mayWrite, type Session } from './session.ts';

export async function overview(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const [{ sites }, { jobs }] = await Promise.all([
    client.call<{ sites: SiteAnswer[] }>('GET', '/v1/sites', { signal }),
    client.call<{ jobs: JobObject[] }>('GET', '/v1/static-export/jobs?limit=100', { signal }),
  ]);
  const limits = element('dl', { class: 'limits' });
  const showLimits = async () => {
    const account = await client.call<AccountAnswer>('GET', '/v1/account', { signal });
    limits.replaceChildren(...limitRows(account, jobs));
  };
  await showLimits();
  const { plan } = session.account.organization;
  body.replaceChildren(
    element(
      'p',
      { class: 'lead' },
      `Plan: ${plan}. `,
      session.account.features.staticExport ? '' : 'It does not include static export.',
    ),
    section('sites', 'Sites', undefined, await sitesList(session, sites, jobs, signal)),
    section('limits', 'Limits', undefined, limits),
    await keysSection(session, sites, showLimits, signal),
    await webhooksSection(session, signal),
  );
}

async function sitesList(session: Session, sites: SiteAnswer[], jobs: JobObject[], signal: AbortSignal): Promise<HTMLElement> {
  if (sites.length === 0) {
    return element(
      'p',
      { class: 'empty' },
      'No sites yet. Register one with ',
      element('code', 'carrel site'),
      ' or ',
      element('code', 'PUT /v1/sites/{domain}'),
      '.',
    );
  }
  const exported = await Promise.all(sites.map(({ activeJob }) => findJob(session, activeJob, jobs, signal)));
  const items = sites.map((site, index) => {
    const latest = jobs.find(({ domain }) => domain === site.domain);
    const finishedAt = exported[index]?.finishedAt;
    return element(
      'li',
      { class: 'card' },
      element('h3', element('a', { href: session.path(site.domain), 'data-inside': true }, site.domain)),
      latest && latest.status !== 'completed' && chip(latest.status),
      element('p', finishedAt ? 'Exported ' : 'Not exported yet', finishedAt ? time(finishedAt) : ''),
      finishedAt !== undefined && element('p', externalLink(site.address, site.address)),
      element('p', { class: 'muted' }, sourceText(site)),
    );
  });
  return element('ul', { class: 'cards' }, ...items);
}

async function findJob(
  { client }: Session,
  id: string | null,
  jobs: JobObject[],
  signal: AbortSignal,
): Promise<JobObject | undefined> {
  if (id === null) return undefined;
  return (
    jobs.find(({ jobId }) => jobId === id) ?? (await client.call<JobObject>('GET', `/v1/static-export/jobs/${id}`, { signal }))
  );
}

export function sourceText({ source, builder }: SiteAnswer): string {
  const origin =
    source.type === 'folder'
      ? source.path
      : [source.url, source.ref && `at ${source.ref}`, source.folder && `in ${source.folder}`].filter(Boolean).join(' ');
  return builder === 'astro' ? `${origin} (Astro project)` : origin;
}

const limitNames: Record<string, string> = { keysPerHour: 'Keys created in the past hour' };

function limitRows({ limits }: AccountAnswer, jobs: JobObject[]): HTMLElement[] {
  const row = (name: string, value: string | HTMLElement) => element('div', element('dt', name), element('dd', value));
  const given = Object.entries(limits).map(([name, { used, limit }]) => row(limitNames[name] ?? name, `${used} of ${limit}`));
  const counted = (status: string) => jobs.filter((job) => job.status === status).length;
  const stored = jobs.filter((job) => job.status === 'completed' && job.expiredAt === null).length;
  return [
    ...given,
    row('Current exports', `${count(counted('running'), 'running', 'running')}, ${count(counted('queued'), 'queued', 'queued')}`),
    row('Stored exports', count(stored, 'export')),
  ];
}

async function webhooksSection(session: Session, signal: AbortSignal): Promise<HTMLElement> {
  const { client } = session;
  const list = element('ul', { class: 'rows' });
  const load = async () => {
    const { webhooks } = await client.call<{ webhooks: WebhookAnswer[] }>('GET', '/v1/webhooks', { signal });
    replace(list, ...webhooks.map(row));
    if (webhooks.length === 0)
      list.append(
        element('li', { class: 'empty' }, 'No webhooks yet. A webhook notifies you when an export completes or fails.'),
      );
  };
  await load();
  const add = button('Add a webhook', () => addWebhook(session, load));
  return section('webhooks', 'Webhooks', mayWrite(session) ? add : undefined, list);

  function row({ webhookId, url, events }: WebhookAnswer): HTMLElement {
    const ask = () =>
      confirm(
        'Remove the webhook?',
        `The server stops sending messages to ${url}, including those for finished exports.`,
        'Remove the webhook',
        async () => {
          await client.call('DELETE', `/v1/webhooks/${webhookId}`);
          announce('Removed the webhook.');
          await load();
        },
      );
    const remove = button('Remove', ask, { 'data-focus': webhookId, 'aria-label': `Remove ${url}` });
    return element(
      'li',
      element('div', element('code', url), element('p', { class: 'muted' }, events.join(', '))),
      mayWrite(session) && remove,
    );
  }
}

function addWebhook({ client }: Session, onAdded: () => Promise<void>): void {
  const url = element('input', {
    type: 'url',
    required: true,
    maxlength: 2048,
    placeholder: 'https://',
    autofocus: true,
    autocomplete: 'off',
  });
  formDialog('Add a webhook', [field('URL', url, 'Receives a signed POST request when an export completes or fails.')], {
    go: 'Add',
    work: () => client.call<{ secret: string }>('POST', '/v1/webhooks', { body: { url: url.value } }),
    onDone({ secret }) {
      showSecret(
        'The secret of the webhook',
        secret,
        "Copy the secret now: the receiver checks signatures with it. The server can't show it again.",
      );
      return onAdded();
    },
  });
}
