import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { unreadGroup } from '../source/readers.ts';
import type { LimitedPage, Source } from '../source/source.ts';
import {
  emptyEntries,
  missingEntries,
  unreadSpecifications,
  unresolvedEntryProblems,
  type NavigationSource,
} from './navigation/missing-pages.ts';
import type { PageFacts } from './page-facts.ts';
import { normalPath } from './page-paths.ts';
import { relatedLinks } from './pages.ts';
import type { KnownPages, SelectedPages } from './select-pages.ts';
import type { SiteFonts } from './site-fonts.ts';
import { unsupportedPages, unsupportedScripts, unsupportedSettings } from './unsupported.ts';

/** The problems of a source and of the site that is made of it, in the order in which they are reported. */
export function siteProblems(
  source: Source,
  { drafts, known }: KnownPages,
  { isPart, isChosen, shown, excluded, missing, unresolved, empty }: SelectedPages,
  { entries, before, after, fonts }: { entries: NavigationSource; before: Problem[]; after: Problem[]; fonts?: SiteFonts },
): Problem[] {
  const { config, assets, problems, limited = [] } = source;
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
    ...shown.flatMap(({ facts }) => relatedProblems(facts, known, limited)),
    ...unsupportedScripts(assets),
  ];
}

function relatedProblems({ source }: PageFacts, known: KnownPages['known'], limited: LimitedPage[]): Problem[] {
  return relatedLinks(source.frontmatter.related, known).missing.map((path): Problem => {
    const isLimited = limited.some((page) => page.path === normalPath(path));
    return {
      kind: isLimited ? 'link-to-limited-page' : 'link-without-target',
      severity: isLimited ? 'note' : 'warning',
      page: source.file,
      message: `"${path}" in "related" is left out: ${isLimited ? 'readers of this export may not see that page' : 'there is no such page'}.`,
      hint: isLimited ? 'Nothing needs to change.' : 'Correct the path, or remove it.',
    };
  });
}

function excludedPageProblems(drafts: PageFacts[], limited: LimitedPage[]): Problem[] {
  return [
    ...drafts.map(({ source: { file } }): Problem =>
      createProblem({
        kind: 'page-draft',
        page: file,
        message: `${file} is a draft. It is excluded.`,
      }),
    ),
    ...limited.map(({ file, groups, snippet }): Problem => {
      const names = groups.join(', ');
      const hint = groups.includes(unreadGroup)
        ? 'Correct its frontmatter.'
        : `Export it for its readers with --groups ${groups[0]}.`;
      return snippet === undefined
        ? createProblem({
            kind: 'page-limited-to-groups',
            page: file,
            message: `${file} is limited to ${names}. It is excluded.`,
            hint,
          })
        : createProblem({
            kind: 'snippet-limited-to-groups',
            page: file,
            message: `${file} uses ${snippet}, which is limited to ${names}. The page is excluded.`,
            hint: `Limit the page to the same groups, or remove the snippet from it.`,
          });
    }),
  ];
}
