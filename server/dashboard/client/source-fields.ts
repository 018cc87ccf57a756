// The fields of a source: a git repository with branch and folder, or a folder on the server.
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { Fault } from './client.ts';
import { element, textInput } from './element.ts';
import { field } from './form.ts';

type Source = SiteAnswer['source'];
type Builder = SiteAnswer['builder'];
/** `auto`: the server looks at the source. */
type Content = Builder | 'auto';

export interface SourceFields<Chosen extends Content> {
  element: HTMLElement;
  /** What was typed as the repository or the folder. */
  location(): string;
  /** The fields as the API takes them. */
  value(): { source: Source; builder: Chosen };
}

/** Folders, and projects whose own code runs, need the scope `operator`. */
export function sourceFields<Chosen extends Content>({
  canUseFolders,
  source = { type: 'git', url: '' },
  builder,
}: {
  canUseFolders: boolean;
  source?: Source;
  builder: Chosen;
}): SourceFields<Chosen> {
  const text = (value: string, attributes: Record<string, string | number | boolean> = {}) => textInput({ value, ...attributes });
  const git = source.type === 'git' ? source : undefined;
  const url = text(git?.url ?? '', { required: true, placeholder: 'https://…/team/docs.git', autofocus: true });
  const branch = text(git?.ref ?? '', { placeholder: 'default branch' });
  const inside = text(git?.folder ?? '', { placeholder: builder === 'auto' ? 'detected' : 'whole repository' });
  const path = text(source.type === 'folder' ? source.path : '', { required: true, placeholder: '/srv/docs' });
  const kind = select({ git: 'Git repository', folder: 'Folder on the server' }, source.type);
  const build = select(builder === 'auto' ? { auto: 'Detect automatically', ...builders } : builders, builder);
  const gitFields = element(
    'div.group',
    field('Repository', url, 'https:// or ssh://; private ones with the credentials of the server.', 'source.url'),
    element(
      'div.fields',
      field('Branch or tag', branch, undefined, 'source.ref'),
      field('Folder in the repository', inside, undefined, 'source.folder'),
    ),
  );
  const folderFields = element('div.group', field('Folder', path, "Absolute path on the server's machine.", 'source.path'));
  const show = () => {
    const isGit = kind.value === 'git';
    gitFields.hidden = !isGit;
    folderFields.hidden = isGit;
    // A hidden field that is required would block the form without a word.
    url.disabled = !isGit;
    path.disabled = isGit;
  };
  kind.addEventListener('change', show);
  show();
  const whole = element(
    'div.group',
    canUseFolders &&
      element('div.fields', field('Source', kind, undefined, 'source.type'), field('Content', build, undefined, 'builder')),
    gitFields,
    folderFields,
  );
  return {
    element: whole,
    location: () => (kind.value === 'git' ? url : path).value.trim(),
    value: () => ({
      source: kind.value === 'git' ? gitSource() : { type: 'folder', path: path.value.trim() },
      builder: build.value as Chosen,
    }),
  };

  function gitSource(): Source {
    const [ref, folder] = [branch.value.trim(), inside.value.trim()];
    checkRepository(url.value.trim());
    return { type: 'git', url: url.value.trim(), ...(ref && { ref }), ...(folder && { folder }) };
  }
}

/** Names of the builders. */
export const builders: Record<Builder, string> = { docs: 'Docs folder', astro: 'Astro project', html: 'Built HTML' };

/** Throws for the path of a folder, which a browser would send on as it is. */
function checkRepository(url: string): void {
  if (!/^(?:[/~.]|file:|[a-z]:[/\\])/i.test(url)) return;
  const error = `"${url}" is a path, but the server fetches repositories by https:// or ssh://. To export a folder on the server's machine, choose "Folder on the server" as the source, which takes the permission operator.`;
  throw new Fault(0, { error, code: 'RepositoryIsPath' });
}

/** A selection of texts by value. */
export function select(options: Record<string, string>, chosen: string): HTMLSelectElement {
  return element(
    'select',
    ...Object.entries(options).map(([value, text]) => element('option', { value, selected: value === chosen }, text)),
  );
}
