import type { Problem } from '../../integration/diagnostics.ts';
import type { Source } from '../source/source.ts';
import {
  emptyEntries,
  missingEntries,
  unreadSpecifications,
  unresolvedEntryProblems,
  type NavigationSource,
} from './navigation/missing-pages.ts';
import type { PageFacts } from './page-facts.ts';
import type { KnownPages, SelectedPages } from './select-pages.ts';
import type { SiteFonts } from './site-fonts.ts';
import { unsupportedPages, unsupportedScripts, unsupportedSettings } from './unsupported.ts';

/** The problems of a source and of the site that is made of it, in the order in which they are reported. */
export function siteProblems(
  source: Source,
  { drafts }: KnownPages,
  { isPart, isChosen, shown, excluded, limited, missing, unresolved, empty }: SelectedPages,
  { entries, before, after, fonts }: { entries: NavigationSource; before: Problem[]; after: Problem[]; fonts?: SiteFonts },
): Problem[] {
  const { config, assets, problems } = source;
  const outside = new Set(excluded.map(({ source: { file } }) => file));
  const unread = unreadSpecifications(problems.filter(({ page }) => !isPart || !outside.has(page ?? '')));
  const entryProblems = unresolvedEntryProblems(
    unresolved.filter(({ reason }) => !unread.isCounted(reason)),
    entries,
  );
  const pageProblems = unsupportedPages(
    shown.map(({ facts }) => facts),
    source.unresolved,
    unread.isCounted,
  );
  return [
    ...unread.problems(),
    ...before,
    ...(isChosen ? [] : excludedPageProblems(drafts, limited)),
    ...entryProblems,
    ...missingEntries(missing, entries),
    ...emptyEntries(empty, entries),
    ...after,
    ...(config ? unsupportedSettings(config, entries.configFile, fonts) : []),
    ...pageProblems,
    ...unsupportedScripts(assets),
  ];
}

function excludedPageProblems(drafts: PageFacts[], limited: PageFacts[]): Problem[] {
  const note = (kind: Problem['kind'], { source: { file } }: PageFacts, why: string): Problem => ({
    kind,
    severity: 'note',
    page: file,
    message: `${file} ${why}. It is excluded.`,
  });
  return [
    ...drafts.map((facts) => note('page-draft', facts, 'is a draft')),
    ...limited.map((facts) =>
      note('page-limited-to-groups', facts, `is limited to ${facts.groups.join(', ')}, and exports do not have a login`),
    ),
  ];
}
