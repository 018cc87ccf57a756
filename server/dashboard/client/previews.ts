// The previews of branches of a site, with links; nothing where there are none.
import type { PreviewAnswer } from '../../jobs/causes/preview-routes.ts';
import { element, externalLink, replace, muted } from './element.ts';
import { time } from './format.ts';
import { chip, section, removal } from './parts.ts';
import { type Session } from './session.ts';

export async function previewsSection(session: Session, domain: string, signal: AbortSignal): Promise<HTMLElement> {
  const { client } = session;
  const path = `/v1/sites/${encodeURIComponent(domain)}/previews`;
  const list = element('ul.rows');
  const about = muted('Branches that were pushed. Search engines do not index them.');
  const shown = section('previews', 'Previews', undefined, about, list);
  await load();
  return shown;

  async function load(): Promise<void> {
    const { previews } = await client.call<{ previews: PreviewAnswer[] }>('GET', path, { signal });
    replace(list, ...previews.map(row));
    shown.hidden = previews.length === 0;
  }

  function row({ name, branch, address, activeJob, status, expiresAt }: PreviewAnswer): HTMLElement {
    const of = `the preview of ${branch}`;
    const remove = removal(session, load, {
      ...{ focus: name, label: `Remove ${of}`, title: `Remove ${of}?`, yes: 'Remove the preview', done: `Removed ${of}.` },
      text: 'It is no longer served. The next push to the branch makes it again.',
      domain,
      path: `${path}/${encodeURIComponent(name)}`,
    });
    return element(
      'li',
      element(
        'div',
        element('p.strong', branch, ' ', status !== null && status !== 'completed' && chip(status)),
        element('p', activeJob === null ? 'Not exported yet' : externalLink(address, address)),
        element('p.hint', 'Expires ', time(expiresAt)),
      ),
      remove,
    );
  }
}
