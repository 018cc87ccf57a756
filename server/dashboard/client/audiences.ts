// The audiences of a site: what the readers of each see; nothing where there are none.
import type { SiteAudienceAnswer } from '../../jobs/routes/export-routes.ts';
import { element, externalLink, muted, replace } from './element.ts';
import { count, size, time } from './format.ts';
import { chip, section, table, tableRow } from './parts.ts';
import { mayWrite, type Session } from './session.ts';

export function audiencesSection(session: Session, domain: string, signal: AbortSignal) {
  const rows = element('tbody');
  const head = ['Groups', 'Export', 'Pages', 'Size', 'Last job', ''];
  const about = muted('Readers who see the pages for these groups as well. Each audience has an export of its own.');
  const shown = section('audiences', 'Audiences', undefined, about, table('Table of the audiences', head, rows));
  return {
    element: shown,
    async load(address: string): Promise<void> {
      const path = `/v1/sites/${encodeURIComponent(domain)}/audiences`;
      const { audiences } = await session.client.call<{ audiences: SiteAudienceAnswer[] }>('GET', path, { signal });
      replace(rows, ...audiences.map((one) => row(one, address)));
      shown.hidden = audiences.length === 0;
    },
  };

  function row({ groups, export: served, lastJob }: SiteAudienceAnswer, address: string): HTMLElement {
    const name = groups.join(', ');
    const url = new URL(address);
    for (const group of groups) url.searchParams.append('carrel-view', group);
    return tableRow(
      head,
      name,
      served ? time(served.createdAt) : 'None: they see what everybody sees',
      element('td.number', served ? count(served.pages, 'page') : ''),
      element('td.number', served ? size(served.bytes) : ''),
      lastJob ? [chip(lastJob.status), lastJob.error !== null && element('span.hint', ` ${lastJob.error}`)] : '',
      mayWrite(session, domain) && externalLink(url.href, `View as ${name}`, { class: 'button', 'data-focus': `view ${name}` }),
    );
  }
}
