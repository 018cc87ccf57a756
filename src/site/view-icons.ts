import { iconSvg } from '../markdown/icons.ts';
import type { NavigationContext, NavigationNode, SiteConfig, Switch } from './model.ts';

// Social networks whose icon has a different name than in docs.json.
const networkIcons: Record<string, string> = {
  x: 'x-twitter',
  website: 'globe',
  'hacker-news': 'hacker-news',
  'earth-americas': 'earth-americas',
};

/** Icons of a context's header and sidebar and of the site's links, by their name in docs.json. */
export function createViewIcons(
  config: SiteConfig,
): (context: NavigationContext, pageIcon: string | undefined) => Record<string, string> {
  const known = new Map<string, string | undefined>();
  const svgOf = (name: string): string | undefined => {
    if (!known.has(name)) known.set(name, iconSvg(name, config.iconLibrary));
    return known.get(name);
  };
  const byContext = new WeakMap<NavigationContext, Record<string, string>>();
  const menuIcons = (config.pageMenu?.entries ?? []).map((entry) => (entry.kind === 'link' ? entry.icon : undefined));
  const variants = [config, ...Object.values(config.byLanguage ?? {})];
  const links = variants.flatMap(({ navbar }) => navbar?.links ?? []);
  const networks = new Set(variants.flatMap(({ footer }) => Object.keys(footer?.socials ?? {})));
  const siteNames = [...links.flatMap((link) => [link.icon, link.type]), ...menuIcons];

  return (context, pageIcon) => {
    let icons = byContext.get(context);
    if (!icons) {
      icons = {};
      for (const name of [...siteNames, ...contextNames(context)]) add(icons, name, name);
      for (const network of networks) add(icons, network, networkIcons[network] ?? network);
      byContext.set(context, icons);
    }
    if (pageIcon === undefined || Object.hasOwn(icons, pageIcon)) return icons;
    return add({ ...icons }, pageIcon, pageIcon);
  };

  function add(icons: Record<string, string>, key: string | undefined, name: string | undefined): Record<string, string> {
    const svg = key !== undefined && name !== undefined && !isUrl(name) ? svgOf(name) : undefined;
    if (svg !== undefined) icons[key!] = svg;
    return icons;
  }
}

/** Of the icons of a context, those of its sidebar. */
export function sidebarIcons({ sidebar }: NavigationContext, icons: Record<string, string>): Record<string, string> {
  const names = new Set(sidebar.flatMap(nodeNames));
  return Object.fromEntries(Object.entries(icons).filter(([name]) => names.has(name)));
}

/** The icons that docs.json names in a context. */
export function contextIcons(context: NavigationContext): string[] {
  return contextNames(context).filter((name) => name !== undefined);
}

function contextNames(context: NavigationContext): (string | undefined)[] {
  const switches = [
    context.products,
    context.versions,
    context.languages,
    context.dropdowns,
    context.tabs,
    context.anchors,
  ].flat();
  return [...switches.flatMap(switchNames), ...context.sidebar.flatMap(nodeNames)];
}

function switchNames(choice: Switch): (string | undefined)[] {
  return [choice.icon, ...(choice.menu ?? []).flatMap(switchNames)];
}

function nodeNames(node: NavigationNode): (string | undefined)[] {
  return node.kind === 'page' ? [node.icon] : [node.icon, ...node.children.flatMap(nodeNames)];
}

function isUrl(name: string): boolean {
  return /^(\/|\.{1,2}\/|[a-z]+:)/i.test(name);
}
