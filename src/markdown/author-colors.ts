// Colours that an author chooses by utility classes ('bg-blue-600 text-white', 'dark:bg-white', 'from-pink-500'). A style sheet of all of
// them would be longer than the rest of the theme, so a page carries the few it uses, as custom properties that author.css applies.

/** Hue and strength of each colour, in oklch. */
const hues: Record<string, [hue: number, chroma: number]> = {
  red: [26, 0.22], orange: [46, 0.19], amber: [65, 0.17], yellow: [85, 0.16], lime: [129, 0.2], green: [149, 0.19], emerald: [163, 0.15],
  teal: [183, 0.12], cyan: [216, 0.13], sky: [239, 0.15], blue: [261, 0.22], indigo: [277, 0.23], violet: [293, 0.25], purple: [303, 0.26],
  fuchsia: [322, 0.27], pink: [356, 0.22], rose: [16, 0.23], slate: [257, 0.04], gray: [262, 0.03], zinc: [286, 0.015], neutral: [0, 0],
  stone: [58, 0.012],
}; // prettier-ignore

/** Lightness of each shade, and its part of the chroma. */
const shades: Record<string, [lightness: number, chroma: number]> = {
  400: [0.75, 0.75], 500: [0.65, 0.95], 600: [0.56, 1], 700: [0.49, 0.95], 800: [0.42, 0.8], 900: [0.36, 0.65], 950: [0.25, 0.45],
}; // prettier-ignore

// Their middle shades are lighter than those of other hues.
const light = new Set(['amber', 'yellow', 'lime']);
const greys = new Set(['slate', 'gray', 'zinc', 'neutral', 'stone']);

const sides: Record<string, string> = { t: 'top', b: 'bottom', l: 'left', r: 'right' };

interface Color {
  css: string;
  /** What can be read on it. */
  ink?: string;
}

/** The style for the colours that classes name; undefined where they fill nothing, since words keep the theme's colours on the theme's ground. */
export function authorColors(classes: string): string | undefined {
  const names = classes.split(/\s+/);
  const color = (utility: string) => {
    for (const name of names) {
      const found = name.startsWith(utility) ? solidColor(name.slice(utility.length)) : undefined;
      if (found) return found;
    }
    return undefined;
  };
  // White is the theme's own ground, which is dark in the dark.
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
  // Such a gradient fills letters, which keep their colour.
  if (names.includes('bg-clip-text')) return undefined;
  const direction = names.map((name) => /^bg-(?:gradient|linear)-to-([trbl]{1,2})$/.exec(name)?.[1]).find(Boolean);
  const stops = ['from-', 'via-', 'to-'].flatMap((utility) => color(utility)?.css ?? []);
  if (!direction || stops.length < 2) return undefined;
  return `linear-gradient(to ${[...direction].map((side) => sides[side]).join(' ')},${stops.join(',')})`;
}

/** The colour of 'blue-600', 'black', 'primary' or '[#7c3aed]', with an opacity after a slash; undefined for tints, which the theme gives. */
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
  if (!Object.hasOwn(hues, family) || !Object.hasOwn(shades, shade)) return undefined;
  const [hue, strength] = hues[family]!;
  const [lightness, part] = shades[shade]!;
  const lift = light.has(family) ? 0.12 : greys.has(family) ? -0.1 : 0;
  const shown = lightness + lift * (lightness - 0.2);
  return { css: `oklch(${shown.toFixed(2)} ${(strength * part).toFixed(3)} ${hue})`, ink: shown < 0.66 ? '#fff' : '#000' };
}
