import type { Element, ElementContent } from 'hast';
import type { RenderContext } from './context.ts';
import { isOn } from './components/props.ts';
import { frameElement } from './frames.ts';
import { safeAttributes, unsafeLink } from './sanitize.ts';
import { element, type Props, raw, textOf } from './tree.ts';

/** An author's HTML element, whose name the caller has checked, with its safe attributes. */
export function htmlElement(
  tag: string,
  props: Props,
  children: () => ElementContent[],
  context: RenderContext,
): ElementContent | ElementContent[] {
  // `safeAttributes` has checked each URL by the kind of its attribute; here all are only resolved.
  const attributes = safeAttributes(tag, props, (href) => context.imageUrl(href) ?? '');
  if (tag === 'a' && typeof props.href === 'string' && attributes.href === undefined) {
    context.report(unsafeLink(props.href), props.href);
  }
  if (tag === 'img' && isOn(props.noZoom ?? props.nozoom))
    attributes.class = [attributes.class, 'no-zoom'].filter(Boolean).join(' ');
  const colors = authorColors(String(attributes.class ?? ''));
  if (colors) attributes.style = [attributes.style, colors].filter(Boolean).join(';');
  const special = Object.hasOwn(specials, tag) ? specials[tag] : undefined;
  if (special) return special(attributes, children, context);
  if (voids.has(tag)) return element(tag, attributes);
  const content = children();
  return element(tag, attributes, phrasing.has(tag) ? unwrapParagraph(content) : content);
}

type Attributes = Record<string, string | number | boolean>;

const specials: Record<
  string,
  (attributes: Attributes, children: () => ElementContent[], context: RenderContext) => ElementContent | ElementContent[]
> = {
  a: (attributes, children) => element('a', attributes, withoutLinks(unwrapParagraph(children()))),
  // Nothing in a page is executed, so a button would do nothing, and inside a link it would make the link unreachable by keyboard.
  button: ({ class: classes, ...attributes }, children) =>
    element('span', { class: ['author-button', classes].filter(Boolean).join(' '), ...attributes }, unwrapParagraph(children())),
  img: (attributes) => element('img', { alt: '', loading: 'lazy', ...attributes }),
  iframe: (attributes, _children, context) => {
    if (attributes.src !== undefined) return frameElement(attributes);
    context.report(
      {
        kind: 'frame-removed',
        severity: 'warning',
        message: 'A frame is removed: only pages of other hosts are shown in frames.',
        hint: 'Link to the page, or give the frame an https: URL.',
      },
      'iframe',
    );
    return [];
  },
  video: (attributes, children) =>
    element(
      'video',
      { class: 'c-video', ...attributes, ...(attributes.autoplay ? { muted: true, playsinline: true } : { controls: true }) },
      children(),
    ),
  table: (attributes, children) => tableBox(element('table', attributes, children())),
  input: (attributes) => (attributes.type === 'checkbox' ? element('input', { ...attributes, disabled: true }) : []),
  pre: (attributes, children, context) => {
    const content = children();
    const code = content.find((node) => node.type === 'element' && node.tagName === 'code');
    const language = code?.type === 'element' ? /language-([\w+#-]+)/.exec(String(code.properties.class ?? ''))?.[1] : undefined;
    // Code with markup in it was highlighted by its author.
    if (code?.type !== 'element' || !language || code.children.some((node) => node.type !== 'text'))
      return element('pre', { tabindex: 0, ...attributes }, content);
    const html = context.highlighter.highlight(textOf(code).replace(/\n$/, ''), language);
    return element('pre', { tabindex: 0, ...attributes }, [element('code', {}, [raw(html)])]);
  },
};

const voids = new Set(['br', 'hr', 'col', 'source', 'track', 'wbr']);
const phrasing = new Set(
  'a abbr b bdi bdo big cite code dfn em font h1 h2 h3 h4 h5 h6 i kbd mark p q s samp small span strike strong sub summary sup tt u var figcaption caption dt'.split(
    ' ',
  ),
);

/** Markdown turns URLs into links, even inside a link, which browsers would split at the inner one. */
function withoutLinks(nodes: ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return node;
    const children = withoutLinks(node.children);
    return node.tagName === 'a' ? children : { ...node, children };
  });
}

/** MDX makes a paragraph of text on lines of its own, which is invalid in an element with phrasing content. */
function unwrapParagraph(nodes: ElementContent[]): ElementContent[] {
  const [only, ...others] = nodes.filter((node) => node.type !== 'text' || node.value.trim());
  const isParagraph = only?.type === 'element' && only.tagName === 'p' && Object.keys(only.properties).length === 0;
  return isParagraph && others.length === 0 ? only.children : nodes;
}

// Colors that an author chooses by utility classes ('bg-blue-600 text-white', 'dark:bg-white', 'from-pink-500'). A stylesheet with all of
// them would be longer than the rest of the theme, so a page has the few it uses as custom properties, which author.css applies.

/** Hue and chroma of each color in oklch. */
const hues: Record<string, [hue: number, chroma: number]> = {
  red: [26, 0.22], orange: [46, 0.19], amber: [65, 0.17], yellow: [85, 0.16], lime: [129, 0.2], green: [149, 0.19], emerald: [163, 0.15],
  teal: [183, 0.12], cyan: [216, 0.13], sky: [239, 0.15], blue: [261, 0.22], indigo: [277, 0.23], violet: [293, 0.25], purple: [303, 0.26],
  fuchsia: [322, 0.27], pink: [356, 0.22], rose: [16, 0.23], slate: [257, 0.04], gray: [262, 0.03], zinc: [286, 0.015], neutral: [0, 0],
  stone: [58, 0.012],
}; // prettier-ignore

/** Lightness of each shade, and its share of the chroma. */
const shades: Record<string, [lightness: number, chroma: number]> = {
  400: [0.75, 0.75], 500: [0.65, 0.95], 600: [0.56, 1], 700: [0.49, 0.95], 800: [0.42, 0.8], 900: [0.36, 0.65], 950: [0.25, 0.45],
}; // prettier-ignore

// Their middle shades are lighter than those of other hues.
const light = new Set(['amber', 'yellow', 'lime']);
const grays = new Set(['slate', 'gray', 'zinc', 'neutral', 'stone']);

const sides: Record<string, string> = { t: 'top', b: 'bottom', l: 'left', r: 'right' };

interface Color {
  css: string;
  /** Color of text that is legible on it. */
  ink?: string;
}

/** The style for the colors that classes name. Undefined without a fill: on the theme's background, text keeps the theme's colors. */
export function authorColors(classes: string): string | undefined {
  const names = classes.split(/\s+/);
  const color = (utility: string) => {
    for (const name of names) {
      const found = name.startsWith(utility) ? solidColor(name.slice(utility.length)) : undefined;
      if (found) return found;
    }
    return undefined;
  };
  // White is the theme's background, which is dark in dark mode.
  const fill = names.includes('bg-white') ? undefined : color('bg-');
  const image = gradient(names, color);
  if (!fill && !image) return undefined;
  const dark = fill && color('dark:bg-');
  const styles: [name: string, value: string | undefined][] = [
    ['--author-fill', fill?.css],
    ['--author-fill-dark', dark?.css],
    ['--author-fill-hover', fill && color('hover:bg-')?.css],
    ['--author-image', image],
    ['--author-ink', color('text-')?.css ?? fill?.ink],
    ['--author-ink-dark', color('dark:text-')?.css ?? (color('text-') ? undefined : dark?.ink)],
  ];
  return styles.flatMap(([name, value]) => (value ? [`${name}:${value}`] : [])).join(';');
}

function gradient(names: string[], color: (utility: string) => Color | undefined): string | undefined {
  // Such a gradient fills letters, which keep their color.
  if (names.includes('bg-clip-text')) return undefined;
  const direction = names.map((name) => /^bg-(?:gradient|linear)-to-([trbl]{1,2})$/.exec(name)?.[1]).find(Boolean);
  const stops = ['from-', 'via-', 'to-'].flatMap((utility) => color(utility)?.css ?? []);
  if (!direction || stops.length < 2) return undefined;
  return `linear-gradient(to ${direction
    .split('')
    .map((side) => sides[side])
    .join(' ')},${stops.join(',')})`;
}

/** The color of 'blue-600', 'black', 'primary' or '[#7c3aed]', with an opacity after a slash; undefined for tints, which come from the theme. */
function solidColor(value: string): Color | undefined {
  const [, name, opacity] = /^([\w-]+|\[[^\]]+\])(?:\/(\d{1,2}))?$/.exec(value) ?? [];
  const solid = name ? namedColor(name) : undefined;
  if (!solid || Number(opacity ?? 100) < 60) return undefined;
  return opacity ? { ...solid, css: `color-mix(in oklab,${solid.css} ${opacity}%,transparent)` } : solid;
}

function namedColor(name: string): Color | undefined {
  if (name === 'black') return { css: '#000', ink: '#fff' };
  if (name === 'white') return { css: '#fff', ink: '#000' };
  if (name === 'primary') return { css: 'var(--fill)', ink: 'var(--on-fill)' };
  const own = /^\[(#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl)a?\([\d.,%_/]+\))\]$/i.exec(name)?.[1];
  if (own) return { css: own.replaceAll('_', ' ') };
  const [, family = '', shade = ''] = /^([a-z]+)-(\d{3})$/.exec(name) ?? [];
  const color = Object.hasOwn(hues, family) ? hues[family] : undefined;
  const tone = Object.hasOwn(shades, shade) ? shades[shade] : undefined;
  if (!color || !tone) return undefined;
  const [hue, chroma] = color;
  const [lightness, share] = tone;
  const shift = light.has(family) ? 0.12 : grays.has(family) ? -0.1 : 0;
  const shifted = lightness + shift * (lightness - 0.2);
  return { css: `oklch(${shifted.toFixed(2)} ${(chroma * share).toFixed(3)} ${hue})`, ink: shifted < 0.66 ? '#fff' : '#000' };
}

/** A table in a box that scrolls. In each column with sentences, the longest cell gets a class that keeps the column wide enough for them. */
export function tableBox(table: Element): Element {
  const longest: { cell: Element; width: number }[] = [];
  for (const row of rowsOf(table)) {
    const cells = row.children.filter((child) => child.type === 'element');
    cells.forEach((cell, column) => {
      const width = widthOf(textOf(cell));
      if (width > (longest[column]?.width ?? sentence)) longest[column] = { cell, width };
    });
  }
  for (const { cell } of longest.filter(Boolean)) {
    cell.properties.class = [cell.properties.class, 'c-long'].filter(Boolean).join(' ');
  }
  return element('div', { class: 'c-table', tabindex: 0 }, [table]);
}

// Text of this length breaks into three lines or more in the narrowest column.
const sentence = 36;

/** Width in characters; Chinese, Japanese and Korean ones count double. */
function widthOf(text: string): number {
  const words = text.trim();
  return words.length + (words.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);
}

function rowsOf({ children }: { children: ElementContent[] }): Element[] {
  return children.flatMap((child) =>
    child.type !== 'element'
      ? []
      : child.tagName === 'tr'
        ? [child]
        : /^t(?:head|body|foot)$/.test(child.tagName)
          ? rowsOf(child)
          : [],
  );
}
