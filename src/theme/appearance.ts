import type { SiteConfig } from '../site/model.ts';
import { fillOf, isColor, readable, textOn } from '../../integration/text/contrast.ts';

/** The site's colors and fonts as custom properties for `<html style>`; they override `styles/tokens.css`. */
export function rootStyle(config: SiteConfig): string {
  const { colors, background, fonts } = config;
  const light = isColor(background?.color?.light) ? background.color.light : '#ffffff';
  const dark = isColor(background?.color?.dark) ? background.color.dark : '#0b0d11';
  const fill = fillOf(colors.dark);
  const properties: Record<string, string | undefined> = {
    '--accent-light': readable(colors.primary, light, ACCENT_CONTRAST),
    '--accent-dark': readable(colors.light, dark, ACCENT_CONTRAST),
    '--fill': fill,
    '--on-fill': textOn(fill),
    '--background-light': isColor(background?.color?.light) ? light : undefined,
    '--background-dark': isColor(background?.color?.dark) ? dark : undefined,
    '--font-body': fonts?.body && fontStack(fonts.body.family),
    '--font-heading': fonts?.heading && fontStack(fonts.heading.family),
    '--heading-weight': fonts?.heading?.weight?.toString(),
  };
  return Object.entries(properties)
    .flatMap(([name, value]) => (value ? [`${name}:${value}`] : []))
    .join(';');
}

// More than the 4.5 that text needs: the accent is also used on a tint of itself.
const ACCENT_CONTRAST = 5.3;

function fontStack(family: string): string {
  return `'${family.replaceAll(/['\\;{}<>"]/g, '')}',var(--font-sans)`;
}
