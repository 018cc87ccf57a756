import type { DocsConfig } from '../source/docs-json.ts';
import type { Source } from '../source/source.ts';
import { siteAddress } from './find-page.ts';
import { inlineHtml } from './view/inline-html.ts';
import type { FontConfig, SiteConfig, ThemeImage } from './model.ts';
import { fontFaces, fontSheet } from './view/font-faces.ts';

const primary = '#2563eb';

/** The site's settings, with defaults. */
export function siteConfig(source: Pick<Source, 'config' | 'assets'>): SiteConfig {
  const config: Partial<DocsConfig> = source.config ?? {};
  const colors = config.colors ?? {};
  const own = colors.primary ?? primary;
  const siteFonts = fonts(config.fonts);
  const styles = source.assets.filter((asset) => asset.path.endsWith('.css')).map((asset) => `/${asset.path}`);
  return {
    description: config.description,
    colors: { primary: own, light: colors.light ?? own, dark: colors.dark ?? own },
    logo: config.logo && themeImage(config.logo),
    favicon: config.favicon && themeImage(config.favicon),
    appearance: { default: config.appearance?.default ?? 'system', strict: config.appearance?.strict ?? false },
    fonts: siteFonts,
    iconLibrary: config.icons?.library ?? 'fontawesome',
    eyebrows: config.styling?.eyebrows ?? 'section',
    codeblocks: config.styling?.codeblocks === 'dark' ? 'dark' : 'system',
    background: config.background && {
      decoration: config.background.decoration,
      color: config.background.color,
      image: config.background.image && themeImage(config.background.image),
    },
    navbar: navbar(config.navbar),
    footer: footer(config.footer),
    banner: config.banner && {
      content: inlineHtml(config.banner.content),
      dismissible: config.banner.dismissible ?? false,
      type: config.banner.type ?? 'info',
    },
    searchPrompt: config.search?.prompt,
    metatags: config.seo?.metatags ?? {},
    indexing: config.seo?.indexing ?? 'navigable',
    timestamp: config.metadata?.timestamp ?? false,
    notFound: {
      redirect: config.errors?.['404']?.redirect ?? true,
      title: config.errors?.['404']?.title,
      description: config.errors?.['404']?.description && inlineHtml(config.errors['404'].description),
    },
    variables: config.variables ?? {},
    styles: fontFaces({ fonts: siteFonts }) === undefined ? styles : [fontSheet, ...styles],
  };
}

function themeImage(image: ThemeImage): ThemeImage {
  const { light, dark, href } = image;
  return { light: siteAddress(light), dark: siteAddress(dark), ...(href && { href: siteAddress(href) }) };
}

function fonts(fonts: DocsConfig['fonts']): SiteConfig['fonts'] {
  if (!fonts) return undefined;
  const heading = font(fonts.heading ?? fonts);
  const body = font(fonts.body ?? fonts);
  return heading || body ? { heading, body } : undefined;
}

function font(font: Partial<FontConfig>): FontConfig | undefined {
  if (!font.family) return undefined;
  const { family, weight, source, format } = font;
  return { family, weight, source: source && siteAddress(source), format };
}

type NavbarLink = NonNullable<NonNullable<DocsConfig['navbar']>['links']>[number];

function navbar(navbar: DocsConfig['navbar']): SiteConfig['navbar'] {
  const links = (navbar?.links ?? []).flatMap((link) => {
    const shown = navbarLink(link);
    return shown ? [shown] : [];
  });
  const button = navbar?.primary && navbarLink(navbar.primary);
  return { links, primary: button && { ...button, type: navbar?.primary?.type ?? 'button' } };
}

const brands: Record<string, string> = { github: 'GitHub', discord: 'Discord' };

function navbarLink({ label, href, icon, type }: NavbarLink) {
  const text = label ?? brands[type ?? ''];
  return text && href ? { label: text, href: siteAddress(href), icon, type } : undefined;
}

function footer(footer: DocsConfig['footer']): SiteConfig['footer'] {
  const links = (footer?.links ?? []).map(({ header, items }) => ({
    header,
    items: (items ?? []).map((item) => ({ label: item.label, href: siteAddress(item.href) })),
  }));
  return { socials: footer?.socials ?? {}, links };
}
