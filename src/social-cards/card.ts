// What a card shows, as the boxes and texts that Takumi draws.
import type { CardFonts } from './fonts.ts';
import type { Logo } from './logo.ts';

export const cardSize = { width: 1200, height: 630 };

type Style = Record<string, string | number>;

/** A box, a text or an image with CSS properties. */
export type CardNode =
  | { type: 'container'; style: Style; children?: CardNode[] }
  | { type: 'text'; text: string; style: Style }
  | { type: 'image'; src: string; style: Style };

/** What is the same on all cards of a site. */
export interface CardLook {
  siteName: string;
  accent: string;
  background: string;
  heading: string;
  muted: string;
  logo?: Logo;
}

export interface CardTexts {
  title?: string;
  description?: string;
  group?: string;
}

/** The texts that the fonts can write, shortened: a card has room for two lines of each. Texts with letters that they lack are missing. */
export function writableTexts(texts: CardTexts, fonts: CardFonts): CardTexts {
  const { title, description, group } = texts;
  return {
    title: fonts.writable(title, 200),
    description: fonts.writable(description, 300),
    group: fonts.writable(group, 80),
  };
}

/** The name under which a card's tree refers to the logo. */
export const logoSource = 'logo';

/** Without a title, a card shows the site alone. */
export function cardTree({ siteName, accent, background, heading, muted, logo }: CardLook, texts: CardTexts): CardNode {
  const { title, description, group } = texts;
  const scale = title === undefined ? 2 : 1;
  const site = logo
    ? image(logo, { width: 480 * scale, height: 64 * scale })
    : text(siteName, { color: heading, fontSize: 40 * scale, fontWeight: 700, ...lines(1) });
  const bar: CardNode = {
    type: 'container',
    style: { position: 'absolute', left: 0, bottom: 0, width: '100%', height: 16, backgroundColor: accent },
  };
  return {
    type: 'container',
    style: {
      ...{ ...cardSize, position: 'relative', display: 'flex', flexDirection: 'column', padding: 72, paddingBottom: 88 },
      ...{
        backgroundColor: background,
        fontFamily: 'Inter',
        ...(title === undefined && { justifyContent: 'center', alignItems: 'center' }),
      },
    },
    children: [
      site,
      ...(title === undefined
        ? []
        : [
            {
              type: 'container' as const,
              style: { flexGrow: 1, display: 'flex', flexDirection: 'column', justifyContent: 'center' },
              children: [
                ...(group === undefined
                  ? []
                  : [text(group, { color: accent, fontSize: 30, fontWeight: 600, marginBottom: 16, ...lines(1) })]),
                text(title, {
                  color: heading,
                  fontSize: 72,
                  fontWeight: 700,
                  lineHeight: 1.15,
                  letterSpacing: '-0.02em',
                  ...lines(2),
                }),
                ...(description === undefined
                  ? []
                  : [text(description, { color: muted, fontSize: 32, lineHeight: 1.45, marginTop: 28, ...lines(2) })]),
              ],
            } satisfies CardNode,
          ]),
      bar,
    ],
  };
}

const lines = (count: number): Style => ({ lineClamp: count, textOverflow: 'ellipsis', overflowWrap: 'anywhere' });

function text(content: string, style: Style): CardNode {
  return { type: 'text', text: content, style };
}

/** As large as it fits into the box. */
function image(logo: Logo, box: { width: number; height: number }): CardNode {
  const scale = Math.min(box.width / logo.width, box.height / logo.height);
  const style: Style = { width: Math.round(logo.width * scale), height: Math.round(logo.height * scale), flexShrink: 0 };
  return { type: 'image', src: logoSource, style };
}
