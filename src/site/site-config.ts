import { createRequire } from 'node:module';
import type { Nodes } from 'mdast';
import { isRecord } from '../../integration/text/json.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { languageTag } from '../../integration/text/language-tag.ts';
import type { DocsConfig, NavigationEntry } from '../source/docs-json.ts';
import type { Source } from '../source/source.ts';
import type { FontConfig, SiteConfig, ThemeImage } from './model.ts';
import { pageMenu } from './page-menu.ts';
import { siteHref } from './page-paths.ts';
import { fontSheet, type SiteFonts } from './site-fonts.ts';
import { divisionKinds } from './navigation/navigation-items.ts';

const primary = '#2563eb';
const require = createRequire(import.meta.url);

/** The site's settings, with defaults. */
export function siteConfig(
  source: Pick<Source, 'config' | 'assets'>,
  { isOffline = false, fonts: found }: { isOffline?: boolean; fonts?: SiteFonts } = {},
): SiteConfig {
  const config: Partial<DocsConfig> = source.config ?? {};
  const colors = config.colors ?? {};
  const own = colors.primary ?? primary;
  const code = codeblocks(config.styling?.codeblocks);
  // Without docs.json, they belong to another generator's theme or to examples.
  const styles = source.config ? source.assets.filter(({ path }) => path.endsWith('.css')).map(({ path }) => `/${path}`) : [];
  return {
    description: config.description,
    colors: { primary: own, light: colors.light ?? own, dark: colors.dark ?? own },
    logo: config.logo && themeImage(config.logo),
    favicon: config.favicon && themeImage(config.favicon),
    appearance: { default: config.appearance?.default ?? 'system', strict: config.appearance?.strict ?? false },
    fonts: fonts(config.fonts),
    iconLibrary: config.icons?.library ?? 'fontawesome',
    eyebrows: config.styling?.eyebrows ?? 'section',
    ...code,
    background: config.background && {
      decoration: config.background.decoration,
      color: config.background.color,
      image: config.background.image && themeImage(config.background.image),
    },
    navbar: navbar(config.navbar),
    footer: footer(config.footer),
    banner: banner(config.banner),
    byLanguage: byLanguage(config.navigation),
    drilldown: config.interaction?.drilldown ?? false,
    searchPrompt: config.search?.prompt,
    pageMenu: pageMenu(config.contextual, isOffline),
    downloads: [...new Set(config.downloads)],
    metatags: config.seo?.metatags ?? {},
    organization: config.seo?.organization,
    indexing: config.seo?.indexing ?? 'navigable',
    timestamp: config.metadata?.timestamp ?? false,
    instructions: config.markdown?.instructions?.join('\n').trim() || undefined,
    feedback: config.feedback?.thumbsRating ?? true,
    notFound: {
      redirect: config.errors?.['404']?.redirect ?? true,
      title: config.errors?.['404']?.title,
      description: config.errors?.['404']?.description && inlineHtml(config.errors['404'].description),
    },
    variables: config.variables ?? {},
    styles: [...(code.codeTheme ? [codeSheet] : []), ...(found && found.assets.length > 0 ? [fontSheet] : []), ...styles],
  };
}

/** URL of the stylesheet with the colors of `styling.codeblocks`. */
export const codeSheet = '/_carrel/code-theme.css';

/** `styling.codeblocks`: "system", "dark", a Shiki theme, or one for each color scheme. A theme that does not exist has no effect. */
export function codeblocks(written: unknown): Pick<SiteConfig, 'codeblocks' | 'codeTheme'> {
  const theme = isRecord(written) ? written['theme'] : written;
  if (theme === undefined || theme === 'system' || theme === 'dark') return { codeblocks: theme === 'dark' ? 'dark' : 'system' };
  const { light, dark } = isRecord(theme) ? theme : { light: theme, dark: theme };
  const { bundledThemesInfo }: typeof import('shiki/themes') = require('shiki/themes');
  const infoOf = (name: unknown) => bundledThemesInfo.find(({ id }) => id === name);
  const [day, night] = [infoOf(light), infoOf(dark)];
  if (!day || !night) return { codeblocks: 'system' };
  return { codeblocks: isRecord(theme) ? 'system' : day.type, codeTheme: { light: day.id, dark: night.id } };
}

function themeImage(image: ThemeImage): ThemeImage {
  const { light, dark, href } = image;
  return { light: siteHref(light), dark: siteHref(dark), ...(href && { href: siteHref(href) }) };
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
  return { family, weight, source: source && siteHref(source), format };
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

function banner(banner: DocsConfig['banner']): SiteConfig['banner'] {
  if (!banner) return undefined;
  const { content, dismissible = false, type = 'info', color } = banner;
  const [light, dark] = [color?.light ?? color?.dark, color?.dark ?? color?.light];
  return { content: inlineHtml(content), dismissible, type, ...(light && dark && { color: { light, dark } }) };
}

function byLanguage(navigation: NavigationEntry | undefined): SiteConfig['byLanguage'] {
  const found = languagesOf(navigation ?? {}).flatMap((entry) => {
    const own = {
      ...(entry.banner && { banner: banner(entry.banner) }),
      ...(entry.footer && { footer: footer(entry.footer) }),
      ...(entry.navbar && { navbar: navbar(entry.navbar) }),
    };
    return Object.keys(own).length > 0 ? [[languageTag(entry.language ?? ''), own] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** The entries of languages at any depth. */
function languagesOf(entry: NavigationEntry): NavigationEntry[] {
  const below = divisionKinds.flatMap((kind) => entry[kind] ?? []).flatMap(languagesOf);
  return entry.language === undefined ? below : [entry, ...below];
}

const brands: Record<string, string> = { github: 'GitHub', discord: 'Discord' };

function navbarLink({ label, href, icon, type }: NavbarLink) {
  const text = label ?? brands[type ?? ''];
  return text && href ? { label: text, href: siteHref(href), icon, type } : undefined;
}

function footer(footer: DocsConfig['footer']): SiteConfig['footer'] {
  const links = (footer?.links ?? []).map(({ header, items }) => ({
    header,
    items: (items ?? []).map((item) => ({ label: item.label, href: siteHref(item.href) })),
  }));
  return { socials: footer?.socials ?? {}, links };
}

// A banner is one line: characters that start a block are part of its text.
const blocks = 'blockQuote codeFenced codeIndented definition headingAtx htmlFlow list setextUnderline thematicBreak'.split(' ');
let parser: { parse(source: string): Nodes } | undefined;

/** Loaded only for a site with such a text. */
function createParser(): { parse(source: string): Nodes } {
  const { unified }: typeof import('unified') = require('unified');
  const { default: remarkParse }: typeof import('remark-parse') = require('remark-parse');
  return unified()
    .data('micromarkExtensions', [{ disable: { null: blocks } }])
    .use(remarkParse);
}

// Parsing time grows faster than the text.
const longest = 10_000;

/**
 * Safe HTML of one line of Markdown: links, **strong**, *emphasis*, `code`, entities. Everything else is text, HTML included.
 * URLs other than web pages, mail and the site itself stay text as well.
 */
export function inlineHtml(markdown: string): string {
  const tree = parseInline(markdown);
  return tree ? html(tree).trim() : escapeHtml(markdown).trim();
}

/** The words of one line of Markdown. */
export function inlineText(markdown: string): string {
  const tree = parseInline(markdown);
  return tree ? words(tree).trim() : markdown.trim();
}

/** The tree of a line; undefined if it is too long or has no markup. */
function parseInline(markdown: string): Nodes | undefined {
  if (markdown.length > longest || !/[*_`[\\&<\n]/.test(markdown)) return undefined;
  parser ??= createParser();
  return parser.parse(markdown);
}

function words(node: Nodes): string {
  if ('children' in node) return node.children.map(words).join(node.type === 'root' ? ' ' : '');
  if (node.type === 'break') return ' ';
  return 'value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : '';
}

function html(node: Nodes): string {
  const parts = 'children' in node ? node.children.map(html) : [];
  if (node.type === 'root') return parts.join(' ');
  if (node.type === 'strong') return `<strong>${parts.join('')}</strong>`;
  if (node.type === 'emphasis') return `<em>${parts.join('')}</em>`;
  if (node.type === 'inlineCode') return `<code>${escapeHtml(node.value)}</code>`;
  if (node.type === 'link' && /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(node.url))
    return `<a href="${escapeHtml(node.url)}">${parts.join('')}</a>`;
  if (node.type === 'break') return ' ';
  return parts.join('') || escapeHtml('value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : '');
}
