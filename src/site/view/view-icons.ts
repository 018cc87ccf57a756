import { iconSvg } from '../../markdown/icons.ts';
import type { NavigationNode, Place, SiteConfig, Switch } from '../model.ts';

// Names of networks in docs.json whose icon is called otherwise.
const networkIcons: Record<string, string> = {
  x: 'x-twitter',
  website: 'globe',
  'hacker-news': 'hacker-news',
  'earth-americas': 'earth-americas',
};

/** Icons of one tab's header and sidebar, and of the site's own links, by the name that docs.json uses. */
export function createViewIcons(config: SiteConfig): (place: Place, pageIcon: string | undefined) => Record<string, string> {
  const known = new Map<string, string | undefined>();
  const svgOf = (name: string): string | undefined => {
    if (!known.has(name)) known.set(name, iconSvg(name, config.iconLibrary));
    return known.get(name);
  };
  const byPlace = new WeakMap<Place, Record<string, string>>();
  const siteNames = config.navbar.links.flatMap((link) => [link.icon, link.type]);

  return (place, pageIcon) => {
    let icons = byPlace.get(place);
    if (!icons) {
      icons = {};
      for (const name of [...siteNames, ...placeNames(place)]) add(icons, name, name);
      for (const network of Object.keys(config.footer.socials)) add(icons, network, networkIcons[network] ?? network);
      byPlace.set(place, icons);
    }
    if (pageIcon === undefined || Object.hasOwn(icons, pageIcon)) return icons;
    return add({ ...icons }, pageIcon, pageIcon);
  };

  function add(icons: Record<string, string>, key: string | undefined, name: string | undefined): Record<string, string> {
    const svg = key !== undefined && name !== undefined && !isAddress(name) ? svgOf(name) : undefined;
    if (svg !== undefined) icons[key!] = svg;
    return icons;
  }
}

function placeNames(place: Place): (string | undefined)[] {
  const switches = [place.products, place.versions, place.languages, place.dropdowns, place.tabs, place.anchors].flat();
  return [...switches.flatMap(switchNames), ...place.sidebar.flatMap(nodeNames)];
}

function switchNames(choice: Switch): (string | undefined)[] {
  return [choice.icon, ...(choice.menu ?? []).flatMap(switchNames)];
}

function nodeNames(node: NavigationNode): (string | undefined)[] {
  return node.kind === 'page' ? [node.icon] : [node.icon, ...node.children.flatMap(nodeNames)];
}

function isAddress(name: string): boolean {
  return /^(\/|\.{1,2}\/|[a-z]+:)/i.test(name);
}
