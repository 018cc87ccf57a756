import type { FontConfig, SiteConfig } from '../model.ts';

/** URL of the stylesheet that loads the site's fonts. */
export const fontSheet = '/_carrel/site-fonts.css';

/**
 * Stylesheet for the font files of the docs folder that docs.json uses; undefined without any.
 * Its URLs are root-relative. A font without a weight is treated as a variable font.
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
