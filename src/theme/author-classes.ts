import type { Plugin } from 'vite';

// The most common Tailwind utility classes, which authors use in raw HTML, by property: each class with its value, where that is not its name.
const VALUES = `
display: block, inline, inline-block, flex, inline-flex, grid, hidden none, contents
flex-direction: flex-col column, flex-row row
flex-wrap: flex-wrap wrap
flex: flex-1 1 1 0%
flex-shrink: flex-shrink-0 0, shrink-0 0
flex-grow: flex-grow 1
align-items: items-center center, items-start start, items-end end, items-stretch stretch
justify-content: justify-center center, justify-between space-between, justify-start start, justify-end end
position: relative, absolute
overflow: overflow-hidden hidden
overflow-x: overflow-x-auto auto
width: w-full 100%, w-auto auto, w-fit fit-content
height: h-full 100%, h-auto auto
max-width: max-w-full 100%
margin-inline: mx-auto auto
margin-block: my-auto auto
margin: m-0 0
margin-inline-start: ml-auto auto
margin-inline-end: mr-auto auto
text-align: text-center center, text-left start, text-right end
font-weight: font-bold 700, font-semibold 600, font-medium 500, font-normal 400
font-family: font-mono var(--font-code)
font-style: italic
text-transform: uppercase
text-decoration: underline, no-underline none
white-space: whitespace-nowrap nowrap
overflow-wrap: break-words break-word
line-height: leading-tight 1.25
letter-spacing: tracking-tight -0.025em
border: border 1px solid var(--border), border-0 0
border-block-start: border-t 1px solid var(--border)
border-block-end: border-b 1px solid var(--border)
box-shadow: shadow var(--shadow), shadow-sm var(--shadow), shadow-md var(--shadow-raised), shadow-lg var(--shadow-raised)
border-radius: rounded 0.25rem, rounded-sm 0.125rem, rounded-md 0.375rem, rounded-lg 0.5rem, rounded-xl 0.75rem, rounded-2xl 1rem
border-radius: rounded-3xl 1.5rem, rounded-full 99rem, rounded-none 0
object-fit: object-cover cover, object-contain contain
aspect-ratio: aspect-video 16/9
color: text-primary var(--accent)
background: bg-primary var(--fill), bg-white var(--raised)
opacity: opacity-50 0.5, opacity-75 0.75, opacity-80 0.8
cursor: cursor-pointer pointer
list-style: list-none none
vertical-align: align-middle middle
background: bg-gray-50 var(--surface), bg-gray-100 var(--surface)
`;

const FONT_SIZES = { xs: 0.75, sm: 0.875, base: 1, lg: 1.125, xl: 1.25, '2xl': 1.5, '3xl': 1.875, '4xl': 2.25, '5xl': 3 };

/** Properties by class, for each step of the scale, which is a quarter of a rem. */
const SPACES = {
  gap: 'gap',
  m: 'margin',
  mx: 'margin-inline',
  my: 'margin-block',
  mt: 'margin-block-start',
  mb: 'margin-block-end',
  ml: 'margin-inline-start',
  mr: 'margin-inline-end',
  p: 'padding',
  px: 'padding-inline',
  py: 'padding-block',
  pt: 'padding-block-start',
  pb: 'padding-block-end',
  pl: 'padding-inline-start',
  pr: 'padding-inline-end',
};
const SPACE_STEPS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
const SIZE_STEPS = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64];
const FRACTIONS = { '1/2': '50%', '1/3': '33.3333%', '2/3': '66.6667%', '1/4': '25%', '3/4': '75%' };
const MAX_WIDTHS = { xs: 20, sm: 24, md: 28, lg: 32, xl: 36, '2xl': 42, '3xl': 48, '4xl': 56, '5xl': 64, '6xl': 72, '7xl': 80 };
const COLUMNS = [1, 2, 3, 4, 5, 6];

/** Classes that also exist for wider screens, with the width at which each prefix applies. */
const RESPONSIVE = ['block', 'hidden', 'flex', 'grid', 'flex-row', 'grid-cols-2', 'grid-cols-3', 'grid-cols-4', 'w-1/2'];
const SCREENS = { sm: '40rem', md: '48rem', lg: '64rem' };
/** Classes that also exist for dark mode: authors show pairs of images. */
const DARK = ['hidden', 'block', 'inline', 'flex'];

const COLORS = ['blue', 'green', 'red', 'yellow', 'orange', 'purple'];
const GRAYS = ['gray', 'zinc', 'slate', 'neutral'];
/** Colors of text by the steps of all grays. */
const GRAY_TEXT = { muted: [400, 500, 600], heading: [700, 800, 900] };

/** Replaces `@author-classes` in a stylesheet by the rules of these classes. */
export const authorClasses: Plugin = {
  name: 'author-classes',
  config: () => ({
    css: {
      postcss: {
        plugins: [{ postcssPlugin: 'author-classes', AtRule: { 'author-classes': (rule) => void rule.replaceWith(rules()) } }],
      },
    },
  }),
};

function rules(): string {
  const all = new Map(declarations());
  const ruleOf = (name: string, prefix = '') =>
    `.${(prefix + name).replace(/[:/]/g, '\\$&')}${name.startsWith('space-y-') ? ' > :where(:not(:first-child))' : ''} { ${all.get(name)} }`;
  const dark = (root: string) => `${root} & { ${DARK.map((name) => ruleOf(name, 'dark:')).join('\n')} }`;
  return [
    ...[...all.keys()].map((name) => ruleOf(name)),
    ...Object.entries(SCREENS).map(
      ([screen, width]) => `@media (min-width: ${width}) { ${RESPONSIVE.map((name) => ruleOf(name, `${screen}:`)).join('\n')} }`,
    ),
    dark(":root[data-theme='dark']"),
    `@media (prefers-color-scheme: dark) { ${dark(':root:not([data-theme])')} }`,
    ...Object.entries(GRAY_TEXT).map(
      ([color, steps]) =>
        `:is(${GRAYS.flatMap((gray) => steps.map((step) => `.text-${gray}-${step}`)).join(', ')}) { color: var(--${color}) }`,
    ),
    ...COLORS.map((color) => `[class*='text-${color}-']:not([class*=':text-']) { color: var(--${color}) }`),
  ].join('\n');
}

function* declarations(): Generator<[name: string, declarations: string]> {
  for (const line of VALUES.trim().split('\n')) {
    const [property = '', classes = ''] = line.split(': ');
    for (const entry of classes.split(', ')) {
      const [name = '', ...value] = entry.split(' ');
      yield [name, `${property}: ${value.join(' ') || name}`];
    }
  }
  for (const [name, size] of Object.entries(FONT_SIZES)) yield [`text-${name}`, `font-size: ${size}rem; line-height: 1.4`];
  for (const step of SPACE_STEPS) {
    for (const [name, property] of Object.entries(SPACES)) yield [`${name}-${step}`, `${property}: ${step / 4}rem`];
    if (step > 0) yield [`space-y-${step}`, `margin-block-start: ${step / 4}rem`];
  }
  for (const step of SIZE_STEPS) {
    yield [`w-${step}`, `width: ${step / 4}rem`];
    yield [`h-${step}`, `height: ${step / 4}rem`];
  }
  for (const [name, width] of Object.entries(FRACTIONS)) yield [`w-${name}`, `width: ${width}`];
  for (const [name, width] of Object.entries(MAX_WIDTHS)) yield [`max-w-${name}`, `max-width: ${width}rem`];
  for (const count of COLUMNS) yield [`grid-cols-${count}`, `grid-template-columns: repeat(${count}, minmax(0, 1fr))`];
}
