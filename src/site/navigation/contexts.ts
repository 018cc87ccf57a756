import { hash } from 'node:crypto';
import { ExportError } from '../../../integration/errors.ts';
import { languageTag } from '../../../integration/text/language-tag.ts';
import type { NavigationContext, Switch } from '../model.ts';
import { pageHref, siteHref } from '../page-paths.ts';
import { type Division, type DivisionKind, divisionKinds } from './navigation-items.ts';
import type { FoundContext } from './walk-navigation.ts';

/** Completes a context with the URLs of its divisions, now that the first page of each is known. A language or version selected by an option has no switch. */
export function navigationContext(
  found: FoundContext,
  defaultLanguage: string,
  wanted: { language?: string; docsVersion?: string } = {},
): NavigationContext {
  const context: NavigationContext = {
    language: found.language ?? defaultLanguage,
    docsVersion: found.docsVersion,
    languages: [],
    versions: [],
    products: [],
    dropdowns: [],
    tabs: [],
    anchors: [],
    sidebar: found.sidebar,
  };
  const active = new Set(found.levels.map((level) => level.active).filter((division) => division !== undefined));
  const used = new Set<DivisionKind>();
  for (const { level, active: own } of found.levels) {
    if (level.name === 'menu') continue;
    if (
      (level.name === 'languages' && wanted.language !== undefined) ||
      (level.name === 'versions' && wanted.docsVersion !== undefined)
    )
      continue;
    // Otherwise, a nested level of the same kind would be merged with the outer one.
    const name =
      used.has(level.name) && own
        ? (divisionKinds.find((other) => other === 'dropdowns' && !used.has(other)) ?? level.name)
        : level.name;
    if (own) used.add(name);
    addSwitches(context[name], switches(level.divisions, active));
  }
  return context;
}

/** Adds those that no other level already shows, such as tabs that `global` repeats: by title, with the same URL or one below it. */
function addSwitches(shown: Switch[], added: Switch[]): void {
  const outer = [...shown];
  for (const one of added) {
    const same = outer.find(({ label, href }) => label === one.label && (href.startsWith(one.href) || one.href.startsWith(href)));
    if (!same) shown.push(one);
    else if (one.active && !same.active) shown[shown.indexOf(same)] = one;
  }
}

function switches(divisions: Division[], active: ReadonlySet<Division>): Switch[] {
  return divisions.flatMap((division) => {
    const { entry, label } = division;
    const href = division.first !== undefined ? pageHref(division.first) : entry.href && siteHref(entry.href);
    if (!href || entry.hidden) return [];
    const menu = division.menu && switches(division.menu, active);
    const { icon, description, tag, color } = entry;
    return [{ label, href, active: active.has(division), icon, description, tag, color, menu: menu?.length ? menu : undefined }];
  });
}

/** The contexts of the requested language and version. Contexts without a language or version are included. */
export function selectedContexts(
  contexts: readonly FoundContext[],
  wanted: { language?: string; docsVersion?: string },
): Set<FoundContext> {
  const languages = new Set(contexts.flatMap((context) => context.language ?? []));
  const language = wanted.language === undefined || languages.size === 0 ? undefined : languageTag(wanted.language);
  if (language !== undefined && !languages.has(language)) {
    throw new ExportError(
      'LanguageNotFound',
      `The docs do not have a language "${wanted.language}".`,
      `Use one of: ${[...languages].join(', ')}.`,
    );
  }
  const inLanguage = contexts.filter(
    (context) => language === undefined || context.language === undefined || context.language === language,
  );
  const versions = new Set(inLanguage.flatMap((context) => context.docsVersion ?? []));
  const { docsVersion } = wanted;
  if (docsVersion !== undefined && !versions.has(docsVersion)) {
    const hint = versions.size
      ? `Use one of: ${[...versions].map((one) => `"${one}"`).join(', ')}.`
      : 'The docs do not have versions.';
    throw new ExportError('VersionNotFound', `The docs do not have a version "${docsVersion}".`, hint);
  }
  return new Set(
    inLanguage.filter(
      (context) => docsVersion === undefined || context.docsVersion === undefined || context.docsVersion === docsVersion,
    ),
  );
}

/** Whether a part belongs to the requested language and version; a part without one always does. */
export function isWanted(
  part: { language?: string; docsVersion?: string },
  wanted: { language?: string; docsVersion?: string },
): boolean {
  const { language, docsVersion } = part;
  if (wanted.language !== undefined && language !== undefined && language !== languageTag(wanted.language)) return false;
  return wanted.docsVersion === undefined || docsVersion === undefined || docsVersion === wanted.docsVersion;
}

/** The part of the site that search finds alone: its product, else its entry of a menu, its tab or its anchor. */
export function areaOf({ products, dropdowns, tabs, anchors }: Omit<NavigationContext, 'sidebar'>): string | undefined {
  const divided = [products, dropdowns, tabs, anchors].find(
    (switches) => switches.length > 1 && switches.some(({ active }) => active),
  );
  return divided?.find(({ active }) => active)?.label;
}

const digests = new WeakMap<NavigationContext, string>();

/** SHA-256 (hex) of a navigation context without its sidebar. Contexts are immutable, so it is computed once. */
export function headerDigest(context: NavigationContext): string {
  let digest = digests.get(context);
  if (digest === undefined) {
    const { sidebar: _, ...header } = context;
    digest = hash('sha256', JSON.stringify(header), 'hex');
    digests.set(context, digest);
  }
  return digest;
}
