import { createRequire } from 'node:module';
import { detached } from '../../integration/text/detach.ts';
import { nearest } from '../../integration/text/nearest.ts';
import iconNames from './icon-names.json' with { type: 'json' };

export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler';

interface IconSet {
  icons: Record<string, { body: string; width?: number; height?: number }>;
  aliases?: Record<string, { parent: string }>;
  width?: number;
  height?: number;
}

type FoundIcon = readonly [icon: IconSet['icons'][string], set: IconSet];

const require = createRequire(import.meta.url);
const sets = new Map<string, IconSet>();

/** Sets in the order in which they are searched. Font Awesome's free edition has few regular icons, so solid ones come first. */
const order: Record<IconLibrary, string[]> = {
  fontawesome: ['fa6-solid', 'fa6-brands', 'fa6-regular', 'lucide', 'tabler'],
  lucide: ['lucide', 'fa6-solid', 'fa6-brands', 'tabler'],
  tabler: ['tabler', 'fa6-solid', 'fa6-brands', 'lucide'],
};

/** An icon as inline SVG in the color of the text, hidden from screen readers; undefined when no set has the name. */
export function iconSvg(
  name: string,
  library: IconLibrary,
  { size = 16, type, style }: { size?: number; type?: string; style?: string } = {},
): string | undefined {
  const found = findIcon(name, library, type) ?? findElement(name);
  return found && drawn(found, size, style);
}

/** The icon that a component of lucide-react or react-icons shows, as docs of other frameworks write it: `<Code2 />`, `<HomeIcon />`, `<FaGithub />`. */
export function iconOfElement(element: string, size = 16): string | undefined {
  const found = findElement(element);
  return found && drawn(found, size);
}

function drawn([{ body, width, height }, set]: FoundIcon, size: number, style?: string): string {
  const box = `0 0 ${width ?? set.width ?? 16} ${height ?? set.height ?? 16}`;
  const styled = style ? ` style="${style.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"` : '';
  return `<svg class="c-icon" width="${size}" height="${size}" viewBox="${box}" fill="currentColor" aria-hidden="true"${styled}>${body}</svg>`;
}

const iconStart = '<svg class="c-icon"';

/** A function that finds the sets of the icons in a page. */
export function iconSetFinder(library: IconLibrary): (html: string) => string[] {
  // By their beginnings: pages have dozens of icons, and a hash of each whole one takes six times as long as a comparison.
  const known = new Map<string, { svg: string; id: string | undefined }[]>();
  const setAt = (html: string, start: number): string | undefined => {
    const beginning = html.slice(start, start + 64);
    const similar = known.get(beginning) ?? [];
    let icon = similar.find(({ svg }) => html.slice(start, start + svg.length) === svg);
    if (!icon) {
      const body = detached(html.slice(start, html.indexOf('</svg>', start)));
      const hasIcon = (id: string) => Object.values(loadSet(id).icons).some((one) => one.body === body);
      icon = { svg: `${body}</svg>`, id: order[library].find(hasIcon) };
      known.set(detached(beginning), [...similar, icon]);
    }
    return icon.id;
  };
  return (html) => {
    const found = new Set<string>();
    for (let at = html.indexOf(iconStart); at >= 0; at = html.indexOf(iconStart, at + 1)) {
      const id = setAt(html, html.indexOf('>', at) + 1);
      if (id !== undefined) found.add(id);
    }
    return [...found].sort();
  };
}

/** The file of a set, in its package. */
export function iconSetFile(id: string): string {
  return require.resolve(fileOfSet(id));
}

/** Up to three icons of the library that are spelled like a name that does not exist. */
export function similarIcons(name: string, library: IconLibrary): string[] {
  const wanted = normalize(name);
  // Names of icons are short: another first letter is another word, such as "pallet" for "ballot".
  return nearest(wanted, iconsOf(library)).filter((one) => one[0] === wanted[0]);
}

/** The names of the icons of a library itself. */
export function iconsOf(library: IconLibrary): Set<string> {
  const sets = order[library].filter((id) => id.startsWith(library === 'fontawesome' ? 'fa6-' : library));
  return new Set(sets.flatMap((id) => Object.keys(loadSet(id).icons)));
}

/** Icon sets of Material for MkDocs, which are named before the icon. */
const otherSets = /^(?:material|octicons|fontawesome(?:-(?:solid|regular|brands))?|simple)[-/]/;

function findIcon(written: string, library: IconLibrary, type?: string) {
  if (!otherSets.test(written)) return findNamed(normalize(written), library, type);
  // Their variants have longer names, such as `bookmark-outline`.
  let name = written.replace(otherSets, '').replace(/-\d\d$/, '');
  for (;;) {
    const found = findNamed(normalize(name), library, type);
    const end = name.lastIndexOf('-');
    if (found || end < 0) return found;
    name = name.slice(0, end);
  }
}

function findNamed(name: string, library: IconLibrary, type?: string) {
  if (!name) return undefined;
  const preferred = type === 'brands' ? ['fa6-brands'] : type === 'regular' && library === 'fontawesome' ? ['fa6-regular'] : [];
  // Tabler's names of brands begin with "brand".
  const candidates = [
    [name, presentNames.get(name) ?? renamed.get(name), `brand-${name}`],
    ...(library === 'fontawesome' ? shorter(name) : []),
  ];
  for (const names of candidates) {
    for (const id of [...preferred, ...order[library]]) {
      for (const candidate of names) {
        const found = candidate ? iconIn(id, candidate) : undefined;
        if (found) return found;
      }
    }
  }
  return undefined;
}

function findElement(element: string): FoundIcon | undefined {
  const [, prefix = '', bare] = /^(Lu(?:cide)?(?=[A-Z])|Fa6?(?=[A-Z]))?([A-Z].*?)(?:Icon)?$/.exec(element) ?? [];
  const name = bare?.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z])|(?<=[a-z]{2})(?=\d)/g, '-').toLowerCase();
  if (name === undefined) return undefined;
  const sets = prefix.startsWith('Fa') ? order.fontawesome.slice(0, 3) : ['lucide'];
  return sets.map((id) => iconIn(id, name)).find((icon) => icon !== undefined);
}

function iconIn(id: string, name: string): FoundIcon | undefined {
  const set = loadSet(id);
  const icon = own(set.icons, own(set.aliases, name)?.parent ?? name);
  return icon && [icon, set];
}

/** The paid icons of Font Awesome add words to the name of a free one: `wrench-simple`, `cart-flatbed-boxes`. */
function shorter(name: string): string[][] {
  const words = name.split('-');
  return words.slice(1).map((_, at) => [words.slice(0, words.length - 1 - at).join('-')]);
}

function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** `fa-solid fa-house`, `FaHouse` and `regular/house` all mean `house`. */
function normalize(name: string): string {
  const last =
    name
      .trim()
      .split(/[\s/:]+/)
      .at(-1) ?? '';
  return last
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/^(?:fa|lucide|tabler)-/, '');
}

// Names that icons of the free Font Awesome 6 had before.
const presentNames = byOther(iconNames.former);
// Names in the paid edition of Font Awesome and in other sets, with the closest free icon.
const renamed = byOther(iconNames.closest);

function byOther(names: Record<string, string[]>): Map<string, string> {
  return new Map(Object.entries(names).flatMap(([name, others]) => others.map((other) => [other, name] as const)));
}

function loadSet(id: string): IconSet {
  let set = sets.get(id);
  if (!set) sets.set(id, (set = require(fileOfSet(id)) as IconSet));
  return set;
}

function fileOfSet(id: string): string {
  return `@iconify-json/${id}/icons.json`;
}
