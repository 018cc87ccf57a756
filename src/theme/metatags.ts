import { areaOf } from '../site/navigation/contexts.ts';
import type { PageView } from '../site/page-view.ts';

export interface Metatag {
  attribute: 'name' | 'property';
  name: string;
  content: string;
}

/** The page's `<meta>` tags: ours first, overridden by the site's, overridden by the page's own. */
export function metatags({ site, page, context }: PageView): Metatag[] {
  const description = page.description ?? page.lead;
  const given = { ...site.config.metatags, ...page.metatags };
  const ours: Record<string, string | undefined> = {
    description,
    keywords: page.keywords.join(', ') || undefined,
    robots: page.noindex ? 'noindex' : undefined,
    generator: site.generator,
    'og:title': page.title,
    'og:description': description,
    'og:site_name': site.name,
    'og:type': 'website',
    ...cardTags(page),
    'article:modified_time': page.lastUpdated,
    'carrel:site-description': page.isHome ? site.config.description : undefined,
    'carrel:description': page.lead === undefined || given['description'] !== undefined ? undefined : 'false',
    'carrel:title': page.title,
    'carrel:docs-version': page.docsVersion,
    'carrel:tag': page.tag,
    'carrel:trail': page.trail.map(({ title }) => title).join(' › '),
    'carrel:area': areaOf(context),
    'carrel:searchable': page.searchable ? undefined : 'false',
    'carrel:sitemap': page.inSitemap ? undefined : 'false',
    'carrel:llms': page.inLlms ? undefined : 'false',
    'carrel:boost': page.boost === undefined ? undefined : String(page.boost),
  };
  return Object.entries({ ...ours, ...given }).flatMap(([name, content]) =>
    content === undefined || content === ''
      ? []
      : [{ attribute: PROPERTY.test(name) ? ('property' as const) : ('name' as const), name, content }],
  );
}

function cardTags({ socialCard: card }: PageView['page']): Record<string, string> {
  if (!card) return {};
  return {
    'og:image': card.url,
    'og:image:width': String(card.width),
    'og:image:height': String(card.height),
    'og:image:alt': card.alt,
    'twitter:card': 'summary_large_image',
  };
}

// Open Graph and related vocabularies are RDFa and use `property`; all others use `name`.
const PROPERTY = /^(og|article|book|profile|music|video|fb):/;
