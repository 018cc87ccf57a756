// "Add a site": its source and its name; then its first export is started and shown.
import type { DetectionAnswer } from '../../jobs/routes/detect-routes.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { Fault } from './client.ts';
import { announce, element, muted, textInput } from './element.ts';
import { field, formDialog } from './form.ts';
import { isOperator, type Session } from './session.ts';
import { startExport } from './site-jobs.ts';
import { sourceFields } from './source-fields.ts';
import { toast } from './toast.ts';

export async function addSite(session: Session): Promise<void> {
  const { client } = session;
  const name = textInput({ required: true, placeholder: 'docs.example.com', maxlength: 253 });
  const source = sourceFields<'auto' | SiteAnswer['builder']>({ canUseFolders: isOperator(session), builder: 'auto' });
  const status = element('p.muted', { hidden: true }, 'Looking for docs in the source. A large repository can take a minute.');
  const withStatus = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    status.hidden = false;
    announce(status.textContent);
    return work().finally(() => (status.hidden = true));
  };
  let isNamed = false;
  name.addEventListener('input', () => (isNamed = name.value !== ''));
  source.element.addEventListener('input', () => {
    if (!isNamed) name.value = nameOf(source.location());
  });
  const fields = [
    muted('The first export starts right away. Nothing in a docs folder is executed.'),
    source.element,
    field('Name', name, 'The site is served at /sites/NAME/. A domain is a good name.', 'domain'),
    status,
  ];
  formDialog('Add a site', fields, {
    go: 'Add and export',
    async work() {
      const domain = name.value.trim().toLowerCase();
      const wanted = source.value();
      const { sites } = await client.call<{ sites: SiteAnswer[] }>('GET', '/v1/sites');
      if (sites.some((site) => site.domain === domain))
        throw new Fault(0, { error: `There is a site "${domain}" already. Choose another name.`, code: 'SiteExists' });
      const { body, found } = await withStatus(() => detected(session, wanted));
      await client.call('PUT', `/v1/sites/${encodeURIComponent(domain)}`, { body });
      return { domain, found };
    },
    async onDone({ domain, found }) {
      await startExport(session, domain).then(
        () => toast(`Added ${domain}. ${found} Its first export has started.`),
        (error: Error) => toast(error.message),
      );
      session.go(session.path(domain, 'exports'));
    },
  });
}

type Source = SiteAnswer['source'];
type Body = Pick<SiteAnswer, 'source' | 'builder'>;

/** Fills in the builder and the folder, if they were left to the server. Throws what it found instead of docs. */
async function detected(
  { client }: Session,
  { source, builder }: { source: Source; builder: Body['builder'] | 'auto' },
): Promise<{ body: Body; found: string }> {
  if (builder !== 'auto') return { body: { source, builder }, found: '' };
  const detection = await client.call<DetectionAnswer>('POST', '/v1/detect', { body: { source } });
  if (detection.builder === null) {
    const error = `${detection.message} Enter the folder that contains docs.json, Markdown or the Astro project.`;
    throw new Fault(0, { error, code: 'DocsNotFound' });
  }
  return { body: { source: within(source, detection.folder), builder: detection.builder }, found: detection.message };
}

function within(source: Source, folder: string): Source {
  if (folder === '') return source;
  return source.type === 'git' ? { ...source, folder } : { ...source, path: `${source.path.replace(/[/\\]+$/, '')}/${folder}` };
}

/** "my-docs" of git.example.com/team/My-Docs.git, of /srv/my-docs and of /srv/my-docs/.git. */
function nameOf(location: string): string {
  const last =
    location
      .replace(/[/\\]*(?:\.git)?[/\\]*$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? '';
  return last
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
}
