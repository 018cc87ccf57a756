// Tailwind's utility classes in the HTML of authors: which classes are such, and the stylesheet for those that a site uses.
import type { DynamicMatcher, UnoGenerator, Variant } from '@unocss/core';
import type { Theme } from '@unocss/preset-wind3';

/** The classes that Tailwind 3 defines, of those on a page. */
export async function utilitiesOf(classes: ReadonlySet<string>): Promise<string[]> {
  const candidates = [...classes].filter(isTailwind);
  if (candidates.length === 0) return [];
  const uno = await (loading ??= createGenerator());
  const parsed = await Promise.all(candidates.map(async (name) => ((await uno.parseToken(name)) ? [name] : [])));
  return parsed.flat().sort();
}

/** The rules of utility classes, which win against the theme's own. */
export async function utilitySheet(utilities: Iterable<string>): Promise<string> {
  // Not the one that parses: it adds what classes of other sites need, too, which the same process exported before.
  const uno = await createGenerator();
  return (await uno.generate(new Set(utilities), { preflights: true, minify: true })).css;
}

// UnoCSS knows more than Tailwind: shorthands without a hyphen (`p4`), abbreviations, attributes of its own and icons.
const notTailwind = /^-?(?:[a-z]+\d|(?:b|bg-op|c|color|d|f|fw|h-sc|lh|of|op|pos|us|va|w-sc|ws|x|y|zoom|i|un)(?:$|-))/;
// A page's own layout stays in the page.
const leavesPage = /^-?(?:fixed|sticky)$/;
const functions = new Set(['', 'calc', 'min', 'max', 'clamp', 'minmax', 'repeat', 'rgb', 'rgba', 'hsl', 'hsla']);

function isTailwind(name: string): boolean {
  const variants = /^(?:[a-z\d-]+:)*!?/.exec(name)![0];
  const utility = name.slice(variants.length);
  if (notTailwind.test(utility) || leavesPage.test(utility)) return false;
  const [, value] = /^[^[\]]+-\[([^[\]]+)\](?:\/\d{1,3})?$/.exec(utility) ?? [];
  return value === undefined ? /^[\w./-]+$/.test(utility) : isSizeOrColor(value);
}

/** Whether a value in brackets is made of sizes, numbers and colors, which load nothing and end where the value ends. */
function isSizeOrColor(value: string): boolean {
  if (!/^[\w#%.,()/+*-]+$/.test(value) || /\/[*/]|\*\//.test(value)) return false;
  let depth = 0;
  for (const [, name, bracket] of value.matchAll(/([a-z]*)([()])/gi)) {
    if (bracket === '(' && !functions.has(name!.toLowerCase())) return false;
    depth += bracket === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

let loading: Promise<UnoGenerator<Theme>> | undefined;

async function createGenerator(): Promise<UnoGenerator<Theme>> {
  const [{ createGenerator: create }, { presetWind3 }, { theme }] = await Promise.all([
    import('@unocss/core'),
    import('@unocss/preset-wind3'),
    import('@unocss/preset-wind3/theme'),
  ]);
  const palette = paletteOf(theme.colors);
  return create<Theme>({
    presets: [presetWind3({ important: '.prose', preflight: 'on-demand' })],
    variants: [dark],
    layers: { preflights: -2, fills: -1, shortcuts: 0, default: 1 },
    rules: [
      [/^bg-([a-z]+)-(\d+)(?:\/(\d+))?$/, background(palette), { layer: 'fills' }],
      [/^bg-\[(#(?:[\da-f]{3}|[\da-f]{6}))\]$/i, ([, color]) => fill(color!), { layer: 'fills' }],
      [/^bg-(white|black)$/, plainBackground, { layer: 'fills' }],
      ['bg-primary', { 'background-color': 'var(--fill)', color: 'var(--on-fill)' }, { layer: 'fills' }],
      [/^text-([a-z]+)-(\d+)(?:\/(\d+))?$/, textColor(palette)],
      [
        /^text-(black)$/,
        (_, { rawSelector }) => ({ color: isForDark(rawSelector) ? '#000' : 'light-dark(#000,var(--heading))' }),
      ],
      // UnoCSS mixes the colors in another color space.
      [/^bg-gradient-to-([trbl]{1,2})$/, gradient],
      ['w-screen', { width: '100vw', 'max-width': '100%' }],
    ],
    preflights: [{ getCSS: () => borders }],
    extendTheme: (theme) => ({ ...theme, colors: { ...theme.colors, ...adaptiveTints(palette), ...siteColors } }),
  });
}

// Tailwind's reset gives each element a border without width, whose style and color its classes leave out.
const borders = ":where(.prose :is([class*='border'],[class*='divide-']>*):not([class*='c-'])){border:0 solid var(--border)}";

/** The colors of docs.json by the names that the hosted platform gives them. */
const siteColors = Object.fromEntries(
  Object.entries({
    primary: '--accent',
    'primary-light': '--accent-dark',
    'primary-dark': '--accent-light',
    'background-light': '--background-light',
    'background-dark': '--background-dark',
  }).map(([name, property]) => [name, themeColor(`var(${property})`)]),
);

/** `dark:` for the reader's choice, and without a choice for the system's. */
const dark: Variant<Theme> = {
  name: 'dark',
  order: -1,
  match(name) {
    if (!name.startsWith('dark:')) return undefined;
    const matcher = name.slice('dark:'.length);
    return [
      { matcher, selector: (selector) => `:root[data-theme='dark'] ${selector}` },
      {
        matcher,
        parent: '@media (prefers-color-scheme: dark)',
        selector: (selector) => `:root:not([data-theme]) ${selector}`,
      },
    ];
  },
};

// Authors choose most colors for light mode alone. In dark mode a tint becomes a dark one, and text a lighter shade, unless a class with
// `dark:` names the color. A saturated or dark background stays as it is, and has everything on it in the mode that suits it.

/** Colors by family and shade: '#2563eb' of 'blue' and 600. */
type Palette = Record<string, Record<number, string>>;

function paletteOf(colors: Theme['colors']): Palette {
  const families = Object.entries(colors ?? {}).flatMap(([family, shades]) =>
    typeof shades === 'object' && '50' in shades ? [[family, shades as Record<number, string>] as const] : [],
  );
  return Object.fromEntries(families);
}

const tints = [50, 100, 200];
/** The shade of text in dark mode, for each shade that is dark. */
const lighter: Record<string, number> = { 400: 400, 500: 400, 600: 400, 700: 300, 800: 200, 900: 100, 950: 50 };

function adaptiveTints(palette: Palette): Record<string, Record<number, string>> {
  const adaptive = ([family, shades]: [string, Record<number, string>]) => [
    family,
    { ...shades, ...Object.fromEntries(tints.map((shade) => [shade, themeColor(adaptiveTint(shades, shade))])) },
  ];
  return Object.fromEntries(Object.entries(palette).map(adaptive));
}

function adaptiveTint(shades: Record<number, string>, shade: number): string {
  return `light-dark(${shades[shade]},color-mix(in srgb,${shades[500]} ${tints.indexOf(shade) * 4 + 12}%,var(--background-dark)))`;
}

type Matcher = DynamicMatcher<Theme>;

function textColor(palette: Palette): Matcher {
  return ([, family = '', shade = '', opacity], { rawSelector }) => {
    const shades = Object.hasOwn(palette, family) ? palette[family]! : {};
    const [own, other] = [shades[Number(shade)], shades[lighter[shade] ?? 0]];
    if (own === undefined) return undefined;
    const color = other === undefined || isForDark(rawSelector) ? own : `light-dark(${own},${other})`;
    return { color: alpha(color, opacity, 'text') };
  };
}

function background(palette: Palette): Matcher {
  return ([, family = '', written = '', opacity], { rawSelector }) => {
    const shade = Number(written);
    const shades = Object.hasOwn(palette, family) ? palette[family]! : {};
    const own = shades[shade];
    if (own === undefined) return undefined;
    if (tints.includes(shade) && !isForDark(rawSelector))
      return { 'background-color': alpha(adaptiveTint(shades, shade), opacity) };
    return Number(opacity ?? 100) < 60 ? { 'background-color': alpha(own, opacity) } : fill(own, opacity);
  };
}

const plainBackground: Matcher = ([, name], { rawSelector }) =>
  name === 'white' && !isForDark(rawSelector)
    ? { 'background-color': alpha('light-dark(#fff,var(--raised))', undefined) }
    : fill(name === 'white' ? '#fff' : '#000');

const sides: Record<string, string> = { t: 'top', r: 'right', b: 'bottom', l: 'left' };

const gradient: Matcher = ([, to = '']) => ({
  'background-image': `linear-gradient(to ${to
    .split('')
    .map((side) => sides[side])
    .join(' ')},var(--un-gradient-stops))`,
});

function isForDark(selector: string): boolean {
  return /(?:^|:)dark:/.test(selector);
}

/** A background of the same color in both modes. Text on it without a color of its own is legible. */
function fill(color: string, opacity?: string): Record<string, string> {
  const isDark = luminance(color) < 0.18;
  return {
    'background-color': alpha(color, opacity),
    color: isDark ? '#fff' : '#000',
    'color-scheme': isDark ? 'dark' : 'light',
  };
}

/** A color with an opacity in percent, or else with that of `bg-opacity-…` or `text-opacity-…`. */
function alpha(color: string, opacity: string | undefined, property = 'bg'): string {
  const share = opacity === undefined ? `calc(var(--un-${property}-opacity,1)*100%)` : `${opacity}%`;
  return `color-mix(in srgb,${color} ${share},transparent)`;
}

/** A color of UnoCSS's theme, which puts the opacity in place of `%alpha`. */
function themeColor(color: string): string {
  return `color-mix(in srgb,${color} calc(%alpha*100%),transparent)`;
}

/** Relative luminance by WCAG 2.2, of '#2563eb' or '#fff'. */
function luminance(color: string): number {
  const digits = color.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
