// Images of pages for links in social networks and chats.
import { hash } from 'node:crypto';
import type { Renderer } from '@takumi-rs/core';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import { cachedValue, type ExportCache } from '../../integration/output/export-cache.ts';
import type { CollectedAsset } from '../../integration/page/asset.ts';
import type { Page, Site } from '../site/model.ts';
import { descriptionOf, type SocialCard } from '../site/page-view.ts';
import { textField } from '../site/page-facts.ts';
import { isColor, readable } from '../../integration/text/contrast.ts';
import type { Theme } from '../theme/load.ts';
import { type CardLook, type CardNode, cardSize, cardTree, logoSource, writableTexts } from './card.ts';
import { cardFonts, type CardFonts } from './fonts.ts';
import { type Logo, readLogo } from './logo.ts';

/** The version of the package that draws; see `peerDependencies`. */
const drawer = '@takumi-rs/core@2.16.3';

export interface SocialCards {
  cardOf(page: Page): SocialCard | undefined;
  /** Each is drawn when it is written, unless it is in the cache. */
  assets: CollectedAsset[];
  problems: Problem[];
}

interface SocialCardOptions {
  site: Site;
  theme: Theme;
  siteUrl: string;
  cache?: ExportCache;
}

/** Decides what the card of each page shows. Throws an ExportError if the package that draws is not installed. */
export async function openSocialCards({ site, theme, siteUrl, cache }: SocialCardOptions): Promise<SocialCards> {
  if (site.config.metatags['og:image']) return { cardOf: () => undefined, assets: [], problems: [siteHasImage] };
  const fonts = cardFonts(theme);
  const { draw } = await openDrawer(fonts);
  const found = await logoOf(site);
  const { logo } = found;
  const isDrawn = logo && (await cachedValue(cache, 'social-card-logo', [drawer, logo.digest], () => canDraw(logo, draw)));
  const fault = logo && !isDrawn ? 'cannot be drawn' : found.fault;
  const look = lookOf(site, isDrawn ? logo : undefined, fonts);

  const showsSite = look.logo !== undefined || look.siteName !== '';

  const cards = new Map<string, SocialCard>();
  const assets = new Map<string, CollectedAsset>();
  const unwritable: string[] = [];
  for (const page of site.pages) {
    if (textField(page.source.frontmatter['og:image'])) continue;
    const texts = writableTexts(
      { title: page.title, description: descriptionOf(page).description, group: page.trail.at(-1)?.title },
      fonts,
    );
    if (texts.title === undefined) unwritable.push(page.source.file);
    // A card without any text or logo says nothing.
    if (texts.title === undefined && !showsSite) continue;
    const tree = cardTree(look, texts);
    const inputs = [drawer, fonts.digest, look.logo?.digest, tree];
    const path = `_carrel/cards/${hash('sha256', JSON.stringify(inputs)).slice(0, 20)}.png`;
    cards.set(page.path, {
      path,
      url: new URL(path, siteUrl.replace(/\/?$/, '/')).href,
      alt: page.title === site.name ? page.title : `${page.title} - ${site.name}`,
      ...cardSize,
    });
    assets.set(path, {
      path,
      neededFor: path,
      contents: async () =>
        Buffer.from(
          await cachedValue(cache, 'social-card', inputs, async () => (await draw(tree, look.logo)).toString('base64')),
          'base64',
        ),
    });
  }
  return {
    cardOf: (page) => cards.get(page.path),
    assets: [...assets.values()],
    problems: [...logoProblems(site, fault), ...textProblems(unwritable, showsSite)],
  };
}

type Draw = (tree: CardNode, logo: Logo | undefined) => Promise<Buffer>;

/** Loads the package, and its fonts when the first card is drawn. */
async function openDrawer(fonts: CardFonts): Promise<{ draw: Draw }> {
  const { Renderer: Drawer } = await import('@takumi-rs/core').catch((cause: unknown) => {
    throw new ExportError(
      'SocialCardsNotInstalled',
      `Social cards need the package @takumi-rs/core, which cannot be loaded: ${errorMessage(cause)}`,
      `Install it beside Carrel (it has 8 MB): npm install ${drawer}`,
      { cause },
    );
  });
  const renderer = new Drawer();
  let ready: Promise<void> | undefined;
  return {
    async draw(tree, logo) {
      ready ??= registerFonts(renderer, fonts);
      await ready;
      const images = logo ? [{ src: logoSource, data: logo.bytes }] : [];
      return renderer.render(tree, { ...cardSize, format: 'png', images });
    },
  };
}

/** One after another: of two that have a letter, the first one writes it. */
async function registerFonts(renderer: Renderer, { faces }: CardFonts): Promise<void> {
  for (const face of faces) await renderer.registerFont(face);
}

async function logoOf({ config, source }: Site): Promise<{ logo?: Logo; fault?: string }> {
  const path = config.logo?.light;
  const asset = path?.startsWith('/') ? source.assets.find((asset) => `/${asset.path}` === decodeURI(path)) : undefined;
  return asset && 'file' in asset ? await readLogo(asset.file) : {};
}

async function canDraw(logo: Logo, draw: Draw): Promise<boolean> {
  try {
    const look = { siteName: '', accent: '#000000', background: '#ffffff', heading: '#000000', muted: '#000000' };
    await draw(cardTree({ ...look, logo }, {}), logo);
    return true;
  } catch {
    return false;
  }
}

function lookOf({ name, config }: Site, logo: Logo | undefined, fonts: CardFonts): CardLook {
  const given = config.background?.color?.light;
  const background = isColor(given) ? given : '#ffffff';
  return {
    siteName: fonts.writable(name, 80) ?? '',
    accent: readable(config.colors.primary, background),
    background,
    heading: readable('#0f1217', background),
    muted: readable('#5d6472', background),
    logo,
  };
}

const siteHasImage: Problem = createProblem({
  kind: 'social-cards-not-used',
  message: 'No social cards are drawn: all pages have the image of "seo.metatags" ("og:image").',
  hint: 'Remove the image from docs.json, or export without --social-cards.',
});

function logoProblems({ config }: Site, fault: string | undefined): Problem[] {
  if (fault === undefined) return [];
  const message = `Social cards show the name of the site and not its logo: "${config.logo?.light}" ${fault}.`;
  const hint = 'Use a PNG file, or an SVG file of shapes alone.';
  return [createProblem({ kind: 'social-card-logo', message, hint })];
}

function textProblems([first, ...others]: string[], showsSite: boolean): Problem[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and of ${others.length} more` : '';
  const result = showsSite ? 'shows the site alone' : 'is not drawn';
  return [
    createProblem({
      kind: 'social-card-title',
      page: first,
      message: `The social card of this page${more} ${result}: the fonts have Latin, Cyrillic and Greek letters, and the title has others.`,
      hint: 'Name an image of your own in the frontmatter of such pages: "og:image".',
    }),
  ];
}
