import type { PageView } from '../site/page-view.ts';

/**
 * JSON-LD of a page for search engines: https://schema.org/TechArticle and https://schema.org/BreadcrumbList. Undefined for a page that they
 * should not list. `url` is the canonical URL of the page.
 */
export function structuredData({ site, page }: PageView, url: string): string | undefined {
  if (page.noindex || site.url === undefined) return undefined;
  const root = site.url.replace(/\/?$/, '/');
  const steps = page.trail.flatMap(({ title, href }) =>
    href === undefined ? [] : [{ name: title, item: new URL(href.replace(/^\//, ''), root).href }],
  );
  const article = {
    '@type': 'TechArticle',
    headline: page.title,
    description: page.description,
    url,
    inLanguage: page.language,
    dateModified: page.lastUpdated,
    isPartOf: { '@type': 'WebSite', name: site.name, url: root },
    publisher: site.config.organization && { '@type': 'Organization', ...site.config.organization },
  };
  const breadcrumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: [...steps, { name: page.title, item: url }].map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      ...step,
    })),
  };
  const graph = page.isHome ? [article] : [article, breadcrumbs];
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c');
}
