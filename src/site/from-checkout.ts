// What a site takes from the git checkout of its docs folder: the links to its repository, and when its pages last changed.
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { Deployment } from '../../integration/manifest.ts';
import { showsDate, type ChangeDates } from './last-updated.ts';
import type { SiteConfig } from './model.ts';
import { changeDates, originOf } from '../source/checkout.ts';
import { parseRepository } from '../source/repository.ts';
import type { Source } from '../source/source.ts';

export interface CheckoutOptions {
  /** `URL[#ref[:folder]]`, `auto` (as git says) or `off`. Without it, `feedback` in docs.json decides. */
  repository?: string;
  deployment?: Deployment;
  /** `CARREL_REPOSITORY` is the repository of a folder without a checkout. */
  environment?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

interface FromCheckout {
  repository?: SiteConfig['repository'];
  changed?: ChangeDates;
  problems: Problem[];
}

export async function fromCheckout(source: Source, options: CheckoutOptions): Promise<FromCheckout> {
  const [links, dates] = await Promise.all([repositoryOf(source, options), datesOf(source, options)]);
  return { ...links, ...dates, problems: [...links.problems, ...dates.problems] };
}

async function repositoryOf(
  { root, config, configFile }: Source,
  { repository: option, deployment, environment = {}, signal }: CheckoutOptions,
): Promise<Pick<FromCheckout, 'repository' | 'problems'>> {
  const { suggestEdit, raiseIssue } = config?.feedback ?? {};
  const isChosen = option !== undefined && option !== 'off';
  // Docs that ask for the links mean their public site; a copy behind an air gap cannot reach them.
  const isAsked = option === undefined && deployment !== 'air-gapped' && (suggestEdit === true || raiseIssue === true);
  if (!isChosen && !isAsked) return { problems: [] };
  const missing = (reason: string): { problems: Problem[] } => ({
    problems: [
      {
        kind: 'repository-unknown',
        severity: isChosen ? 'warning' : 'note',
        ...(configFile !== undefined && { page: configFile }),
        message: `Pages have no links to edit them or to raise an issue: ${reason}.`,
        hint: 'Name the repository: --repository https://github.com/acme/docs#main:docs',
      },
    ],
  });
  const named = isChosen && option !== 'auto' ? option : environment['CARREL_REPOSITORY'];
  const found = named ? { url: named } : await originOf(root, { environment, signal });
  if ('reason' in found) return missing(found.reason);
  const repository = parseRepository(found.url);
  // The reason never quotes the URL, which can contain a password.
  if (typeof repository === 'string') return missing(`its URL ${repository}`);
  return {
    repository: {
      ...repository,
      edit: suggestEdit ?? isChosen,
      issue: raiseIssue ?? isChosen,
    },
    problems: [],
  };
}

async function datesOf(
  { root, config, configFile, pages }: Source,
  { environment, signal }: CheckoutOptions,
): Promise<Pick<FromCheckout, 'changed' | 'problems'>> {
  const siteShows = config?.metadata?.timestamp ?? false;
  const dated = pages.filter(
    (source) => !source.described && source.frontmatter.lastUpdatedDate === undefined && showsDate({ source }, siteShows),
  );
  if (dated.length === 0) return { problems: [] };
  const files = dated.map(({ file }) => file);
  const { dates, reason } = await changeDates(root, files, { environment, signal });
  const without = files.filter((file) => !dates.has(file)).length;
  if (reason === undefined || without === 0) return { changed: dates, problems: [] };
  const problem: Problem = createProblem({
    kind: 'change-date-unknown',
    ...(configFile !== undefined && { page: configFile }),
    message: `${without === 1 ? '1 page does' : `${without} pages do`} not say when ${without === 1 ? 'it' : 'they'} last changed: ${reason}.`,
    hint: 'Export from a checkout with its whole history, or set "lastUpdatedDate" in the frontmatter.',
  });
  return { changed: dates, problems: [problem] };
}
