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
