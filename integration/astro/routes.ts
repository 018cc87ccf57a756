// What an export needs to know about the routes of an Astro site.
import type { AstroConfig, IntegrationResolvedRoute } from 'astro';
import { createProblem, type Problem } from '../diagnostics.ts';

export type Route = Pick<IntegrationResolvedRoute, 'type' | 'pattern' | 'redirect' | 'isPrerendered' | 'origin' | 'entrypoint'>;

/** Routes of Astro 4, which lists them only after the site is built. */
export function routesOfBuild(built: unknown, output: string): Route[] {
  const { routes = [] } = built as { routes?: (Route & { route: string; prerender: boolean; component: string })[] };
  return routes.map((route) => ({
    ...route,
    pattern: route.route,
    isPrerendered: output === 'static' || route.prerender,
    entrypoint: route.component,
    origin: route.component.startsWith('src/') ? 'project' : 'internal',
  }));
}

/** Redirects of the configuration from a single URL. */
export function redirectsOf(routes: Route[]): { from: string; to: string }[] {
  return routes.flatMap(({ type, pattern, redirect }) => {
    if (type !== 'redirect' || redirect === undefined || pattern.includes('[')) return [];
    return [{ from: pattern.replace(/^\/|\/$/g, ''), to: typeof redirect === 'string' ? redirect : redirect.destination }];
  });
}

/** Problems about routes that only a server can answer. */
export function routesOnRequest(routes: Route[]): Problem[] {
  const problems: Problem[] = [];
  for (const { pattern, isPrerendered, origin, type, entrypoint } of routes) {
    // Astro 5.0 reports redirects, which the export contains, as not prerendered.
    if (isPrerendered || (type === 'redirect' && !pattern.includes('['))) continue;
    const isAction = origin === 'internal' && pattern.startsWith('/_actions');
    if (origin !== 'project' && !isAction) continue;
    const what = isAction ? 'The actions of the site are' : `The ${type === 'endpoint' ? 'endpoint' : 'page'} "${pattern}" is`;
    problems.push(
      createProblem({
        kind: isAction ? 'actions-need-server' : 'route-needs-server',
        ...(isAction ? {} : { page: entrypoint }),
        message: `${what} answered by a server on each request, so the export cannot contain ${isAction ? 'them' : 'it'}.`,
        hint: isAction
          ? 'Offer another way next to each form, such as an email address.'
          : 'Add "export const prerender = true" to it, or keep it only on the online site.',
      }),
    );
  }
  return problems;
}

/** Languages by the first segment of the path. */
export function languagesOf(i18n: AstroConfig['i18n']): Record<string, string> {
  const languages: Record<string, string> = {};
  for (const locale of i18n?.locales ?? []) {
    if (typeof locale === 'string') languages[locale] = locale;
    else languages[locale.path] = locale.codes[0];
  }
  // The default language is often the one without a segment.
  if (i18n) languages[''] = languages[i18n.defaultLocale] ?? i18n.defaultLocale;
  return languages;
}

/** Other URLs of the site's files. */
export function ownUrls(assetsPrefix: AstroConfig['build']['assetsPrefix']): string[] {
  const prefixes = typeof assetsPrefix === 'string' ? [assetsPrefix] : Object.values(assetsPrefix ?? {});
  return [...new Set(prefixes.filter((prefix) => prefix !== undefined).map((prefix) => prefix.replace(/\/*$/, '/')))];
}
