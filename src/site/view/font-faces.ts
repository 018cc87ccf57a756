import type { FontConfig, SiteConfig } from '../model.ts';

/** Address of the style sheet that loads the site's own fonts. */
export const fontSheet = '/_carrel/site-fonts.css';

/**
 * Style sheet that loads the fonts docs.json takes from files of the docs folder; undefined when there are none.
 * Addresses in it are root-absolute. A font without a weight is taken for a variable one.
 */
export function fontFaces({ fonts }: Pick<SiteConfig, 'fonts'>): string | undefined {
  const own = [fonts?.heading, fonts?.body]
    .filter((font) => font !== undefined)
    .filter((font): font is OwnFont => isOwnFont(font));
  const rules = new Set(own.map(fontFace));
  return rules.size === 0 ? undefined : [...rules].join('');
}

type OwnFont = FontConfig & { source: string };

/** Whether a font is a file of the docs folder. */
export function isOwnFont(font: Pick<FontConfig, 'source'>): boolean {
  return font.source !== undefined && !/^(?:[a-z]+:|\/\/)/i.test(font.source);
}

function fontFace({ family, source, format, weight }: OwnFont): string {
  const file = `/${source.replace(/^(?:\.?\/)+/, '')}`;
  const kind = format ?? (/\.(woff2?)$/i.exec(file)?.[1] ?? 'woff2').toLowerCase();
  return `@font-face{font-family:${quoted(family)};src:url(${quoted(encodeURI(file))}) format(${quoted(kind)});font-weight:${weight ?? '100 900'};font-display:swap}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\\n<>]/g, '')}"`;
}
