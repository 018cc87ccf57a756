import { isObject } from './by-kind.ts';

/** The older mint.json, converted to the shape of docs.json before parsing. */

type Json = Record<string, unknown>;
type Group = Json & { pages?: unknown[] };

/** Converts a mint.json value. Obsolete keys are dropped; unknown keys are passed on, so that they are reported. */
export function fromMintJson(mint: Json): Json {
  const {
    theme: _theme, layout: _layout, sidebar: _sidebar, topbar: _topbar, rounded: _rounded, feedback,
    hideFeedbackButtons, colors, modeToggle, font, background, backgroundImage, codeBlock, eyebrow, topbarLinks,
    topbarCtaButton, navigation, tabs, primaryTab, anchors, topAnchor, versions, footerSocials, footer, openapi, openApi, api,
    metadata, seo, search, analytics, integrations, ...same
  } = mint; // prettier-ignore
  const palette = asObject(colors);
  return defined({
    ...same,
    colors: palette && defined({ primary: palette.primary, light: palette.light, dark: palette.dark }),
    appearance: modeToggle && defined({ default: asObject(modeToggle)?.default, strict: asObject(modeToggle)?.isHidden }),
    fonts: fonts(asObject(font)),
    background: backgroundOf(asObject(background), backgroundImage, palette?.background),
    styling: stylingOf(asObject(codeBlock), asObject(eyebrow)),
    navbar: navbarOf(asList(topbarLinks), asObject(topbarCtaButton)),
    navigation: navigationOf({ navigation, tabs, primaryTab, anchors, topAnchor, versions }),
    feedback: hideFeedbackButtons ? { ...asObject(feedback), thumbsRating: false } : feedback,
    footer: footerOf(footerSocials, asObject(footer)),
    api: apiOf(openapi ?? openApi, asObject(api)),
    seo: seoOf(metadata, asObject(seo)),
    search: asObject(search)?.prompt ? { prompt: asObject(search)?.prompt } : undefined,
    integrations: (integrations ?? analytics) ? { ...asObject(analytics), ...asObject(integrations) } : undefined,
  });
}

function navigationOf(mint: Json): Json {
  const groups = asList(mint.navigation) as Group[];
  const versions = asList(mint.versions).map((version): Json => asObject(version) ?? { name: version });
  const anchors = asList(mint.anchors);
  const outside = anchors.filter((anchor) => isAbsolute(anchor.url));
  const global = outside.length ? { global: { anchors: outside.map((anchor) => division('anchor', anchor)) } } : {};
  const division_ = (version: string | undefined): Json => divisionsOf(groupsOf(groups, version), mint, version);
  if (versions.length === 0) return { ...division_(undefined), ...global };
  const kind = versions.some((version) => version.locale) ? 'language' : 'version';
  const entries = versions.map((version) =>
    defined({
      [kind]: kind === 'language' ? (version.locale ?? version.name) : version.name,
      default: version.default,
      ...division_(String(version.name)),
    }),
  );
  return { [`${kind}s`]: entries, ...global };
}

/** Tabs that contain anchors that contain groups, as far as the file defines them for the version. */
function divisionsOf(groups: Group[], mint: Json, version: string | undefined): Json {
  const all = asList(mint.navigation) as Group[];
  const ofVersion = (one: Json) => !one.version || !version || one.version === version;
  const tabs = asList(mint.tabs).filter((tab) => ofVersion(tab) && (holds(tab, groups) || !holds(tab, all)));
  const primary = asObject(mint.primaryTab)?.name ?? 'Documentation';
  const inner = (rest: Group[]): Json => {
    const own = asList(mint.anchors).filter((anchor) => !isAbsolute(anchor.url) && ofVersion(anchor));
    const top = asObject(mint.topAnchor);
    return own.length
      ? {
          anchors: byFolder('anchor', own, rest, (left) => ({
            anchor: top?.name ?? 'Documentation',
            icon: top?.icon,
            groups: left,
          })),
        }
      : { groups: rest };
  };
  return tabs.length ? { tabs: byFolder('tab', tabs, groups, (rest) => ({ tab: primary, ...inner(rest) })) } : inner(groups);
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The folder in a division's URL; undefined when the URL is on another site. */
function folderOf({ url }: Json): string | undefined {
  return isAbsolute(url) ? undefined : text(url).replace(/^\/|\/$/g, '');
}

function isInside(page: string, folder: string | undefined): boolean {
  const path = page.replace(/^\//, '');
  return folder !== undefined && folder !== '' && (path === folder || path.startsWith(`${folder}/`));
}

/** Whether any page of the groups belongs to a division. */
function holds(division: Json, groups: Group[]): boolean {
  return groups.some((group) => select(group, (page) => isInside(page, folderOf(division))) !== null);
}

/** Assigns the pages below each division's URL to it, and all others to the first division. */
function byFolder(kind: 'tab' | 'anchor', divisions: Json[], groups: Group[], first: (rest: Group[]) => Json): Json[] {
  const folders = divisions.map(folderOf);
  // Where one URL contains another, the longest wins.
  const owner = (page: string): number => {
    let best = -1;
    for (const [index, folder] of folders.entries()) {
      if (isInside(page, folder) && (folder?.length ?? 0) > (folders[best]?.length ?? 0)) best = index;
    }
    return best;
  };
  const part = (index: number): Group[] =>
    groups.map((group) => select(group, (page) => owner(page) === index)).filter((group) => group !== null);
  const rest = part(-1);
  const others = divisions.map((one, index) => {
    const own = folders[index] === undefined ? [] : part(index);
    return defined({ ...division(kind, one), ...(own.length ? { groups: own, href: undefined } : {}) });
  });
  return [...(rest.length ? [defined(first(rest))] : []), ...others];
}

/** The group with only the matching pages; null when no page matches. */
function select(group: Group, fits: (page: string) => boolean): Group | null {
  const pages = (group.pages ?? [])
    .map((page) => (typeof page === 'string' ? (fits(page) ? page : null) : asObject(page) ? select(page as Group, fits) : null))
    .filter((page) => page !== null);
  return pages.length ? { ...group, pages } : null;
}

function groupsOf(groups: Group[], version: string | undefined): Group[] {
  return groups
    .filter((group) => !group.version || !version || group.version === version)
    .map(({ version: _version, ...group }) => group);
}

function division(kind: string, one: Json): Json {
  const color = asObject(one.color);
  return defined({
    [kind]: one.name,
    icon: one.icon,
    iconType: one.iconType,
    color: color ? { light: color.from, dark: color.to } : one.color,
    hidden: one.isDefaultHidden,
    openapi: one.openapi,
    href: isAbsolute(one.url) ? one.url : one.url && `/${text(one.url).replace(/^\//, '')}`,
  });
}

function fonts(font: Json | undefined): Json | undefined {
  if (!font) return undefined;
  const convert = (one: Json | undefined) =>
    one && defined({ family: one.family, weight: one.weight, source: one.url, format: one.format });
  return defined({ ...convert(font), heading: convert(asObject(font.headings)), body: convert(asObject(font.body)) });
}

function backgroundOf(background: Json | undefined, image: unknown, color: unknown): Json | undefined {
  const result = defined({ decoration: background?.style, image, color });
  return Object.keys(result).length ? result : undefined;
}

function stylingOf(codeBlock: Json | undefined, eyebrow: Json | undefined): Json | undefined {
  if (!codeBlock && !eyebrow) return undefined;
  return defined({ codeblocks: codeBlock && (codeBlock.mode === 'dark' ? 'dark' : 'system'), eyebrows: eyebrow?.display });
}

function navbarOf(links: Json[], button: Json | undefined): Json | undefined {
  if (!links.length && !button) return undefined;
  return defined({
    links: links.length
      ? links.map((link) => defined({ label: link.name, href: link.url, type: link.type === 'link' ? undefined : link.type }))
      : undefined,
    primary: button && defined({ type: button.type === 'github' ? 'github' : 'button', label: button.name, href: button.url }),
  });
}

function footerOf(socials: unknown, footer: Json | undefined): Json | undefined {
  const list = Array.isArray(socials) ? Object.fromEntries(asList(socials).map((one) => [one.type, one.url])) : asObject(socials);
  const links = asList(footer?.links).map((column) =>
    defined({ header: column.title, items: asList(column.links).map((link) => defined({ label: link.label, href: link.url })) }),
  );
  if (!list && !footer) return undefined;
  return defined({ socials: list ?? footer?.socials, links: links.length ? links : undefined });
}

function apiOf(openapi: unknown, api: Json | undefined): Json | undefined {
  if (!openapi && !api) return undefined;
  const mode = asObject(api?.playground)?.mode;
  const modes: Json = { show: 'interactive', simple: 'simple', hide: 'none' };
  return defined({
    openapi,
    mdx: api && defined({ server: api.baseUrl, auth: api.auth }),
    playground: mode === undefined ? undefined : { display: modes[text(mode)] ?? mode },
  });
}

function seoOf(metadata: unknown, seo: Json | undefined): Json | undefined {
  if (!metadata && !seo) return undefined;
  return defined({ metatags: metadata, indexing: seo?.indexHiddenPages ? 'all' : undefined });
}

function isAbsolute(url: unknown): boolean {
  return typeof url === 'string' && /^[a-z][a-z+.-]*:/i.test(url);
}

function asObject(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined;
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function defined(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
