import type { Problem } from '../../../integration/diagnostics.ts';
import type { NavigationEntry } from '../../source/docs-json.ts';
import type { Source } from '../../source/source.ts';
import { navigationOfFolder } from './folder-languages.ts';
import { navigationFromSummary } from './navigation-from-summary.ts';
import type { PageFacts } from '../page-facts.ts';
import { divisionKinds } from './navigation-items.ts';

/** The configured navigation, or else that of SUMMARY.md, or else one generated from the files. */
export function navigationOf(
  source: Source,
  pages: readonly PageFacts[],
  summary?: PageFacts,
): { root: NavigationEntry; problems: Problem[] } {
  const own = source.config?.navigation;
  if (own && (own.pages || own.groups || divisionKinds.some((name) => own[name]))) return { root: own, problems: [] };
  const root = {
    ...(summary ? navigationFromSummary(summary) : navigationOfFolder(pages)),
    ...(own?.global && { global: own.global }),
  };
  if (!source.config) return { root, problems: [] };
  const problem: Problem = {
    kind: 'navigation-missing',
    severity: 'warning',
    page: source.configFile,
    message: `${source.configFile} does not have "navigation". The navigation is generated from the files.`,
    hint: 'List the pages under "navigation" to set their order.',
  };
  return { root, problems: [problem] };
}
