// The previews of branches of a site, with links; nothing where there are none.
import type { PreviewAnswer } from '../../jobs/causes/preview-routes.ts';
import { button, element, externalLink, replace } from './element.ts';
import { time } from './format.ts';
import { chip, confirm, section } from './parts.ts';
import { mayWrite, type Session } from './session.ts';
import { toast } from './toast.ts';

export async function previewsSection(session: Session, domain: string, signal: AbortSignal): Promise<HTMLElement> {
  const { client } = session;
  const path = `/v1/sites/${encodeURIComponent(domain)}/previews`;
  const list = element('ul', { class: 'rows' });
  const about = element('p', { class: 'muted' }, 'Branches that were pushed. Search engines do not index them.');
  const shown = section('previews', 'Previews', undefined, about, list);
  await load();
  return shown;

  async function load(): Promise<void> {
    const { previews } = await client.call<{ previews: PreviewAnswer[] }>('GET', path, { signal });
    replace(list, ...previews.map(row));
    shown.hidden = previews.length === 0;
  }

  function row({ name, branch, address, activeJob, status, expiresAt }: PreviewAnswer): HTMLElement {
    const remove = () =>
      confirm(
        `Remove the preview of ${branch}?`,
        'It is no longer served. The next push to the branch makes it again.',
        'Remove the preview',
        async () => {
          await client.call('DELETE', `${path}/${encodeURIComponent(name)}`);
          toast(`Removed the preview of ${branch}.`);
          await load();
        },
      );
    return element(
      'li',
      element(
        'div',
        element('p', { class: 'strong' }, branch, ' ', status !== null && status !== 'completed' && chip(status)),
        element('p', activeJob === null ? 'Not exported yet' : externalLink(address, address)),
        element('p', { class: 'hint' }, 'Expires ', time(expiresAt)),
      ),
      mayWrite(session) && button('Remove', remove, { 'data-focus': name, 'aria-label': `Remove the preview of ${branch}` }),
    );
  }
}
