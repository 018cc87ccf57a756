// Push hooks of a site: services whose pushes start an export. The secret of each is shown once.
import { button, element, replace, muted } from './element.ts';
import { time } from './format.ts';
import { showSecret } from './keys.ts';
import { field, formDialog } from './form.ts';
import { copyIcon, section, removal } from './parts.ts';
import { mayWrite, type Session } from './session.ts';
import { select } from './source-fields.ts';

interface Hook {
  service: string;
  url: string;
  createdAt: string;
}
const services: Record<string, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  bitbucket: 'Bitbucket Cloud',
  'bitbucket-data-center': 'Bitbucket Data Center',
  generic: 'Another program',
};

export async function pushHooksSection(session: Session, domain: string, signal: AbortSignal): Promise<HTMLElement> {
  const { client } = session;
  const path = `/v1/sites/${encodeURIComponent(domain)}/hooks`;
  const list = element('ul.rows');
  const none = element('p.hint', 'There is no push hook yet.');
  const load = async () => {
    const { hooks } = await client.call<{ hooks: Hook[] }>('GET', path, { signal });
    replace(list, ...hooks.map(row));
    list.hidden = hooks.length === 0;
    none.hidden = !list.hidden;
  };
  await load();
  const add = button('Add a push hook', addHook);
  const about = 'Your git service calls the server at each push, and the export starts within seconds.';
  return section('hooks', 'Push hooks', mayWrite(session, domain) ? add : undefined, muted(about), list, none);

  function addHook(): void {
    const service = select(services, 'github');
    service.autofocus = true;
    const hint = 'If there is a hook for it already, its secret is replaced.';
    formDialog('Add a push hook', [field('Service', service, hint)], {
      go: 'Add',
      work: () => client.call<Hook & { secret: string }>('PUT', `${path}/${service.value}`),
      async onDone({ url, secret }) {
        const name = services[service.value]!;
        const text = element(
          'span',
          service.value === 'generic' ? 'Send a POST request to ' : `In the webhook settings of ${name}, enter the URL `,
          element('code', url),
          copyIcon(url, 'Copy the URL'),
          service.value === 'generic'
            ? ' with the header Authorization: Bearer SECRET, and the branch in the body, such as { "branch": "main" }.'
            : ', the content type application/json, and this secret.',
          " Copy the secret now: the server can't show it again.",
        );
        showSecret(`The secret for ${name}`, secret, text);
        await load();
      },
    });
  }

  function row({ service, url, createdAt }: Hook): HTMLElement {
    const name = services[service] ?? service;
    const remove = removal(session, load, {
      ...{ focus: service, label: `Remove the hook for ${name}`, title: `Remove the hook for ${name}?`, yes: 'Remove the hook' },
      text: 'Its secret stops working, and pushes start no exports.',
      domain,
      path: `${path}/${service}`,
      done: `Removed the hook for ${name}.`,
    });
    return element(
      'li',
      element(
        'div',
        element('p.strong', name),
        element('p.with-icon', element('code', url), copyIcon(url, `Copy the URL for ${name}`)),
        element('p.hint', 'Added ', time(createdAt)),
      ),
      remove,
    );
  }
}
